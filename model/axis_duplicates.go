package model

// ArriveTwice is a delayed write that arrives, and a copy of it is still under way:
// a request that was sent again.
var ArriveTwice = NewFault("arrive-twice")

// Duplicates is how many copies of writes can arrive.
func (c *Config) Duplicates() int { return valueOf(c, "duplicates") }

// Delays says whether a write can be under way.
func (c *Config) Delays() bool { return valueOf(c, "delayed-writes") > 0 }

var _ = NewAxis(Axis{
	Name: "duplicates", Max: 63,
	Doc: "so many copies of delayed writes arrive as well, each at any later time",
	Conflict: func(c *Config) string {
		if valueOf(c, "delayed-writes") == 0 {
			return "it is delayed writes that are sent again; ask for delayed-writes too"
		}
		return ""
	},
})
