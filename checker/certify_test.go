package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"dlcheck/checker/certificate"
	"dlcheck/explore"
	"dlcheck/model"
)

// settings makes a small world out of "field value" pairs.
func settings(t *testing.T, text string) model.Config {
	t.Helper()
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.TTL, cfg.Ticks = 2, 4, 12
	for _, pair := range strings.Split(text, "; ") {
		field, value, _ := strings.Cut(pair, " ")
		if err := cfg.Set(model.Setting{Field: field, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	return cfg
}

func certify(t *testing.T, cfg model.Config, reduce model.Reductions, workers int, properties ...string) (*Run, []byte) {
	t.Helper()
	var file bytes.Buffer
	run, err := Check(context.Background(), Question{Config: cfg, Properties: properties, Minimize: Any, Reduce: reduce, Workers: workers, Certificate: &file})
	if err != nil {
		t.Fatal(err)
	}
	return run, file.Bytes()
}

func verify(file []byte) (*certificate.Proof, error) {
	return certificate.Verify(context.Background(), bytes.NewReader(file), Watched)
}

// TestCertificates: what a search of many kinds of world has seen is true when
// it is checked without a search, down to the counts, and the bytes do not
// depend on the number of workers.
func TestCertificates(t *testing.T) {
	for _, world := range []string{
		"store claimed", "store claimed; clients 3", "store fenced; ticks unlimited", "store guarded; rounds 2",
		"store conditional", "store claimed; servers 3; lost-requests 1", "store claimed; lost-replies 1",
		"store claimed; crashes 1; restarts 1", "store claimed; lock-delay 4; clock-jumps 2", "store claimed; delayed-writes 1",
		"store fenced; queue judged", "store claimed; renewal recreate",
		"store claimed; program acquire, read, write, read 2, write 2, release", "store fenced; program acquire, claim, read, write, claim 2, read 2, write 2, release; fences each", "store two-step; program acquire, claim, read, write, release",
		"store plain; pauses 0; ticks 0",
	} {
		for _, reduce := range []model.Reductions{model.AllReductions(), {}, {Time: true}} {
			name := fmt.Sprintf("%s, reductions %v", world, reduce.Names())
			cfg := settings(t, world)
			asked := []string{"token-order", "mutual-exclusion", "stale-overwrite", "lost-update", "unlocked-write", "progress"}
			// What is violated in a world is not asked about there.
			asked = slices.DeleteFunc(asked, func(p string) bool { v := ask(t, cfg, reduce, Any, p).Verdicts[0]; return v.Failed() })
			run, file := certify(t, cfg, reduce, 1, asked...)
			if run.Certified.Header == nil {
				if !reduce.Time || !strings.Contains(run.Certified.Refused, "did not close") {
					t.Errorf("%s: refused: %s", name, run.Certified.Refused)
				}
				continue
			}
			if _, again := certify(t, cfg, reduce, 4, asked...); !bytes.Equal(file, again) {
				t.Errorf("%s: other bytes with other workers", name)
			}
			p, err := verify(file)
			if err != nil || p.Wrong != nil {
				t.Errorf("%s: %v, %+v", name, err, p)
				continue
			}
			h := p.Header
			if h.States != run.States || p.Transitions != run.Transitions || p.Bytes != int64(len(file)) || p.Bytes != run.Certified.Bytes {
				t.Errorf("%s: %d states, %d transitions, %d bytes; the search had %d, %d, and wrote %d", name, h.States, p.Transitions, p.Bytes, run.States, run.Transitions, len(file))
			}
			if (h.Claim == certificate.EveryHorizon) != run.Closed {
				t.Errorf("%s: the claim is %s, and closed is %v", name, h.Claim, run.Closed)
			}
			for _, v := range run.Verdicts {
				vouched := slices.Contains(h.Properties, v.Property)
				if want := v.Property != "progress" && v.Trace == nil; vouched != want || vouched == slices.Contains(h.Silent, v.Property) {
					t.Errorf("%s: %s is %s, and vouched for: %v", name, v.Property, v.Result, vouched)
				}
			}
		}
	}
}

// TestNoCertificate: nothing stands where something is violated or was not seen
// to its end.
func TestNoCertificate(t *testing.T) {
	for _, row := range []struct {
		world, property, want string
		states                uint64
	}{
		{"store fenced", "lost-update", "lost-update is violated", 0},
		{"store fenced; ttl 9; ticks 3", "lost-update", "lost-update is violated", 0}, // past the bound
		{"store claimed", "unlocked-write", "no property that it could vouch for holds", 0},
		{"store plain; expiry never; crashes 1", "mutual-exclusion,progress", "progress is violated", 0},
		{"store claimed; clients 3", "lost-update", "the search was cut short (out of the states it was given)", 100},
	} {
		var file bytes.Buffer
		run, err := Check(context.Background(), Question{Config: settings(t, row.world), Properties: strings.Split(row.property, ","), Reduce: model.AllReductions(), MaxStates: row.states, Certificate: &file})
		if err != nil || run.Certified == nil || run.Certified.Header != nil || run.Certified.Refused != row.want {
			t.Errorf("%s, %s: %v, %+v, want %q", row.world, row.property, err, run.Certified, row.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var file bytes.Buffer
	run, err := Check(ctx, Question{Config: settings(t, "store claimed"), Properties: []string{"lost-update"}, Reduce: model.AllReductions(), Certificate: &file})
	if err != nil || run.Certified.Header != nil || file.Len() > 0 {
		t.Errorf("interrupted: %v, %+v, %d bytes", err, run.Certified, file.Len())
	}
}

// TestCertificateOnFullDisk: that it cannot be written is said, and the verdicts stand.
func TestCertificateOnFullDisk(t *testing.T) {
	disk := writerFunc(func([]byte) (int, error) { return 0, os.ErrInvalid })
	run, err := Check(context.Background(), Question{Config: settings(t, "store claimed"), Properties: []string{"lost-update"}, Reduce: model.AllReductions(), Certificate: disk})
	if err != nil || !errors.Is(run.Certified.Unwritten, os.ErrInvalid) || run.Certified.Header != nil || run.Verdicts[0].Result != Holds {
		t.Errorf("%v, %+v, %+v", err, run.Certified, run.Verdicts)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// forged is a certificate to be meddled with.
type forged struct {
	header *certificate.Header
	states [][]uint64
}

// forge explores a world to its end, whatever the monitors say, and vouches for
// every property of theirs.
func forge(t *testing.T, cfg model.Config, reduce model.Reductions, properties ...string) *forged {
	t.Helper()
	var watched []*audit
	for _, name := range properties {
		watched = append(watched, findAudit(name))
	}
	p, err := watch(watched, cfg, reduce)
	if err != nil {
		t.Fatal(err)
	}
	g, err := explore.Run(context.Background(), p, explore.Options{})
	if err != nil || g.Ended() != explore.Closed {
		t.Fatal(err, g.Ended())
	}
	f := &forged{header: certificate.NewHeader(p.world, properties, properties, []string{"progress"}, g.States())}
	for s := range rising(context.Background(), g) {
		f.states = append(f.states, slices.Clone(s))
	}
	return f
}

// file writes it as it is now. A count that is not that of the states needs
// header to be changed after them.
func (f *forged) file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := certificate.Write(&b, f.header, slices.Values(f.states)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestForgedCertificates: every way of meddling is told from the others, with a
// checksum that is right.
func TestForgedCertificates(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(f *forged)
		want   string
	}{
		{"nothing", func(*forged) {}, ""},
		{"drop a state", func(f *forged) { f.states = slices.Delete(f.states, 20, 21) }, "this leads to"},
		{"drop the last", func(f *forged) { f.states = f.states[:len(f.states)-1] }, "this leads to"},
		{"drop the initial state", func(f *forged) {
			w, _ := Watched(settings(t, "store claimed"), model.AllReductions(), f.header.Monitors)
			s := w.World().Init()
			w.World().Canonical(s)
			f.states = slices.DeleteFunc(f.states, func(x []uint64) bool { return slices.Equal(x, s) })
		}, "the initial state ("},
		{"add a state that is none", func(f *forged) { f.states = append(f.states, []uint64{1<<64 - 1}) }, "and at most"},
		{"add bits that belong to nothing", func(f *forged) { f.states = append(f.states, []uint64{1 << 63}) }, "belong to no variable"},
		{"add a possible state", func(f *forged) {
			s := slices.Clone(f.states[len(f.states)-1])
			for !f.plausible(t, s) {
				s[0]++
			}
			f.states = append(f.states, s)
		}, "this leads to"},
		{"add a state twice", func(f *forged) { f.states = slices.Insert(f.states, 5, f.states[5]) }, "not in rising order"},
		{"swap two states", func(f *forged) { f.states[3], f.states[4] = f.states[4], f.states[3] }, "not in rising order"},
		{"no state at all", func(f *forged) { f.states = nil }, "the initial state ("},
		{"another ttl", func(f *forged) { f.header.World.TTL = 3 }, "of another model: its states have"},
		{"another ttl of as many bits", func(f *forged) { f.header.World.TTL = 5 }, "of another model: its states have"},
		{"another store", func(f *forged) { f.header.World.Store = "plain" }, "of another model"},
		{"a broken twin", func(f *forged) { f.header.World.Store = "amnesiac" }, "of another model"},
		{"another program", func(f *forged) { f.header.World.Program = "acquire, read, check, release" }, "this leads to"},
		{"another bound that means nothing", func(f *forged) { *f.header.World.Ticks = 99 }, ""},
		{"more clients", func(f *forged) { f.header.World.Clients = 3 }, "of another model"},
		{"a world that cannot be", func(f *forged) { f.header.World.Clients = 99 }, "its world cannot be"},
		{"an axis that is not there", func(f *forged) { f.header.World.Axes = map[string]string{"warp": "9"} }, "its world cannot be"},
		{"a property too many", func(f *forged) { f.header.Properties = append(f.header.Properties, "token-order") }, "no monitor of that had a look"},
		{"a property with its monitor", func(f *forged) {
			f.header.Properties = append(f.header.Properties, "token-order")
			f.header.Monitors = f.header.Properties
		}, "of another model: the variable granted.largest"},
		{"a property that is broken, with its monitor", func(f *forged) {
			f.header.Properties = append(f.header.Properties, "unlocked-write")
			f.header.Monitors = f.header.Properties
		}, "that breaks unlocked-write"},
		{"a property of no steps", func(f *forged) {
			f.header.Properties = []string{"linearizable"}
			f.header.Monitors = f.header.Properties
		}, "no certificate can vouch for it"},
		{"a property that is none", func(f *forged) {
			f.header.Properties = []string{"safety"}
			f.header.Monitors = f.header.Properties
		}, `there is no property "safety"`},
		{"a property for a terminal", func(f *forged) { f.header.Silent = []string{"\x1b[2J"} }, "is no name of a property"},
		{"a property both ways", func(f *forged) { f.header.Silent = []string{"lost-update"} }, "and says that it does not"},
		{"no property", func(f *forged) { f.header.Properties = []string{} }, "vouches for no property"},
		{"another claim", func(f *forged) { f.header.Claim = certificate.ToBound }, "in its world a closed set is"},
		{"fewer reductions", func(f *forged) { f.header.Reductions = f.header.Reductions[1:] }, "of another model"},
		{"another reduction", func(f *forged) { f.header.Reductions = []string{"wishes"} }, "its reductions are"},
		{"another version", func(f *forged) { f.header.Schema = "dlcheck/certificate/v0" }, `its schema is "dlcheck/certificate/v0"`},
		{"another form", func(f *forged) { f.header.Schema = "dlcheck/trace/v1" }, "it is no certificate"},
		{"wider states", func(f *forged) {
			f.header.Words = 2
			for i := range f.states {
				f.states[i] = append(f.states[i], 0)
			}
		}, "its states have 2 words"},
		{"a variable elsewhere", func(f *forged) { f.header.Layout[0].At[0][1]++ }, "of another model: its states have"},
		{"a variable less", func(f *forged) { f.header.Layout = f.header.Layout[:2] }, "is not in its states"},
	} {
		f := forge(t, settings(t, "store claimed"), model.AllReductions(), "stale-overwrite", "lost-update", "mutual-exclusion")
		row.change(f)
		f.header.States = uint64(len(f.states))
		p, err := verify(f.file(t))
		said := ""
		if err != nil {
			said = err.Error()
		} else if p.Wrong != nil {
			said = p.Wrong.Sentence()
		}
		if row.want == "" && said != "" || !strings.Contains(said, row.want) {
			t.Errorf("%s: %q, want %q", row.name, said, row.want)
		}
	}
}

// plausible says whether words are a state of reduced form that the set does not
// have.
func (f *forged) plausible(t *testing.T, s []uint64) bool {
	g := &forged{header: f.header, states: [][]uint64{s}}
	g.header.States = 1
	w, err := Watched(settings(t, "store claimed"), model.AllReductions(), f.header.Monitors)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range w.World().Layout.Vars {
		for _, field := range v.Fields {
			if field.Get(s) > v.Max {
				return false
			}
		}
	}
	canonical := slices.Clone(s)
	w.World().Canonical(canonical)
	return slices.Equal(canonical, s) && !slices.ContainsFunc(f.states, func(x []uint64) bool { return slices.Equal(x, s) })
}

// TestDamagedCertificates: no byte can be changed, left out or added anywhere.
func TestDamagedCertificates(t *testing.T) {
	f := forge(t, settings(t, "store claimed"), model.AllReductions(), "stale-overwrite", "lost-update")
	good := f.file(t)
	refused := func(name string, file []byte) {
		t.Helper()
		p, err := verify(file)
		var unreadable *certificate.Unreadable
		if !errors.As(err, &unreadable) {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
	for i := range good {
		refused(fmt.Sprintf("cut at %d of %d", i, len(good)), good[:i])
		for _, bit := range []byte{1, 0x80} {
			bad := slices.Clone(good)
			bad[i] ^= bit
			refused(fmt.Sprintf("byte %d of %d is %#x", i, len(good), bad[i]), bad)
		}
	}
	refused("a byte behind it", append(slices.Clone(good), '\n'))
	refused("two in one file", slices.Concat(good, good))
	count := []byte(fmt.Sprintf(`"states":%d`, len(f.states)))
	for _, wrong := range []int{-1, 1} {
		refused("another count", bytes.Replace(good, count, []byte(fmt.Sprintf(`"states":%d`, len(f.states)+wrong)), 1))
	}
}

// TestTwinsDoNotVerify: nobody can vouch for a world that breaks a property,
// even with every one of its states.
func TestTwinsDoNotVerify(t *testing.T) {
	for _, row := range []struct{ property, store string }{
		{"stale-overwrite", "plain"}, {"stale-overwrite", "amnesiac"}, {"lost-update", "fenced"},
		{"lost-update", "lagging"}, {"fair-refusal", "loyal"}, {"unlocked-write", "claimed"},
	} {
		for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
			cfg := settings(t, "store "+row.store)
			cfg.TTL, cfg.Ticks = 5, 16
			p, err := verify(forge(t, cfg, reduce, "mutual-exclusion", row.property).file(t))
			if err != nil || p.Wrong == nil || p.Wrong.Fault != certificate.Objection || p.Wrong.Property != row.property {
				t.Errorf("%s, %s: %v, %+v", row.store, row.property, err, p)
			}
		}
	}
}
