package disk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/bits"
)

// A block is a piece of a sorted run:
//
//	checksum  4 bytes, CRC32-C of all that follows
//	length    4 bytes, of what comes after the header
//	states    4 bytes, how many there are
//	first     the first state, 8 bytes a word
//	others    each as its difference from the one before
//
// States rise, so two neighbours share their first words, and the first word
// that differs is greater in the second. A state is written as the number of
// the words that it shares (a byte; left out if states have a single word), by
// how much the next word is greater (a varint), and the words after that: a
// byte that says which bytes of the word differ from those of the one before,
// and these bytes. States that are packed tightly differ from their neighbours
// in two to four bytes.
//
// All numbers are little-endian.
const blockHeader = 12

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errDamaged says that a block is not what was written.
var errDamaged = errors.New("a block is damaged: its checksum is not that of its content")

// packer makes blocks of rising states.
type packer struct {
	width, size int // words a state, bytes from which on a block is full
	buf         []byte
	prev        []uint64
	n           int
	emit        func(block []byte, first []uint64, n int) error
	first       []uint64
}

func newPacker(width, size int, emit func(block []byte, first []uint64, n int) error) *packer {
	return &packer{width: width, size: size, emit: emit, buf: make([]byte, 0, size+blockHeader+10*width),
		prev: make([]uint64, width), first: make([]uint64, width)}
}

// add packs states, which rise and are greater than all before.
func (p *packer) add(states []uint64) error {
	if p.width == 1 {
		return p.addWords(states)
	}
	for ; len(states) > 0; states = states[p.width:] {
		s := states[:p.width]
		if p.n == 0 {
			p.begin(s)
		} else {
			i := 0
			for s[i] == p.prev[i] {
				i++
			}
			b := append(p.buf, byte(i))
			b = binary.AppendUvarint(b, s[i]-p.prev[i])
			for i++; i < p.width; i++ {
				b = appendDifference(b, s[i]^p.prev[i])
			}
			p.buf = b
		}
		copy(p.prev, s)
		if p.n++; len(p.buf) >= p.size {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// addWords is add for states of one word.
func (p *packer) addWords(states []uint64) error {
	prev := p.prev[0]
	for i := range states {
		if p.n == 0 {
			p.begin(states[i : i+1])
		} else {
			b, d := p.buf, states[i]-prev
			for ; d >= 0x80; d >>= 7 {
				b = append(b, byte(d)|0x80)
			}
			p.buf = append(b, byte(d))
		}
		prev = states[i]
		if p.n++; len(p.buf) >= p.size {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	p.prev[0] = prev
	return nil
}

func (p *packer) begin(s []uint64) {
	copy(p.first, s)
	p.buf = append(p.buf[:0], make([]byte, blockHeader)...)
	for _, w := range s {
		p.buf = binary.LittleEndian.AppendUint64(p.buf, w)
	}
}

// flush ends the block, if there is one.
func (p *packer) flush() error {
	if p.n == 0 {
		return nil
	}
	b := p.buf
	binary.LittleEndian.PutUint32(b[8:], uint32(p.n))
	seal(b)
	n := p.n
	p.n = 0
	return p.emit(b, p.first, n)
}

// seal writes the length and the checksum of a block.
func seal(b []byte) {
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-blockHeader))
	binary.LittleEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
}

func appendDifference(b []byte, x uint64) []byte {
	at := len(b)
	b = append(b, 0)
	for i := 0; x != 0; i++ {
		if c := byte(x); c != 0 {
			b[at] |= 1 << i
			b = append(b, c)
		}
		x >>= 8
	}
	return b
}

// blockLen is how long the block is that begins with this header.
func blockLen(header []byte) int {
	return blockHeader + int(binary.LittleEndian.Uint32(header[4:]))
}

// unpack appends the states of a block. It believes nothing: what passes the
// checksum and is no block all the same is damaged too.
func unpack(dst []uint64, block []byte, width int) ([]uint64, error) {
	if len(block) < blockHeader+8*width || blockLen(block) != len(block) ||
		crc32.Checksum(block[4:], castagnoli) != binary.LittleEndian.Uint32(block) {
		return dst, errDamaged
	}
	n := int(binary.LittleEndian.Uint32(block[8:]))
	b := block[blockHeader:]
	// A state takes a byte at least, and the first one 8 a word.
	if n < 1 || n-1 > len(b)-8*width {
		return dst, errDamaged
	}
	for range width {
		dst = append(dst, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	if width == 1 {
		return unpackWords(dst, b, n-1)
	}
	for range n - 1 {
		i := int(b0(b))
		if i >= width {
			return dst, errDamaged
		}
		d, k := binary.Uvarint(b[1:])
		if k <= 0 {
			return dst, errDamaged
		}
		b = b[1+k:]
		at := len(dst) - width
		dst = append(dst, dst[at:at+i]...)
		w := dst[at+i] + d
		if w <= dst[at+i] {
			return dst, errDamaged
		}
		dst = append(dst, w)
		for i++; i < width; i++ {
			if len(b) == 0 {
				return dst, errDamaged
			}
			mask := b[0]
			b = b[1:]
			if len(b) < bits.OnesCount8(mask) {
				return dst, errDamaged
			}
			x := uint64(0)
			for ; mask != 0; mask &= mask - 1 {
				x |= uint64(b[0]) << (8 * bits.TrailingZeros8(mask))
				b = b[1:]
			}
			dst = append(dst, dst[at+i]^x)
		}
	}
	if len(b) != 0 {
		return dst, errDamaged
	}
	return dst, nil
}

// b0 is the first byte, or one that is wrong anywhere.
func b0(b []byte) byte {
	if len(b) == 0 {
		return 255
	}
	return b[0]
}

// unpackWords is unpack for the others of states of one word.
func unpackWords(dst []uint64, b []byte, n int) ([]uint64, error) {
	prev := dst[len(dst)-1]
	for range n {
		if len(b) == 0 {
			return dst, errDamaged
		}
		d := uint64(b[0])
		k := 1
		if d >= 0x80 {
			if d, k = binary.Uvarint(b); k <= 0 {
				return dst, errDamaged
			}
		}
		b = b[k:]
		next := prev + d
		if next <= prev {
			return dst, errDamaged
		}
		dst = append(dst, next)
		prev = next
	}
	if len(b) != 0 {
		return dst, errDamaged
	}
	return dst, nil
}
