package traces

import (
	"fmt"
	"io"
	"text/tabwriter"
)

func init() {
	addFormat(Format{
		Name: "text", Ext: ".txt",
		Doc:   "a story, one line per action, for reading",
		Write: writeText,
	})
}

func writeText(w io.Writer, t *Trace) error {
	head := "a schedule"
	if t.Remark != nil && t.Remark.Property != "" {
		head = t.Remark.Property
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n%s\n\n", head, t.Summary(), t.World()); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  tick\twho\twhat\tanswer\tholds the %s\n", t.Word("lock"))
	told := false
	for _, l := range t.Story() {
		mark := " "
		// The line that goes wrong may stand for several ticks.
		if t.Remark != nil && !told && l.Index >= t.Remark.At {
			mark, told = ">", true
		}
		tick := fmt.Sprint(l.From)
		if l.To > l.From {
			tick = fmt.Sprintf("%d-%d", l.From, l.To)
		}
		fmt.Fprintf(tw, "%s %s\t%s\t%s\t%s\t%s\n", mark, tick, orDash(l.Who), l.What, orDash(l.Answer), l.Holder)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if t.Remark != nil && t.Remark.Reason != "" {
		_, err := fmt.Fprintf(w, "\n> %s\n", t.Remark.Reason)
		return err
	}
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
