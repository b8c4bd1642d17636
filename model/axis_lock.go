package model

// Without a lock an acquire only counts: it is how a Kafka producer or an HDFS
// name node gets its epoch (KIP-98; qjournal Journal.java), and how one begins
// who goes by conditional writes alone.
var _ = NewAxis(Axis{
	Name:    "lock",
	Doc:     "what an acquire gives: a lease and a token (lease), or a token only, to anyone at any time (none)",
	Choices: []string{"lease", "none"},
})

// Leases says whether there is a lock at all.
func (c *Config) Leases() bool { return valueOf(c, "lock") == 0 }

func withoutLock(c *Config) string {
	if !c.Leases() {
		return "it has no effect without a lock"
	}
	return ""
}
