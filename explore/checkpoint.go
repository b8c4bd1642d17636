package explore

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"dlcheck/explore/checkpoint"
)

// A search with a checkpoint can end at any moment, be it with the process, and go
// on later as if nothing had been: with the same states, IDs, parents, buckets and
// findings, also where MaxBytes or OnBucket end it, with any number of workers.
//
// It is saved at borders: between two waves, where no worker is at work and nothing
// is under way. What a search is there is a function of how far it has come, and of
// nothing else. That is why a checkpoint can be exact, and why it does not matter
// when it was saved: time decides only that.
//
// States never move, so a save writes only what has come since the last one: a file
// of data with the new part of each arena, the new rows of the ledger and what was
// newly held back; and the manifest is replaced, which names all those files in
// their order. checkpoint_data.go has the bytes. The rest is not saved but made
// again: tables by putting the states in, in their old order, when the ledger is known
// and tells of which P they are; sums from the ledger;
// caches not at all, since they show in nothing but time.
//
// A border is met again when the search goes on there: OnBucket is called once more,
// with what it was called with before, and the looks at Until and MaxBytes are taken
// again. So a search that was ended by one of those ends again as it did, or goes
// on, if it is given more memory now.
//
// A cancelled context ends a search with a checkpoint at a border too, and it is
// saved there, so that nothing is lost.

// Checkpoint says where a search is saved and found again.
type Checkpoint struct {
	// Folder is the search's own. If there is a manifest in it, the search goes
	// on from there.
	Folder *checkpoint.Folder
	// Every is how much time passes between two saves, at least. It is more, up to
	// twenty times as much, where saving would take more than a twentieth of the
	// time. 0 saves at every border.
	Every time.Duration
	// Question is all that decides the answer beside Options: what the system is.
	// It is kept as JSON, readable; a search of another question is refused.
	Question any
	// Beside is called when the search is saved, and returns what its caller keeps
	// beside it and cannot make again: whatever is new since the last call. Restore
	// gets all of it, in that order, before the search goes on. OnBucket has to
	// bear being called twice for one bucket.
	Beside  func() []byte
	Restore func([]byte) error
	// Saved is told how each save went. One that fails leaves the one before as
	// it was, and the search goes on.
	Saved func(error)
}

// checkpointLayout is raised when the meaning of a file of data changes, or what
// order states are found in, or how much memory is reckoned for them.
const checkpointLayout = 2

// machine describes what decides IDs and borders, beside the question. It changes by
// itself when hash.go or the waves do.
func machine() string {
	return fmt.Sprint(checkpointLayout, shards, hash([]uint64{1, 2, 3}), maxSegments, sliceTransitions, minSlice, maxSlice, inline, flushLen, enoughAsked,
		chunkLen, firstChunk, firstTable, firstQueue, queueChunk)
}

// searched is what a search answers: two of which this is the same are one.
type searched struct {
	Machine  string          `json:"machine"`
	Words    int             `json:"words"`
	Order    Order           `json:"order"`
	Until    Note            `json:"until"`
	Question json.RawMessage `json:"question"`
}

// manifest is the document of a search.
type manifest struct {
	Search searched  `json:"search"`
	Saved  time.Time `json:"saved"`
	// These are to be read by people.
	P           int    `json:"p"`
	Q           int    `json:"q"`
	States      uint64 `json:"states"`
	Transitions uint64 `json:"transitions"`
	Closed      bool   `json:"closed"`

	Files []checkpoint.Entry `json:"files"`
}

// manifestName is the name of that document.
const manifestName = "manifest.json"

// saver is what a search knows of its checkpoint.
type saver struct {
	*Checkpoint
	search searched
	files  []checkpoint.Entry // that the last manifest names
	number int                // of the next file
	mark   savedMark          // how much they have
	beside [][]byte           // that no manifest names yet
	closed bool               // they say so
	last   time.Time          // of the last try
	took   time.Duration
}

// savedMark is how far the files of a checkpoint have come.
type savedMark struct {
	states   counts
	rows     int // of the ledger
	pushed   counts
	expanded uint64
}

// saveShare is one in how many parts of the time saving may take.
const saveShare = 20

// newSaver makes the folder, and the saver of a search.
func newSaver(c *Checkpoint, words int, opts *Options) (*saver, error) {
	question, err := json.Marshal(c.Question)
	if err != nil {
		return nil, fmt.Errorf("explore: the question of a checkpoint: %w", err)
	}
	return &saver{
		Checkpoint: c, number: 1, last: time.Now(),
		search: searched{machine(), words, opts.Order, opts.Until, question},
	}, nil
}

// start begins the search, or goes on with the one that was saved.
func (x *search) start() bool {
	c := x.opts.Checkpoint
	if c == nil {
		return x.begin()
	}
	found := false
	if x.saver, x.err = newSaver(c, x.width, &x.opts); x.err == nil {
		found, x.err = x.load()
	}
	switch {
	case x.err != nil:
		return false
	case !found:
		return x.border(x.begin())
	case x.saver.closed:
		return x.end(Closed)
	case x.first > 0:
		return x.border(x.pause(x.now+x.rule.quick, false))
	}
	return x.border(x.report())
}

