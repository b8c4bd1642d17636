package yamlfile

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Node is what stands at a place of a file whose keys are not known
// beforehand: a text, a list, or a map.
type Node struct {
	Line  int
	Kind  Kind
	Text  string // of a Text: as it is written, without quotes
	Items []Node // of a List
	Pairs []Pair // of a Map, in the order of the file; the parser refuses a key that is there twice
}

// Pair is a key and its value.
type Pair struct {
	Key   string
	Line  int
	Value Node
}

// Kind says what a Node is.
type Kind string

// The kinds of node. Numbers and truth values are texts here.
const (
	Text Kind = "a text"
	List Kind = "a list"
	Map  Kind = "a map"
)

// Parse reads a file that is one map. Anchors, tags and merges are refused: who
// reads such a file should see what it says. The error is an *Error; name stands
// for the file in it.
func Parse(name string, data []byte) (root Node, err error) {
	if data, err = fit(name, data); err != nil {
		return root, err
	}
	err = safely(func() error {
		file, err := parser.ParseBytes(data, 0)
		if err != nil {
			return plain(name, err)
		}
		var body ast.Node
		for _, d := range file.Docs {
			if d.Body == nil {
				continue
			}
			if body != nil {
				return &Error{File: name, Line: lineOf(d.Body), Reason: "a second document begins here; a file holds one"}
			}
			body = d.Body
		}
		root = Node{Line: 1, Kind: Map}
		if body == nil {
			return nil // nothing is said, as in a file of comments
		}
		root, err = toNode(name, body)
		if err == nil && root.Kind != Map {
			err = &Error{File: name, Line: root.Line, Reason: "the file should be a map, with lines such as ttl: 10"}
		}
		return err
	})
	if _, placed := err.(*Error); err != nil && !placed {
		err = &Error{File: name, Reason: err.Error()}
	}
	return root, err
}

func toNode(name string, n ast.Node) (Node, error) {
	out := Node{Line: lineOf(n)}
	switch n := n.(type) {
	case *ast.StringNode:
		out.Kind, out.Text = Text, n.Value
	case *ast.LiteralNode:
		out.Kind, out.Text = Text, n.Value.Value
	case *ast.NullNode:
		out.Kind = Text // nothing is written there, or as good as nothing
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.Kind, out.Text = Text, n.GetToken().Value
	case *ast.SequenceNode:
		out.Kind = List
		for _, v := range n.Values {
			item, err := toNode(name, v)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, item)
		}
	case *ast.MappingNode:
		out.Kind = Map
		for _, v := range n.Values {
			if err := out.add(name, v); err != nil {
				return out, err
			}
		}
	case *ast.MappingValueNode:
		out.Kind = Map
		return out, out.add(name, n)
	default:
		return out, &Error{File: name, Line: out.Line, Reason: "anchors, aliases, tags and directives are not read here"}
	}
	return out, nil
}

// add adds a pair to a map.
func (m *Node) add(name string, v *ast.MappingValueNode) error {
	line := lineOf(v.Key)
	var key string
	switch k := v.Key.(type) {
	case *ast.StringNode:
		key = k.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		key = k.GetToken().Value
	default:
		return &Error{File: name, Line: line, Reason: "a key should be a text"}
	}
	value, err := toNode(name, v.Value)
	m.Pairs = append(m.Pairs, Pair{key, line, value})
	return err
}

func lineOf(n ast.Node) int {
	if n != nil {
		if tok := n.GetToken(); tok != nil && tok.Position != nil {
			return tok.Position.Line
		}
	}
	return 0
}
