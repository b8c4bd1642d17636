package model

import (
	"fmt"
	"sort"
	"strings"
)

// Entry is one kind of a thing that a configuration names.
type Entry[T any] struct {
	Name string
	Doc  string // one line, for lists
	New  func(*World, *Layout) T
}

// Catalog holds the kinds there are. Each file that brings one adds its row
// in init, so that nothing else has to be told.
type Catalog[T any] struct {
	what    string
	entries map[string]Entry[T]
}

// Add brings a kind into the catalog. It panics when the name is taken.
func (c *Catalog[T]) Add(e Entry[T]) {
	if _, taken := c.entries[e.Name]; taken {
		panic("model: two kinds of " + c.what + " named " + e.Name)
	}
	if c.entries == nil {
		c.entries = map[string]Entry[T]{}
	}
	c.entries[e.Name] = e
}

// Find gives the entry of that name; its error lists the names there are.
func (c *Catalog[T]) Find(name string) (Entry[T], error) {
	if e, ok := c.entries[name]; ok {
		return e, nil
	}
	return Entry[T]{}, fmt.Errorf("there is no %s %q; there are %s", c.what, name, strings.Join(c.Names(), ", "))
}

// Names lists the kinds, sorted.
func (c *Catalog[T]) Names() []string {
	var names []string
	for n := range c.entries {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
