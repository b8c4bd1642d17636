package model

import "testing"

func TestSettings(t *testing.T) {
	for _, name := range Fields() {
		c := DefaultConfig()
		before := c.Get(name)
		if err := c.Set(Setting{name, before}); err != nil || c.Get(name) != before {
			t.Errorf("%s: %v; %q became %q", name, err, before, c.Get(name))
		}
	}
	c, d := DefaultConfig(), DefaultConfig()
	for _, s := range []Setting{{"ttl", "7"}, {"ticks", "unlimited"}, {"release", "blind"}, {"store", "claimed"}} {
		if err := d.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	got := c.Differences(&d)
	want := []Setting{{"store", "claimed"}, {"ticks", "unlimited"}, {"ttl", "7"}, {"release", "blind"}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	for _, row := range []struct {
		s    Setting
		want string
	}{
		{Setting{"ttl", "ten"}, `ttl "ten" is not a whole number`},
		{Setting{"ttl", "-1"}, `ttl -1 is not within 1 to 1000000000 (a lease of 0 ticks would be over before it began)`},
		{Setting{"ticks", "-1"}, `ticks "-1" is negative; the word for no bound is unlimited`},
		{Setting{"release", "never ever"}, `release "never ever" is none of compare, blind, never`},
		{Setting{"tll", "3"}, `there is no field "tll"`},
	} {
		c := DefaultConfig()
		err := c.Set(row.s)
		if err == nil {
			err = c.Validate()
		}
		if err == nil || err.Error() != row.want {
			t.Errorf("%v: %v, want %s", row.s, err, row.want)
		}
	}
}
