//go:build crosscheck

package crosscheck_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

var update = flag.Bool("update", false, "write counts.txt anew, where spin and rumur agree")

// A row is a line of counts.txt: a world and what is expected of it.
type row struct {
	line int
	world
	want   answer
	orbits *count // nil: not asked

	got    map[string]answer // by checker, for -update
	gotten *count            // orbits
}

// TestCrosscheck asks the three checkers about every world of counts.txt. Each
// must say what is written there, so each can be run without the others:
// -run '//(spin|rumur|orbits)$' tests the foreign models alone.
func TestCrosscheck(t *testing.T) {
	need(t, "spin", "rumur", "gcc", "sed")
	head, rows := readCounts(t)
	dlcheck, buildErr := buildDlcheck(t) // the foreign models need no dlcheck
	t.Cleanup(func() {                   // when all worlds, which run in parallel, are done
		if *update {
			writeCounts(t, head, rows)
		}
	})

	for i := range rows {
		r := &rows[i]
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			for _, f := range []foreign{spin, rumur} {
				t.Run(f.name, func(t *testing.T) {
					got, err := f.answer(t, r.world)
					if err != nil {
						t.Fatalf("%s: %v", r.name(), err)
					}
					r.got[f.name] = got
					r.compare(t, f.name, got)
				})
			}
			if r.orbits != nil {
				t.Run(orbits.name, func(t *testing.T) {
					got, _, err := orbits.ask(t.Context(), t.TempDir(), r.world, counting)
					if err != nil {
						t.Fatalf("%s: %v", r.name(), err)
					}
					r.gotten = &got
					if got != *r.orbits && !*update {
						t.Errorf("%s\n  counts.txt:%-2d  %v\n  orbits         %v\nto repeat:\n%s", r.name(),
							r.line, *r.orbits, got, repeat(orbits.command(r.world, counting)))
					}
				})
			}
			t.Run("dlcheck", func(t *testing.T) {
				if buildErr != nil {
					t.Fatal(buildErr)
				}
				got, err := askDlcheck(t.Context(), dlcheck, r.world)
				if err != nil {
					t.Fatalf("%s: %v\nto repeat:\n  %s", r.name(), err, dlcheckCommand(r.world))
				}
				r.compare(t, "dlcheck", got)
			})
		})
	}
}

// compare reports an answer that is not the expected one, and for each checker
// the commands that ask it again: what is counted, and the property that
// differs, or both.
func (r *row) compare(t *testing.T, who string, got answer) {
	t.Helper()
	if got == r.want || *update {
		return
	}
	var commands strings.Builder
	fmt.Fprintf(&commands, "dlcheck:\n  %s\n", dlcheckCommand(r.world))
	for _, f := range []foreign{spin, rumur} {
		fmt.Fprintf(&commands, "%s:\n", f.name)
		if got.count != r.want.count {
			fmt.Fprintln(&commands, repeat(f.command(r.world, counting)))
		}
		if got.stale != r.want.stale {
			fmt.Fprintln(&commands, repeat(f.command(r.world, staleOverwrite)))
		}
		if got.lost != r.want.lost {
			fmt.Fprintln(&commands, repeat(f.command(r.world, lostUpdate)))
		}
	}
	t.Errorf("%s\n  counts.txt:%-2d  %v\n  %-13s  %v\nto repeat:\n%s", r.name(), r.line, r.want, who, got, &commands)
}

// readCounts reads counts.txt: its head, up to and with the names of the
// columns, and its rows. A ? is a number not known yet, for -update to fill in.
func readCounts(t *testing.T) (head string, rows []row) {
	t.Helper()
	text, err := os.ReadFile("counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			head += line + "\n"
			continue
		}
		f := strings.Fields(line)
		if len(f) != 12 {
			t.Fatalf("counts.txt:%d: %d columns, expected 12", i+1, len(f))
		}
		if f[0] == "store" {
			continue
		}
		r, err := parseRow(f)
		if err != nil {
			t.Fatalf("counts.txt:%d: %v", i+1, err)
		}
		r.line = i + 1
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		t.Fatal("counts.txt: no worlds")
	}
	return head, rows
}

func parseRow(f []string) (row, error) {
	r := row{got: map[string]answer{}}
	r.store = f[0]
	if f[3] == "unlimited" {
		r.ticks = unlimited
		f[3] = "?"
	}
	for _, n := range []struct {
		text string
		to   *int
	}{
		{f[1], &r.clients}, {f[2], &r.servers}, {f[3], &r.ticks}, {f[4], &r.ttl}, {f[5], &r.rounds},
		{f[6], &r.pauses}, {f[7], &r.want.states}, {f[8], &r.want.transitions},
	} {
		if n.text == "?" {
			continue
		}
		v, err := strconv.Atoi(n.text)
		if err != nil {
			return row{}, err
		}
		*n.to = v
	}
	if f[9] != "-" {
		r.orbits = new(count)
		if f[9] != "?" {
			if _, err := fmt.Sscanf(f[9], "%d/%d", &r.orbits.states, &r.orbits.transitions); err != nil {
				return row{}, fmt.Errorf("orbits %q: %w", f[9], err)
			}
		}
	}
	for i, t := range []*trace{&r.want.stale, &r.want.lost} {
		if text := f[10+i]; text != "holds" && text != "?" {
			if _, err := fmt.Sscanf(text, "%d+%d", &t.events, &t.ticks); err != nil {
				return row{}, fmt.Errorf("counterexample %q: %w", text, err)
			}
		}
	}
	return r, nil
}

// writeCounts is the other direction. A world about which spin and rumur do not
// agree, or that was not asked, stays as it was.
func writeCounts(t *testing.T, head string, rows []row) {
	t.Helper()
	var text strings.Builder
	text.WriteString(head)
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join([]string{"store", "clients", "servers", "ticks", "ttl", "rounds", "pauses",
		"states", "transitions", "orbits", staleOverwrite, lostUpdate}, "\t"))
	for _, r := range rows {
		s, spun := r.got[spin.name]
		m, mured := r.got[rumur.name]
		switch {
		case !spun || !mured:
			t.Logf("%s: not asked of both, kept as it was", r.name())
		case s != m:
			t.Errorf("%s: spin and rumur disagree, kept as it was\n  spin  %v\n  rumur %v", r.name(), s, m)
		default:
			r.want = s
		}
		orbits := "-"
		if r.gotten != nil {
			r.orbits = r.gotten
		}
		if r.orbits != nil {
			orbits = fmt.Sprintf("%d/%d", r.orbits.states, r.orbits.transitions)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%v\t%v\n", r.store, r.clients, r.servers,
			r.ticksText(), r.ttl, r.rounds, r.pauses, r.want.states, r.want.transitions, orbits, r.want.stale, r.want.lost)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("counts.txt", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
