package yamlfile

import (
	"strings"
	"testing"
)

// TestFilesThatDoNotFit are refused before the parser sees them.
func TestFilesThatDoNotFit(t *testing.T) {
	for _, row := range []struct{ name, data, want string }{
		{"brackets", "a: 1\nb: " + strings.Repeat("[", 200_000), "f.yaml:2: it is nested deeper than 50 here"},
		{"dashes", strings.Repeat("- ", 51) + "x", "f.yaml:1: it is nested deeper than 50 here"},
		{"length", "a: " + strings.Repeat("x", MaxBytes), "f.yaml: the file has 262147 bytes, and 262144 are allowed"},
		{"bytes", "a: b\nc: \x9b31m\n", "f.yaml:2: here is a byte that is no UTF-8"},
	} {
		if _, err := Parse("f.yaml", []byte(row.data)); err == nil || err.Error() != row.want {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
		var v map[string]any
		if err := Decode("f.yaml", []byte(row.data), &v); err == nil || err.Error() != row.want {
			t.Errorf("%s, decoded: %v, want %s", row.name, err, row.want)
		}
	}
	if n, err := Parse("f.yaml", []byte("\ufeffa: 1\n")); err != nil || n.Pairs[0].Key != "a" {
		t.Errorf("with a byte order mark: %+v, %v", n, err)
	}
}
