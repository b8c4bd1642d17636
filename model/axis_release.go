package model

// release says what a client deletes when it is done. Compare is a script that
// compares and deletes in one step; blind is a bare DEL, which deletes the next
// holder's lock (redis-py #415, ShedLock #74).
var release = NewAxis(Axis{
	Name:     "release",
	Doc:      "what a release frees: only what is still mine (compare), whatever is there (blind), or nothing (never)",
	Choices:  []string{"compare", "blind", "never"},
	Forgets:  func(v int) bool { return v == releaseBlind },
	Conflict: withoutLock,
})

// Releases says whether a client that is done gives its lease up at all.
func (c *Config) Releases() bool { return valueOf(c, "release") != releaseNever }

const (
	releaseCompare = iota
	releaseBlind
	releaseNever
)