// border is where a search is saved; ok says whether it goes on. It was ended here
// otherwise, and is saved, so that it ends at once when it is resumed, or goes on
// with more memory.
func (x *search) border(ok bool) bool {
	s := x.saver
	switch {
	case s == nil || x.err != nil:
		return ok
	case !ok:
		x.save(false)
		return false
	case x.stop.Load():
		x.save(false)
		return x.end(Interrupted)
	case time.Since(s.last) >= max(s.Every, min(saveShare*s.took, saveShare*s.Every)):
		x.save(false)
	}
	return true
}

// save writes what is new since the last time.
func (x *search) save(closed bool) {
	s := x.saver
	if x.expanded == s.mark.expanded && closed == s.closed {
		return // nothing is, or nothing has begun
	}
	begun := time.Now()
	err := x.trySave(closed)
	s.last, s.took = time.Now(), time.Since(begun)
	if s.Saved != nil {
		s.Saved(err)
	}
}

func (x *search) trySave(closed bool) error {
	s := x.saver
	if s.Beside != nil {
		if b := s.Beside(); len(b) > 0 {
			s.beside = append(s.beside, b)
		}
	}
	if err := s.Folder.Make(); err != nil {
		return err
	}
	name := checkpoint.DataName(s.number)
	s.number++ // a name is used once, whatever becomes of it
	var mark savedMark
	entry, err := s.Folder.Write(name, func(w io.Writer) error {
		e := &encoder{w: w}
		mark = x.encode(e, s.mark, s.beside)
		return e.end()
	})
	if err != nil {
		return err
	}
	// A manifest that cannot be written may have been: its file stays then.
	files := append(s.files[:len(s.files):len(s.files)], entry)
	if err := s.Folder.Put(manifestName, manifest{
		Search: s.search, Saved: time.Now().UTC().Truncate(time.Second), P: x.now.p(), Q: x.now.q(),
		States: x.States(), Transitions: x.transitions, Closed: closed, Files: files,
	}); err != nil {
		return err
	}
	s.files, s.mark, s.beside, s.closed = files, mark, nil, closed
	return nil
}

// load makes the search what was saved. It is false if nothing was.
func (x *search) load() (bool, error) {
	s := x.saver
	var m manifest
	found, err := s.Folder.Get(manifestName, &m)
	if err != nil {
		return false, err
	}
	if !found {
		return false, s.Folder.Clean(nil)
	}
	if err := s.same(&m.Search); err != nil {
		return false, err
	}
	if len(m.Files) == 0 {
		return false, s.Folder.Malformed(manifestName, "it names no file of data")
	}
	var last lastPart
	d := &decoder{r: bufio.NewReaderSize(nil, 1<<16)}
	for _, f := range m.Files {
		n, ok := checkpoint.DataNumber(f.Name)
		if !ok || n < s.number {
			return false, s.Folder.Malformed(manifestName, "its files are in no order")
		}
		s.number = n + 1
		err := s.Folder.Read(f, manifestName, func(in io.Reader) error {
			d.r.Reset(in)
			d.left = f.Bytes
			var beside [][]byte
			last, beside = x.decode(d)
			if d.read != nil {
				return d.read
			}
			if d.wrong != "" {
				return s.Folder.Malformed(f.Name, d.wrong)
			}
			for _, b := range beside {
				if s.Restore == nil {
					return s.Folder.Malformed(f.Name, "something was kept beside the search, and nobody asks for it")
				}
				if err := s.Restore(b); err != nil {
					return s.Folder.Malformed(f.Name, err.Error())
				}
			}
			return nil
		})
		if err != nil {
			return false, err
		}
		if x.opts.Progress != nil {
			x.opts.Progress(x.progress(false))
		}
	}
	if wrong := x.resume(&last, m.Closed); wrong != "" {
		return false, s.Folder.Malformed(m.Files[len(m.Files)-1].Name, wrong)
	}
	s.files, s.closed = m.Files, m.Closed
	s.mark = x.markNow()
	return true, s.Folder.Clean(m.Files) // now that nothing is refused any more
}

// same refuses what was saved of another search.
func (s *saver) same(saved *searched) error {
	const other = "ask what was asked then, or choose another folder"
	switch {
	case saved.Machine != s.search.Machine:
		return s.Folder.Refuse(manifestName, "resume with the dlcheck that wrote it, or begin anew in another folder",
			"it was written by a dlcheck that searches in another way: %q, and this one is %q", saved.Machine, s.search.Machine)
	case saved.Words != s.search.Words:
		return s.Folder.Refuse(manifestName, other, "it is of another search: its states have %d words, and those of this one %d", saved.Words, s.search.Words)
	case saved.Order != s.search.Order || saved.Until != s.search.Until:
		return s.Folder.Refuse(manifestName, other, "it is of another search: its order is %d until %#x, and that of this one %d until %#x",
			saved.Order, uint64(saved.Until), s.search.Order, uint64(s.search.Until))
	}
	var compact bytes.Buffer
	if json.Compact(&compact, saved.Question) != nil || compact.String() != string(s.search.Question) {
		return s.Folder.Refuse(manifestName, other, "it is of another search: %s", whereDiffer(compact.String(), string(s.search.Question)))
	}
	return nil
}

// whereDiffer is where two texts begin to differ.
func whereDiffer(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	from := max(strings.LastIndexAny(a[:n], `{,`)+1, 0)
	cut := func(t string) string { return t[from:min(len(t), from+60)] }
	return fmt.Sprintf("it has %s, and this one %s", cut(a), cut(b))
}
