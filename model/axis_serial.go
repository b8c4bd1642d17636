package model

// A serial number within a token refuses what was repeated, or overtaken by a later
// request of the same holder (qjournal Journal.java; Kafka KIP-890 reaches the
// same with an epoch for each transaction).
var _ = NewAxis(Axis{
	Name:    "serial",
	Doc:     "whether the store refuses a write whose serial number within its token is not larger than that of the last it accepted",
	Choices: []string{"off", "on"},
	Needs:   Needs{Tokens: true, TokenVars: 1},
	Conflict: func(c *Config) string {
		if valueOf(c, "token") == tokenNone {
			return "without a token there is nothing to count within"
		}
		return ""
	},
})

// Serial says whether the store looks at serial numbers.
func (c *Config) Serial() bool { return valueOf(c, "serial") == 1 }

// serialized is a store that looks at serial numbers before it judges.
type serialized struct {
	Store
	token, serial Field // of the last write that was accepted
}

func newSerialized(w *World, l *Layout) *serialized {
	x := &serialized{Store: w.store}
	most := 0
	for _, p := range w.program {
		most = max(most, p.Count(OpWrite))
	}
	l.Global(&x.token, "serial.token", w.MaxToken(), Token)
	l.Global(&x.serial, "serial", most, Plain)
	return x
}

func (x *serialized) Judges() bool { return true }

// forget forgets the serial number with the fence.
func (x *serialized) forget(s State) bool {
	had := x.token.Get(s) != 0
	x.token.Set(s, 0)
	x.serial.Set(s, 0)
	if f, keeps := x.Store.(forgetful); keeps && f.forget(s) {
		had = true
	}
	return had
}

func (x *serialized) Write(s State, r Request) bool {
	if r.Token == x.token.Get(s) && r.Serial <= x.serial.Get(s) || !x.Store.Write(s, r) {
		return false
	}
	x.token.Set(s, r.Token)
	x.serial.Set(s, r.Serial)
	return true
}
