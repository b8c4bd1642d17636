package traces

import (
	"fmt"
	"io"
	"strings"

	"dlcheck/model"
)

func init() {
	addFormat(Format{
		Name: "mermaid", Ext: ".mmd",
		Doc:   "a sequence diagram for Mermaid",
		Write: writeMermaid,
	})
}

// quiet takes from a remark, which may come from a file, what means something
// to Mermaid: ; and a new line end the text, # cuts or escapes it, and %%{ }
// is a directive.
var quiet = strings.NewReplacer(";", ",", "#", "no. ", "\n", " ", "\r", " ", "{", "(", "}", ")")

// writeMermaid draws the clients on the left, then the lock servers, then the
// store. A client's name is a single letter, so that nothing needs quoting.
func writeMermaid(w io.Writer, t *Trace) error {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for c := range t.Config.Clients {
		if t.acts(c) {
			fmt.Fprintf(&b, "    participant %s\n", Name(c))
		}
	}
	fmt.Fprintf(&b, "    participant lock as lock, %s\n    participant store as store, %s\n", count(t.Config.Servers, "server"), t.Config.Store)
	told := false
	for _, l := range t.Story() {
		e := &t.Events[l.Index]
		what := fmt.Sprintf("tick %d: %s", l.From, l.What)
		who, to := l.Who, ""
		switch e.Kind {
		case model.Acquire, model.Release, model.Check:
			to = "lock"
		case model.Read, model.Write, model.Claim:
			to = "store"
		}
		switch {
		case l.Who == "":
			text := fmt.Sprintf("ticks %d to %d", l.From, l.To)
			if l.Answer != "" {
				text += ": " + l.Answer
			}
			fmt.Fprintf(&b, "    Note over lock: %s\n", text)
		case to == "":
			if l.To > l.From {
				what = fmt.Sprintf("ticks %d to %d: %s %s", l.From, l.To, who, l.What)
				if l.Answer != "" {
					what += ", " + l.Answer
				}
				// A note spans two participants at the most, and those between.
				if several := strings.Split(who, ","); len(several) > 2 {
					who = several[0] + "," + several[len(several)-1]
				}
			}
			fmt.Fprintf(&b, "    Note over %s: %s\n", who, what)
		default:
			fmt.Fprintf(&b, "    %s->>%s: %s\n    %s-->>%s: %s\n", who, to, what, to, who, l.Answer)
		}
		if t.Remark != nil && !told && l.Index >= t.Remark.At && t.Remark.Reason != "" {
			told = true
			fmt.Fprintf(&b, "    Note over lock,store: %s\n", quiet.Replace(t.Remark.Property+": "+t.Remark.Reason))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Trace) acts(client int) bool {
	for i := range t.Events {
		if t.Events[i].Client == client {
			return true
		}
	}
	return false
}
