package certificate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"slices"
)

// maxHeader is the longest header that is read. The longest there can be, of a
// state of model.MaxWords full of variables, is a small part of it.
const maxHeader = 1 << 20

// certificate is a file that was read whole: its form is right, and whether its
// claim is true remains to be seen.
type certificate struct {
	header  *Header
	watched Watched
	states  set
	bytes   int64
	sum     [sha256.Size]byte
}

// read reads a certificate to its end. Its error is an *Unreadable, or that of r
// or of the context.
func read(ctx context.Context, r io.Reader, assemble Assemble) (*certificate, error) {
	in := &summing{r: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	line, err := in.line()
	if err != nil {
		return nil, err
	}
	c := &certificate{}
	if c.header, c.watched, err = readHeader(line, assemble); err != nil {
		return nil, err
	}
	inflated := flate.NewReader(in)
	defer inflated.Close()
	if c.states, err = readStates(ctx, bufio.NewReaderSize(inflated, 1<<16), c.header); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, in.blame(err, "its states")
	}
	in.settle()
	want := in.sum.Sum(nil)
	if _, err := io.ReadFull(in, c.sum[:]); err != nil {
		return nil, in.blame(err, "its checksum")
	}
	if !bytes.Equal(c.sum[:], want) {
		return nil, unreadable("it is damaged: its checksum is not that of its content")
	}
	c.bytes = in.n
	if _, err := in.ReadByte(); err == nil {
		return nil, unreadable("there is something behind its end")
	}
	if in.err != nil {
		return nil, in.err
	}
	return c, nil
}

// readStates wants just as many as the header says, each larger than the one
// before. The file says how many there are, and memory is only taken for those
// that come.
func readStates(ctx context.Context, in *bufio.Reader, h *Header) (set, error) {
	all := set{words: h.Words}
	s, first := make([]uint64, h.Words), true
	for n := uint64(0); ; n++ {
		if _, err := in.Peek(1); err == io.EOF {
			if n != h.States {
				return all, unreadable("its header counts %d states, and it has %d", h.States, n)
			}
			return all, nil
		} else if err != nil {
			return all, err
		}
		if n == h.States {
			return all, unreadable("it has more states than the %d that its header counts", h.States)
		}
		if n%4096 == 0 && ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		larger, err := readState(in, s)
		if err != nil {
			return all, err
		}
		if !larger && !first {
			return all, unreadable("its states are not in rising order: state %d is not larger than the one before", n+1)
		}
		first = false
		if room := cap(all.list) - len(all.list); room < h.Words {
			left := int(min(h.States-n, 1<<32)) * h.Words
			all.list = slices.Grow(all.list, max(h.Words, min(left, len(all.list)/4+1<<16)))
		}
		all.list = append(all.list, s...)
	}
}

// readState makes the next state out of the one before, and says whether it is
// larger.
func readState(in io.ByteReader, s []uint64) (larger bool, err error) {
	for i, before := range s {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return false, err
		}
		if larger {
			s[i] = n
			continue
		}
		s[i] = before + n
		if s[i] < before {
			return false, nil
		}
		larger = n > 0
	}
	return larger, nil
}

// summing gives what it reads to a checksum. It reads no byte ahead: flate asks
// for bytes one by one, and stops where its data do.
type summing struct {
	r   *bufio.Reader
	sum hash.Hash
	n   int64
	buf []byte // bytes that the sum has not seen yet
	err error  // of r, if it is not its end
}

// note keeps an error of r, to tell it from errors about what was read.
func (s *summing) note(err error) error {
	if err != nil && err != io.EOF {
		s.err = err
	}
	return err
}

// blame says what an error means that came up within a part of the file.
func (s *summing) blame(err error, part string) error {
	var known *Unreadable
	switch {
	case s.err != nil:
		return s.err
	case errors.As(err, &known):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return unreadable("it is torn: it ends within %s", part)
	}
	return unreadable("it is damaged: %s cannot be read", part)
}

func (s *summing) ReadByte() (byte, error) {
	b, err := s.r.ReadByte()
	if err == nil {
		s.n++
		if s.buf = append(s.buf, b); len(s.buf) >= 1<<12 {
			s.settle()
		}
	}
	return b, s.note(err)
}

func (s *summing) Read(p []byte) (int, error) {
	s.settle()
	n, err := s.r.Read(p)
	s.n += int64(n)
	s.sum.Write(p[:n])
	return n, s.note(err)
}

// settle gives the sum what it has not seen yet.
func (s *summing) settle() {
	s.sum.Write(s.buf)
	s.buf = s.buf[:0]
}

// line reads to the first end of a line.
func (s *summing) line() ([]byte, error) {
	var line []byte
	for len(line) < maxHeader {
		b, err := s.ReadByte()
		if err == io.EOF && bytes.HasPrefix(line, []byte(`{"schema":"`+family)) {
			return nil, unreadable("it is torn: it ends within its header")
		}
		if err == io.EOF {
			return line, nil // readHeader says what it is not
		}
		if err != nil {
			return nil, err
		}
		if line = append(line, b); b == '\n' {
			return line, nil
		}
	}
	return line, nil
}
