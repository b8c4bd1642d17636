package certificate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"dlcheck/model"
)

// unwatched is a world whose one monitor never objects.
type unwatched struct{ world *model.World }

func (u unwatched) World() *model.World                                         { return u.world }
func (unwatched) Watch(model.State, model.Action, model.State) (objects uint64) { return 0 }

// biggest is more clients than a fuzzed header may ask for: worlds are cheap to
// make, but thousands of large ones are not.
const biggest = 4

func assembleUnwatched(cfg model.Config, reduce model.Reductions, _ []string) (Watched, error) {
	if cfg.Clients > biggest {
		return nil, errors.New("too large for a test")
	}
	w, err := model.New(cfg, model.Options{Reduce: reduce})
	return unwatched{w}, err
}

// textbook is a certificate of all states, found by the search that everybody
// writes first.
func textbook(t testing.TB, cfg model.Config, reduce model.Reductions) []byte {
	t.Helper()
	u, err := assembleUnwatched(cfg, reduce, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := u.World()
	init := w.Init()
	w.Canonical(init)
	seen := map[string]bool{}
	var states [][]uint64
	for wait := [][]uint64{init}; len(wait) > 0; wait = wait[1:] {
		s := wait[0]
		key := values(w.Layout, s)
		if seen[key] {
			continue
		}
		seen[key] = true
		states = append(states, s)
		var out model.Steps
		w.Next(s, &out)
		for n := range slices.Chunk(out.States, len(s)) {
			w.Canonical(n)
			wait = append(wait, n)
		}
	}
	slices.SortFunc(states, slices.Compare)
	var file bytes.Buffer
	if _, err := Write(&file, NewHeader(w, []string{"nothing"}, []string{"nothing"}, []string{"all-else"}, uint64(len(states))), slices.Values(states)); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// small are worlds for seeds: of one word and of several, with and without a
// clock.
func small() (all []model.Config) {
	for _, servers := range []int{1, 5} {
		cfg := model.DefaultConfig()
		cfg.Clients, cfg.TTL, cfg.Ticks, cfg.Servers = 2, 2, 4, servers
		all = append(all, cfg)
	}
	return all
}

// TestTextbook: what the search that everybody writes first has seen is true.
func TestTextbook(t *testing.T) {
	for _, cfg := range small() {
		for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
			p, err := Verify(context.Background(), bytes.NewReader(textbook(t, cfg, reduce)), assembleUnwatched)
			if err != nil || p.Wrong != nil {
				t.Errorf("%d servers, reductions %v: %v, %+v", cfg.Servers, reduce.Names(), err, p)
			}
		}
	}
}

// FuzzRead: whatever a file holds, it is true, wrong or unreadable, and the
// process lives on.
func FuzzRead(f *testing.F) {
	for _, cfg := range small() {
		for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
			good := textbook(f, cfg, reduce)
			f.Add(good)
			f.Add(good[:len(good)/2])
		}
	}
	f.Add([]byte(`{"schema":"dlcheck/certificate/v1"}` + "\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := Verify(context.Background(), bytes.NewReader(file), assembleUnwatched)
		var unreadable *Unreadable
		if err != nil && !errors.As(err, &unreadable) || err == nil && p.Wrong != nil && p.Wrong.Sentence() == "" {
			t.Errorf("%v, %+v", err, p)
		}
	})
}

// FuzzStates does the same behind a header and before a checksum that are right,
// where FuzzRead hardly ever comes.
func FuzzStates(f *testing.F) {
	cfg := small()[0]
	u, err := assembleUnwatched(cfg, model.Reductions{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{0})
	f.Add([]byte{5, 1, 200, 1, 0, 3})
	f.Fuzz(func(t *testing.T, words []byte) {
		w := u.World()
		var states [][]uint64
		before := make([]uint64, w.Layout.Words())
		for in := bytes.NewReader(words); ; {
			if _, err := readState(in, before); err != nil {
				break
			}
			states = append(states, slices.Clone(before))
		}
		var file bytes.Buffer
		h := NewHeader(w, []string{"nothing"}, []string{"nothing"}, []string{}, uint64(len(states)))
		if _, err := Write(&file, h, slices.Values(states)); err != nil {
			t.Fatal(err)
		}
		p, err := Verify(context.Background(), &file, assembleUnwatched)
		var unreadable *Unreadable
		if err != nil && !errors.As(err, &unreadable) || err == nil && p.Wrong == nil {
			t.Errorf("%v, %+v", err, p)
		}
	})
}
