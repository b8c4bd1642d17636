package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dlcheck/checker"
)

// basis is a sentence that verdicts rest on. Sentences that differ in their
// numbers only are one basis: where its members differ, it has a letter.
type basis struct {
	words   []string // between the numbers
	members []member
}

// member is a store whose properties rest on the sentence with these numbers.
type member struct {
	store      string
	properties []string
	numbers    []string
	all        bool // properties are all that were asked for, and several
}

var figure = regexp.MustCompile(`\d[\d,]*\d|\d`)

// bases gathers the scopes of the verdicts, each sentence once.
func bases(runs []*checker.Run) (all []*basis) {
	for _, r := range runs {
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			if v.Scope == "" {
				continue
			}
			words, numbers := figure.Split(v.Scope, -1), figure.FindAllString(v.Scope, -1)
			b := find(&all, func(b *basis) bool { return slices.Equal(b.words, words) })
			b.words = words
			k := slices.IndexFunc(b.members, func(m member) bool {
				return m.store == r.Config.Store && slices.Equal(m.numbers, numbers)
			})
			if k < 0 {
				k = len(b.members)
				b.members = append(b.members, member{store: r.Config.Store, numbers: numbers})
			}
			m := &b.members[k]
			m.properties = append(m.properties, v.Property)
			m.all = len(r.Verdicts) > 1 && len(m.properties) == len(r.Verdicts)
		}
	}
	return all
}

// find gives the first element that fits, or a new one.
func find[T any](all *[]*T, fits func(*T) bool) *T {
	if i := slices.IndexFunc(*all, fits); i >= 0 {
		return (*all)[i]
	}
	*all = append(*all, new(T))
	return (*all)[len(*all)-1]
}

// sentence is the basis with the numbers that all members share, and letters
// for the others; differ lists the places of those.
func (b *basis) sentence() (text string, differ []int) {
	text = b.words[0]
	for i, number := range b.members[0].numbers {
		if slices.ContainsFunc(b.members, func(m member) bool { return m.numbers[i] != number }) {
			number = letter(len(differ))
			differ = append(differ, i)
		}
		text += number + b.words[i+1]
	}
	return strings.TrimSuffix(text, "."), differ
}

func letter(i int) string { return string("NMKLPQRSTUVWXYZ"[i%15]) }

// lines say who rests on the basis; stores that share all their properties
// stand in one line.
func (b *basis) lines(bold func(string) string, differ []int) (lines []string) {
	var who []string // by line: the properties
	for _, m := range b.members {
		properties := strings.Join(m.properties, ", ")
		if m.all {
			properties = "every property"
		}
		store := bold(m.store)
		var values []string
		for i, place := range differ {
			values = append(values, letter(i)+" = "+m.numbers[place])
		}
		if values != nil {
			store += " (" + strings.Join(values, ", ") + ")"
		}
		if i := slices.Index(who, properties); i >= 0 {
			lines[i] += ", " + store
		} else {
			who, lines = append(who, properties), append(lines, store)
		}
	}
	for i := range lines {
		lines[i] += ": " + who[i]
	}
	return lines
}

// writeScopes prints what the verdicts rest on.
func (c *command) writeScopes(runs []*checker.Run) {
	all := bases(runs)
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("What the verdicts rest on"))
	for _, b := range all {
		text, differ := b.sentence()
		wrapped(c.stdout, "  ", "  ", text+":")
		for _, line := range b.lines(c.colours.bold, differ) {
			wrapped(c.stdout, "    ", "      ", line)
		}
	}
}
