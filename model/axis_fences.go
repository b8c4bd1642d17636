package model

// A store with several objects has one fence for all of them, or one for each. With
// one for each a new holder that has touched only one object does not keep an older
// one away from the others.
var _ = NewAxis(Axis{
	Name:    "fences",
	Doc:     "whether the store has one fence for all its objects (shared) or one for each object (each)",
	Choices: []string{"shared", "each"},
	Conflict: func(c *Config) string {
		if c.Objects() == 1 {
			return "it has no effect with one object; ask for more, as in the program \"acquire, read, read 2, write, write 2, release\""
		}
		return ""
	},
})

// FenceEach says whether each object has a fence of its own.
func (c *Config) FenceEach() bool { return valueOf(c, "fences") == 1 }

// fences claims the variables of a fence: one, or one for each object.
func (w *World) fences(l *Layout, name string) []Field {
	out := make([]Field, w.fenceCount())
	for i := range out {
		l.Global(&out[i], name, w.MaxToken(), Token)
	}
	return out
}

func (w *World) fenceCount() int {
	if w.axis("fences") == 0 {
		return 1
	}
	return w.Config.Objects()
}
