package yamlfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// shown writes a node so that its lines and kinds can be seen.
func shown(n Node) string {
	switch n.Kind {
	case Text:
		return fmt.Sprintf("%d:%q", n.Line, n.Text)
	case List:
		var all []string
		for _, item := range n.Items {
			all = append(all, shown(item))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	var all []string
	for _, p := range n.Pairs {
		all = append(all, fmt.Sprintf("%d:%s=%s", p.Line, p.Key, shown(p.Value)))
	}
	return "{" + strings.Join(all, " ") + "}"
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "{}",
		"# nothing\n":                  "{}",
		"{}":                           "{}",
		"a: 1":                         `{1:a=1:"1"}`,
		"a: 1\nb: 0x10\nc: 1.50":       `{1:a=1:"1" 2:b=2:"0x10" 3:c=3:"1.50"}`,
		"a: yes\nb: true\nc: off":      `{1:a=1:"yes" 2:b=2:"true" 3:c=3:"off"}`,
		"a: \"1\"\nb: '2'":             `{1:a=1:"1" 2:b=2:"2"}`,
		"a:\nb: null\nc: ~":            `{1:a=1:"" 2:b=2:"" 3:c=3:""}`,
		"a: [x, 2]\nb:\n  - y\n  - z":  `{1:a=[1:"x" 1:"2"] 2:b=[3:"y" 4:"z"]}`,
		"a: {x: 1, y: 2}\nb:\n  z: 3":  `{1:a={1:x=1:"1" 1:y=1:"2"} 2:b={3:z=3:"3"}}`,
		"a: >\n  two\n  lines\nb: one": `{1:a=1:"two lines\n" 4:b=4:"one"}`,
		"1: a\ntrue: b":                `{1:1=1:"a" 2:true=2:"b"}`,
		`{"a": {"b": [1, "x"]}}`:       `{1:a={1:b=[1:"1" 1:"x"]}}`,
	} {
		n, err := Parse("f.yaml", []byte(text))
		if got := shown(n); err != nil || got != want {
			t.Errorf("%q: %s, %v\nwant %s", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\na: 2":             `f.yaml:2: mapping key "a" already defined at [1:1]`,
		"a: 1\n\"a\": 2":         `f.yaml:2: mapping key "a" already defined at [1:1]`,
		"{a: 1, a: 2}":           `f.yaml:1: `,
		"x: {a: 1, 'a': 2}":      `f.yaml:1: `,
		"true: 1\n'true': 2":     `f.yaml:2: `,
		"a: &x 1\nb: *x":         `f.yaml:1: anchors, aliases, tags and directives are not read here`,
		"a: *x":                  `f.yaml:1: anchors,`,
		"a: !!str x":             `f.yaml:1: anchors,`,
		"b: 1\n<<: {a: 1}":       `f.yaml:2: a key should be a text`,
		"? [a]\n: 1":             `f.yaml:2: `,
		"- a":                    `f.yaml:1: the file should be a map, with lines such as ttl: 10`,
		"a: 1\n---\nb: 2":        `f.yaml:3: a second document begins here; a file holds one`,
		"a: [1":                  `f.yaml:1: sequence end token ']' not found`,
		"a: 1\n\t b: 2":          `f.yaml:2: `,
		"\"\\e\": 1\n\"\\e\": 2": `f.yaml:2: `,
	} {
		_, err := Parse("f.yaml", []byte(text))
		var at *Error
		if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}
