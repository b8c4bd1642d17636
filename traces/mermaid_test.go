package traces

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// mermaidLine is all of Mermaid that is written. In a text, ; and # would end
// it or escape what follows, and { } could be a directive.
var mermaidLine = regexp.MustCompile(`^(sequenceDiagram|    (participant ([A-P]|lock as lock, \d+ servers?|store as store, [a-z-]+)|Note over ([A-P](,[A-P])?|lock|lock,store): [^;#{}\r\n]+|([A-P]|lock|store)--?>>([A-P]|lock|store): [^;#{}\r\n]+))$`)

func mermaid(t *testing.T, tr *Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeMermaid(&b, tr); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if !mermaidLine.MatchString(line) {
			t.Fatalf("not Mermaid: %q", line)
		}
	}
	return b.String()
}

func TestMermaidRemark(t *testing.T) {
	tr := lostUpdate(t)
	tr.Remark.Reason = "line\nline\r; end # 1 %%{init: {}}%% ->> A"
	text := mermaid(t, tr)
	const want = "    Note over lock,store: lost-update: line line , end no.  1 %%(init: ())%% ->> A\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestMermaidIsWellFormed: whatever happens, every line is of the few kinds
// that there are, and whoever speaks was introduced.
func TestMermaidIsWellFormed(t *testing.T) {
	for seed := range uint64(500) {
		tr := randomTrace(t, seed)
		text := mermaid(t, tr)
		for _, m := range regexp.MustCompile(`(?m)^    ([A-P])-`).FindAllStringSubmatch(text, -1) {
			if !strings.Contains(text, "    participant "+m[1]+"\n") {
				t.Fatalf("seed %d: %s is no participant of\n%s", seed, m[1], text)
			}
		}
	}
}
