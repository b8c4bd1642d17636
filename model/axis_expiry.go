package model

// The expiry says how a lease ends.
var _ = NewAxis(Axis{
	Name:    "expiry",
	Doc:     "who ends a lease that is not released: the server's clock (server), or nobody (never), as with flock",
	Choices: []string{"server", "never"},
})

const (
	expiryServer = iota
	expiryNever
)

func withoutExpiry(c *Config) string {
	if c.Endless() {
		return "it has no effect where no lease runs out"
	}
	return ""
}

// Endless says whether a lease lasts until it is released.
func (c *Config) Endless() bool { return valueOf(c, "expiry") == expiryNever }

// LeaseScale is the scale of a variable that has what is left of a lease.
func (w *World) LeaseScale() Scale {
	if w.Config.Endless() {
		return Plain // the clock leaves it alone
	}
	return Countdown
}
