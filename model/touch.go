package model

// Touch says what an action reads or changes beside what is its own client's.
type Touch uint8

// What clients share.
const (
	TouchesLock Touch = 1 << iota
	TouchesStore
)

// touches has the kinds of action that do not touch both. To touch too much is
// safe, so a kind that is not here needs no row: actions that touch the same are
// taken to depend on each other, and fewer schedules are taken for the same story.
var touches = map[Kind]Touch{
	// A client for itself. What it sends is the store's only when it arrives;
	// what it finds out by its own clock nobody is asked about. A crash or a
	// cut changes nothing that the lock service has.
	Pause: 0, Work: 0, Stop: 0, Send: 0, GiveUp: 0, Hear: 0, Cut: 0, Abandon: 0, Crash: 0,

	Acquire: TouchesLock, Attempt: TouchesLock, Unheard: TouchesLock, Late: TouchesLock, Adopt: TouchesLock,
	Enqueue: TouchesLock, Look: TouchesLock, Renew: TouchesLock, Recreate: TouchesLock, Check: TouchesLock,
	Release: TouchesLock, Lapse: TouchesLock, Restart: TouchesLock, Jump: TouchesLock,
	Gain: TouchesLock, // by that clock it may judge the lease of another

	Read: TouchesStore, Write: TouchesStore, Claim: TouchesStore, Arrive: TouchesStore, ArriveTwice: TouchesStore,
	Forget: TouchesStore,
}

// Touches says what actions of that kind touch in this world.
func (c *Config) Touches(k Kind) Touch {
	t, known := touches[k]
	switch {
	case !known:
		return TouchesLock | TouchesStore
	case c.Store == "guarded" && t == TouchesStore:
		t |= TouchesLock // such a store asks the lock
	case token.Of(c) == tokenLatest && (t == TouchesStore || k == Send):
		t |= TouchesLock // the token is fetched when it is shown
	}
	return t
}
