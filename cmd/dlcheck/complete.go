package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// described is a word that completion offers, with what it means.
type described struct{ word, doc string }

type completion = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// oneWord completes a single word.
func oneWord(words func() []described) completion {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		return offer(words(), "", start), cobra.ShellCompDirectiveNoFileComp
	}
}

// commaList completes the last word of a list separated by commas. Words
// that are in the list already are not offered again, and those of alone only
// where the list begins.
func commaList(words func() []described, alone ...described) completion {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		i := strings.LastIndex(start, ",") + 1
		before, last := start[:i], start[i:]
		left := slices.DeleteFunc(words(), func(w described) bool {
			return slices.Contains(strings.Split(before, ","), w.word)
		})
		if before == "" {
			left = append(left, alone...)
		}
		return offer(left, before, last), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

func offer(words []described, before, start string) []string {
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w.word, start) {
			out = append(out, before+w.word+"\t"+w.doc)
		}
	}
	return out
}

// directories completes the name of a directory.
func directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func addFlagCompletions(cmd *cobra.Command) {
	nothing := oneWord(func() []described { return nil })
	bound := oneWord(func() []described { return []described{{unlimited, "no bound"}} })
	for flag, f := range map[string]completion{
		"system": oneWord(describedSystems),
		"config": configFiles,
		"store":  commaList(describedStores), "property": commaList(describedProperties),
		"minimize": oneWord(describedMeasures), "reduce": commaList(describedReductions, described{"auto", "all that are sound"}, described{"none", "explore the system as it is written"}),
		"ticks": bound, "max-pause": bound, "rounds": bound,
		"clients": nothing, "ttl": nothing, "servers": nothing, "pauses": nothing,
		"program": nothing, "list": nothing, "workers": nothing, "memory": nothing, "time-limit": nothing, "checkpoint-every": nothing,
		"trace-dir": directories, "disk": directories, "checkpoint": directories, "profile": directories,
		"certificate": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // a flag of that name was not declared
		}
	}
	for _, a := range model.Axes() {
		f := nothing
		if a.Choices != nil {
			f = oneWord(func() (out []described) {
				for _, c := range a.Choices {
					out = append(out, described{c, ""})
				}
				return out
			})
		}
		if err := cmd.RegisterFlagCompletionFunc(a.Name, f); err != nil {
			panic(err)
		}
	}
}

// configFiles completes the name of a file that describes a system.
func configFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

func describedStores() []described {
	var out []described
	for _, name := range model.Stores.Names() {
		e, _ := model.Stores.Find(name)
		out = append(out, described{name, e.Doc})
	}
	return out
}

func describedProperties() []described {
	out := []described{
		{"seed", "the group of what the classic lesson checks"},
		{"all", "every property there is"},
	}
	for _, p := range checker.Properties() {
		out = append(out, described{p.Name, p.Doc})
	}
	return out
}

func describedMeasures() []described {
	return []described{
		{string(checker.Steps), "actions and ticks together"},
		{string(checker.Ticks), "ticks of the clock"},
		{string(checker.Events), "actions other than ticks"},
		{string(checker.Faults), "faults and pauses"},
	}
}

func describedReductions() []described {
	var out []described
	for _, name := range model.AllReductions().Names() {
		out = append(out, described{name, ""})
	}
	return out
}

func describedFormats() []described {
	var out []described
	for _, f := range traces.Formats() {
		out = append(out, described{f.Name, f.Doc})
	}
	return out
}
