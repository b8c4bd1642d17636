package model

import (
	"strings"
	"testing"
)

// with gives a configuration some axes, as "name value".
func with(t *testing.T, cfg Config, axes ...string) Config {
	t.Helper()
	for _, text := range axes {
		name, value, _ := strings.Cut(text, " ")
		a, err := FindAxis(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := a.Parse(value)
		if err != nil {
			t.Fatal(err)
		}
		a.Set(&cfg, v)
	}
	return cfg
}

// TestLostRequestsCounts: two foreign checkers agree on these.
func TestLostRequestsCounts(t *testing.T) {
	for _, row := range []struct {
		misses         string
		states, transs int
	}{{"1", 37_551, 65_444}, {"2", 134_261, 239_631}} {
		cfg := DefaultConfig()
		cfg.Clients, cfg.Servers, cfg.TTL, cfg.Ticks, cfg.Store = 2, 3, 3, 12, "claimed"
		cfg = with(t, cfg, "lost-requests "+row.misses)
		states, transitions := count(mustNew(t, cfg, Options{}))
		if states != row.states || transitions != row.transs {
			t.Errorf("%s lost requests: %d states, %d transitions; want %d, %d", row.misses, states, transitions, row.states, row.transs)
		}
	}
}

// TestAxesThatAreOffCostNothing: the core keeps its width, and each axis that
// has variables widens the state.
func TestAxesThatAreOffCostNothing(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Servers = 3
	core := mustNew(t, cfg, Options{}).Layout.Bits()
	if core != 68 {
		t.Errorf("the core takes %d bits, want 68", core)
	}
	for _, a := range Axes() {
		if a.Build == nil {
			continue
		}
		c := cfg
		a.Set(&c, 1)
		if a.Choices != nil {
			a.Set(&c, a.Max)
		}
		switch a.Name {
		case "client-jumps":
			c = with(t, c, "deadline 4")
		case "queue":
			c.Servers = 1
		}
		without := c
		a.Set(&without, 0)
		core := mustNew(t, without, Options{}).Layout.Bits()
		if bits := mustNew(t, c, Options{}).Layout.Bits(); bits <= core {
			t.Errorf("%s takes no bits", a.Name)
		}
	}
}

func TestAxesThatCannotBe(t *testing.T) {
	for _, row := range []struct {
		servers, ticks int
		axes           []string
		want           string
	}{
		{1, 30, []string{"restart-delay 4"}, "restart-delay 4: it has no effect without restarts"},
		{1, 30, []string{"restart-forgets counter"}, "restart-forgets counter: it has no effect without restarts"},
		{1, 30, []string{"expiry never", "clock-jumps 2"}, "clock-jumps 2: it has no effect where no server's clock ends a lease"},
		{1, 30, []string{"expiry never", "lock-delay 2"}, "lock-delay 2: it has no effect where no server's clock ends a lease"},
		{3, 30, []string{"expiry observed"}, "expiry observed: contenders watch one record; ask for 1 server"},
		{1, 30, []string{"lock none", "expiry absolute"}, "expiry absolute: it has no effect without a lock"},
		{1, 30, []string{"client-jumps 2"}, "client-jumps 2: it has no effect where no client goes by its own clock; ask for expiry observed or absolute, or for a deadline"},
		{1, 30, []string{"duplicates 1"}, "duplicates 1: it is delayed writes that are sent again; ask for delayed-writes too"},
		{1, 30, []string{"serial on", "token none"}, "serial on: without a token there is nothing to count within"},
		{3, 30, []string{"queue judged"}, "queue judged: there is one queue; ask for 1 server"},
		{1, 30, []string{"renewal own", "expiry never"}, "renewal own: it has no effect where no lease runs out"},
		{1, 30, []string{"renewal own", "queue judged"}, "renewal own: a session that is kept alive does not run out in the queue; leave one of the two out"},
		{1, 30, []string{"lost-requests 2"}, "lost-requests 2: it has no effect with one server, which is reached or not asked at all; ask for more servers"},
		{3, NoBound, []string{"lost-requests 2"}, "lost-requests 2: with unlimited ticks the servers' counters would never stop growing; ask for a number of ticks"},
		{25, 3, []string{"lost-requests 25"}, "lost-requests 25: of 25 servers a request could reach more than 10000 sets; take fewer servers or fewer lost requests"},
		{64, 3, []string{"lost-requests 63"}, "lost-requests 63: of 64 servers a request could reach more than 10000 sets; take fewer servers or fewer lost requests"},
		{5, 12, []string{"lost-requests 5", "restarts 1", "restart-forgets counter", "restart-delay 4", "lost-replies 2"}, ""},
	} {
		cfg := DefaultConfig()
		cfg.Servers, cfg.Ticks = row.servers, row.ticks
		cfg = with(t, cfg, row.axes...)
		if err := cfg.Validate(); (err == nil) != (row.want == "") || err != nil && err.Error() != row.want {
			t.Errorf("%v: %v, want %s", row.axes, err, row.want)
		}
	}
}

// TestSoundReductions: what an axis rules out.
func TestSoundReductions(t *testing.T) {
	for _, row := range []struct {
		servers int
		axis    string
		want    string
	}{
		{3, "crashes 1", "time clients dead tokens servers"},
		{3, "lost-replies 1", "time clients dead tokens servers"},
		{3, "restarts 1", "time clients dead servers"},
		{1, "restarts 1", "time clients dead tokens servers"},
		{3, "clock-jumps 1", "time clients dead servers"},
		{3, "lost-requests 1", "clients dead servers"},
	} {
		cfg := DefaultConfig()
		cfg.Servers = row.servers
		cfg = with(t, cfg, row.axis)
		if got := strings.Join(cfg.Sound(AllReductions()).Names(), " "); got != row.want {
			t.Errorf("%d servers, %s: %s, want %s", row.servers, row.axis, got, row.want)
		}
	}
}

func TestSubsets(t *testing.T) {
	for _, row := range []struct {
		set  uint64
		most int
		want int
	}{{0b111, 0, 1}, {0b111, 1, 4}, {0b111, 2, 7}, {0b111, 3, 8}, {0b10101, 9, 8}, {0, 2, 1}} {
		seen := map[uint64]bool{}
		subsets(row.set, row.most, func(s uint64) {
			if s&^row.set != 0 || seen[s] {
				t.Errorf("%b of %b", s, row.set)
			}
			seen[s] = true
		})
		if len(seen) != row.want {
			t.Errorf("%b, at most %d: %d subsets, want %d", row.set, row.most, len(seen), row.want)
		}
	}
}
