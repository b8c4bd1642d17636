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

// quiet takes from a remark, a name or a word, which may come from a file, what means something
// to Mermaid: ; and a new line end the text, # cuts or escapes it, and %%{ }
// is a directive.
var quiet = strings.NewReplacer(";", ",", "#", "no. ", "\n", " ", "\r", " ", "{", "(", "}", ")")

// writeMermaid draws the clients on the left, then the lock servers, then the
// store. Clients are participants by their letter, so that nothing needs quoting,
// and shown by their name.
func writeMermaid(w io.Writer, t *Trace) error {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for c := range t.Config.Clients {
		if t.acts(c) {
			fmt.Fprintf(&b, "    participant %s", Name(c))
			if name := t.Name(c); name != Name(c) {
				b.WriteString(" as " + quiet.Replace(name))
			}
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "    participant lock as %s, %s\n", quiet.Replace(t.Word("lock")), quiet.Replace(count(t.Config.Servers, t.Word("server"))))
	fmt.Fprintf(&b, "    participant store as %s, %s\n", quiet.Replace(t.Word("store")), t.Config.Store)
	told := false
	for _, l := range t.Story() {
		e := &t.Events[l.Index]
		to := ""
		switch e.Kind {
		case model.Acquire, model.Attempt, model.Unheard, model.Late, model.Adopt, model.Enqueue, model.Look, model.Renew, model.Recreate, model.Release, model.Check:
			to = "lock"
		case model.Read, model.Write, model.Claim, model.Send, model.Arrive, model.ArriveTwice:
			to = "store"
		}
		when := fmt.Sprintf("tick %d", l.From)
		if l.To > l.From {
			when = fmt.Sprintf("ticks %d to %d", l.From, l.To)
		}
		what, answer := quiet.Replace(l.What), quiet.Replace(l.Answer)
		switch {
		case to != "":
			who := Name(l.Actors[0])
			fmt.Fprintf(&b, "    %s->>%s: %s: %s\n    %s-->>%s: %s\n", who, to, when, what, to, who, answer)
		default:
			// A note spans two participants at the most, and those between.
			over, text := "lock", when
			if l.Who != "" {
				text = when + ": " + quiet.Replace(l.Who) + " " + what
			}
			if n := len(l.Actors); n > 0 {
				over, text = Name(l.Actors[0]), when+": "+what
				if n > 1 {
					over, text = over+","+Name(l.Actors[n-1]), when+": "+quiet.Replace(l.Who)+" "+what
				}
			}
			if answer != "" {
				text += ": " + answer
			}
			fmt.Fprintf(&b, "    Note over %s: %s\n", over, text)
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
