package main

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"dlcheck/checker"
)

// writeDisk says how much searches on disk took.
func (c *command) writeDisk(runs []*checker.Run) {
	if c.options.disk == "" {
		return
	}
	var each []string
	for _, r := range runs {
		each = append(each, fmt.Sprintf("%s %s and %s", r.Config.Store, humanize.IBytes(uint64(r.PeakDiskBytes)), humanize.IBytes(uint64(r.PeakBytes))))
	}
	fmt.Fprintln(c.stdout)
	wrapped(c.stdout, "", "  ", fmt.Sprintf("Files in %s and memory took at most: %s.", c.options.disk, strings.Join(each, "; ")))
}
