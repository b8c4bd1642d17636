package explore

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// encoder writes numbers, many at once.
type encoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *encoder) room() {
	if len(e.buf) >= 1<<15 {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

func (e *encoder) u32(n uint32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, n)
	e.room()
}

func (e *encoder) u64(n uint64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, n)
	e.room()
}

func (e *encoder) words(words []uint64) {
	for _, w := range words {
		e.buf = binary.LittleEndian.AppendUint64(e.buf, w)
	}
	e.room()
}

func (e *encoder) bytes(b []byte) {
	e.u64(uint64(len(b)))
	e.flush()
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) end() error {
	e.flush()
	return e.err
}

// decoder reads them, from a file that may hold anything. After the first thing that
// is wrong it gives zeros. It never believes a length that the file is too short for.
type decoder struct {
	r     *bufio.Reader
	left  int64 // bytes of the file
	buf   [8]byte
	raw   [1 << 12]byte
	wrong string
	read  error // that the file gave

	states []uint64 // memory of decodeArena
}

func (d *decoder) ok() bool { return d.wrong == "" && d.read == nil }

func (d *decoder) fail(wrong string) {
	if d.ok() {
		d.wrong = wrong
	}
}

// fits says whether n things of so many bytes can still come.
func (d *decoder) fits(n uint64, each int) bool {
	if d.ok() && n > uint64(d.left)/uint64(each) {
		d.fail("it ends too soon")
	}
	return d.ok()
}

func (d *decoder) take(b []byte) bool {
	if !d.fits(uint64(len(b)), 1) {
		clear(b)
		return false
	}
	if _, err := io.ReadFull(d.r, b); err != nil {
		if d.read = err; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			d.read, d.wrong = nil, "it ends too soon"
		}
		clear(b)
		return false
	}
	d.left -= int64(len(b))
	return true
}

func (d *decoder) u32() uint32 {
	d.take(d.buf[:4])
	return binary.LittleEndian.Uint32(d.buf[:4])
}

func (d *decoder) u64() uint64 {
	d.take(d.buf[:8])
	return binary.LittleEndian.Uint64(d.buf[:8])
}

func (d *decoder) words(words []uint64) {
	for len(words) > 0 {
		b := d.raw[:min(len(d.raw), 8*len(words))]
		if !d.take(b) {
			return
		}
		for ; len(b) > 0; b = b[8:] {
			words[0] = binary.LittleEndian.Uint64(b)
			words = words[1:]
		}
	}
}

func (d *decoder) bytes() []byte {
	n := d.u64()
	if !d.fits(n, 1) {
		return nil
	}
	b := make([]byte, n)
	d.take(b)
	return b
}

// grown is memory that is used again, of that length.
func grown(b *[]uint64, n int) []uint64 {
	if cap(*b) < n {
		*b = make([]uint64, n)
	}
	return (*b)[:n]
}
