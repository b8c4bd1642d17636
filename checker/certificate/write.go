package certificate

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
)

// Write writes a certificate and says how many bytes it has. The states have
// to come in rising order, as many as the header says.
func Write(w io.Writer, h *Header, states iter.Seq[[]uint64]) (int64, error) {
	line, err := h.line()
	if err != nil {
		return 0, err
	}
	sum := sha256.New()
	out := &counting{w: w}
	buffered := bufio.NewWriter(out)
	summed := io.MultiWriter(buffered, sum)
	if _, err := summed.Write(line); err != nil {
		return 0, err
	}
	deflated, err := flate.NewWriter(summed, flate.DefaultCompression)
	if err != nil {
		return 0, err
	}
	var n uint64
	before := make([]uint64, h.Words)
	var code []byte
	for s := range states {
		code = appendState(code[:0], before, s)
		if _, err := deflated.Write(code); err != nil {
			return 0, err
		}
		copy(before, s)
		n++
	}
	if n != h.States {
		return 0, fmt.Errorf("%d states are to be written, and there are %d", h.States, n)
	}
	if err := deflated.Close(); err != nil {
		return 0, err
	}
	if _, err := buffered.Write(sum.Sum(nil)); err != nil {
		return 0, err
	}
	err = buffered.Flush()
	return out.n, err
}

// appendState writes a state as its difference to the one before.
func appendState(code []byte, before, s []uint64) []byte {
	same := true
	for i, word := range s {
		if same {
			code = binary.AppendUvarint(code, word-before[i])
			same = word == before[i]
		} else {
			code = binary.AppendUvarint(code, word)
		}
	}
	return code
}

type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
