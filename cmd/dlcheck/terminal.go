package main

import (
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// width is the number of columns that output is made for. It does not follow
// the terminal: the same question prints the same bytes everywhere.
const width = 100

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// coloursWanted follows no-color.org: any value of NO_COLOR but the empty one
// turns colours off.
func coloursWanted() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// palette paints text on a terminal and is the identity elsewhere. The
// switches of package text are global and look at the environment on their
// own, so only its escape sequences are used.
type palette struct{ on bool }

func (p palette) paint(s string, colours ...text.Color) string {
	if !p.on || s == "" {
		return s
	}
	return text.Escape(s, text.Colors(colours).EscapeSeq())
}

func (p palette) bold(s string) string   { return p.paint(s, text.Bold) }
func (p palette) red(s string) string    { return p.paint(s, text.Bold, text.FgRed) }
func (p palette) green(s string) string  { return p.paint(s, text.FgGreen) }
func (p palette) yellow(s string) string { return p.paint(s, text.FgYellow) }

// wrapped writes words in lines of at most width columns; the first line
// begins with first, the others with rest.
func wrapped(w io.Writer, first, rest, words string) {
	line := first
	empty := true
	for _, word := range strings.Fields(words) {
		if !empty && text.StringWidthWithoutEscSequences(line)+1+text.StringWidthWithoutEscSequences(word) > width {
			io.WriteString(w, line+"\n")
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	io.WriteString(w, strings.TrimRight(line, " ")+"\n")
}

// oneLine makes what a library reports over several lines one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
