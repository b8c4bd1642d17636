package disk

// journal has the states bucket by bucket, those of a bucket sorted, in blocks.
// It is only added to. Its end is in memory, all of it as long as it is small.
type journal struct {
	*packer
	folder *Folder
	blob   *blob  // nil until there is something in it
	tail   []byte // what comes after the blob
	base   int64  // bytes in the blob
	most   int    // bytes of the tail
	at     []int64
}

func newJournal(s *space) *journal {
	j := &journal{folder: s.folder, most: s.sizes.tail, at: []int64{0}}
	j.packer = newPacker(s.width, s.sizes.block, j.block)
	return j
}

// blocks is how many are complete.
func (j *journal) blocks() int { return len(j.at) - 1 }

func (j *journal) block(block []byte, _ []uint64, _ int) error {
	if len(j.tail)+len(block) > j.most && len(j.tail) > 0 {
		if j.blob == nil {
			var err error
			if j.blob, err = j.folder.newBlob(); err != nil {
				return err
			}
		}
		if err := j.blob.append(j.tail); err != nil {
			return err
		}
		j.base += int64(len(j.tail))
		j.tail = j.tail[:0]
	}
	j.tail = append(j.tail, block...)
	j.at = append(j.at, j.at[len(j.at)-1]+int64(len(block)))
	return nil
}

// back forgets the blocks from one on, and what is not yet a block: they are of
// a bucket that could not be made.
func (j *journal) back(blocks int) {
	j.packer.n = 0
	end := j.at[blocks]
	j.at = j.at[:blocks+1]
	if end >= j.base {
		j.tail = j.tail[:end-j.base]
		return
	}
	j.folder.used.Add(end - j.base)
	j.blob.size, j.base, j.tail = end, end, j.tail[:0]
}

// reader reads blocks of the journal for one goroutine.
type reader struct {
	raw    []byte
	states []uint64
}

// read gives the states of a block.
func (r *reader) read(j *journal, block, width int) ([]uint64, error) {
	from, to := j.at[block], j.at[block+1]
	raw := r.raw
	if from >= j.base {
		raw = j.tail[from-j.base : to-j.base]
	} else {
		if n := int(to - from); cap(raw) < n {
			raw = make([]byte, n, n+n/2)
		} else {
			raw = raw[:n]
		}
		r.raw = raw
		if err := j.blob.read(raw, from); err != nil {
			return nil, err
		}
	}
	var err error
	if r.states, err = unpack(r.states[:0], raw, width); err != nil {
		return nil, j.folder.damaged(from, err)
	}
	return r.states, nil
}

func (j *journal) bytes() int64 { return int64(cap(j.tail)) + 8*int64(cap(j.at)) }

func (j *journal) drop() {
	j.blob.close()
	j.tail, j.at = nil, nil
}
