package model

// Options says how a world is written down and what is remembered beside it.
type Options struct {
	Reduce Reductions
	Needs  Needs
	// Claim is called with the open layout, so that an observer can claim
	// history variables of its own.
	Claim func(*World, *Layout)
	// Traced makes a world whose states note which variables a step used: see
	// World.Used.
	Traced bool
}

// Needs says which values an observer reads, so that a world without them
// can leave them out. Where dead values are kept, so are Tokens, Grants and
// Snapshots in any case.
type Needs struct {
	Tokens    bool // tokens, even when the store looks at none
	Grants    bool // true order of grants: which grant a client works under
	Snapshots bool // whether a client's snapshot is stale
	Versions  bool // which version of the content an operation read or made
	Leases    bool // who holds a majority by the record of grants
	// TokenVars is how many variables of scale Token the observer claims.
	TokenVars int
	// PerClient is how many variables of scale Token, and of scale Grant, it
	// claims for each client.
	PerClient int
	// grantIDs has each server keep the number of the grant that its lease is of.
	grantIDs bool
}

// Or is the need of both.
func (n Needs) Or(m Needs) Needs {
	return Needs{
		Tokens:    n.Tokens || m.Tokens,
		Grants:    n.Grants || m.Grants,
		Snapshots: n.Snapshots || m.Snapshots,
		Versions:  n.Versions || m.Versions,
		Leases:    n.Leases || m.Leases,
		TokenVars: n.TokenVars + m.TokenVars,
		PerClient: n.PerClient + m.PerClient,
		grantIDs:  n.grantIDs || m.grantIDs,
	}
}

// World is a transition system of clients, lock servers and a store. It does
// not change after New, and its methods can be used by many goroutines.
type World struct {
	Config Config
	Layout *Layout
	Reduce Reductions

	needs   Needs
	store   Store
	service Service
	servers *Majority  // what the service is made of
	program []Program  // by client
	live    []liveness // by client

	// what axes add; see Hooks
	nexts        []func(s State, out *Steps)
	alternatives []func(s State, c, at int, out *Steps)
	acquires     []func(s State, c int, out *Steps)
	expired      []func(n State, servers uint64)
	answers      []func(s State, c int, granted, reached uint64, out *Steps)
	waits        []func(s State, c, at int, out *Steps)
	idle         []func(s State, c int, out *Steps)
	began        []func(n State, c int)
	ticks        []func(n State)
	atEnd        [][]Field // what a client has that is done
	serials      [][]int   // client, program index -> place among its writes
	flights      *flights

	waitingClaimed bool
	deadline       int
	renewed        func(s State, c int) bool // client c has a task that renews its leases in time

	actors []func(s State, out *Steps)
	gates  []gate // by client
	stages int
	ready  Readiness

	now        Field
	clients    clients
	history    history
	countdowns []Field
	newTick    []Change
	canon      canon
}

// New assembles the world of a configuration. Its error is one line for the
// user; a *SizeError when the state would be too wide.
func New(cfg Config, opt Options) (*World, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	store, err := Stores.Find(cfg.Store)
	if err != nil {
		return nil, err
	}
	service, err := Services.Find(cfg.Service)
	if err != nil {
		return nil, err
	}
	w := &World{Config: cfg, Reduce: cfg.Sound(opt.Reduce), needs: opt.Needs}
	for c := range cfg.Clients {
		p := cfg.ProgramOf(c)
		w.program = append(w.program, p)
		w.live = append(w.live, p.liveness(cfg.Objects()))
		w.serials = append(w.serials, p.serials())
	}
	if !w.Reduce.Dead {
		w.needs = w.needs.Or(Needs{Tokens: true, Grants: true, Snapshots: true})
	}
	l := &Layout{Clients: cfg.Clients, Servers: cfg.Servers, traced: opt.Traced}
	if w.Reduce.Servers && cfg.InStep() {
		// Every acquire and every release reaches every server, so they never
		// differ: one copy stands for all of them.
		l.Servers = 1
	}
	w.Layout = l
	if !w.Reduce.Time && cfg.Ticks != NoBound {
		l.Global(&w.now, "now", cfg.Ticks, Plain)
	}
	for _, a := range axes {
		if a.On(&cfg) {
			w.needs = w.needs.Or(a.Needs)
		}
	}
	w.store = store.New(w, l)
	if w.axis("serial") != 0 {
		w.store = newSerialized(w, l)
	}
	w.needs.Tokens = w.needs.Tokens || w.store.Judges()
	w.clients.claim(w, l)
	if w.axis("delayed-writes") > 0 {
		w.flights = newFlights(w, l)
	}
	w.service = service.New(w, l)
	w.buildAxes(l)
	w.history.claim(w, l)
	if opt.Claim != nil {
		opt.Claim(w, l)
	}
	if err := l.seal(); err != nil {
		return nil, err
	}
	w.countdowns = l.byScale(Countdown)
	w.newTick = w.newTickOf()
	w.canon = newCanon(w)
	w.actors, w.stages = w.actorsOf(), w.Stages()
	w.gates = w.gatesOf()
	w.ready = w.readinessOf()
	return w, nil
}

// maxGrants bounds the number of grants that are told apart.
func (w *World) maxGrants() int {
	return w.bound(w.Config.Clients*(1+w.needs.PerClient) + w.grantIDs() + 2)
}

// MaxToken bounds the tokens that are told apart.
func (w *World) MaxToken() int {
	return w.bound(w.Config.Clients*(1+w.needs.PerClient) + w.Layout.Servers + w.fenceCount() + w.needs.TokenVars)
}

// grantIDs is how many variables of scale Grant servers and their clients have
// for what a lease is a lease of.
func (w *World) grantIDs() int {
	if !w.needs.grantIDs {
		return 0
	}
	return w.Layout.Servers + w.Config.Clients
}

// bound is how many numbers of one scale there can be: one per grant or,
// where only their order is kept, one per variable, and one that is new.
func (w *World) bound(vars int) int {
	grants := w.Config.inAllRounds(w.Config.Clients)
	grants += lostReplies.Of(&w.Config)
	if lostRequests.On(&w.Config) {
		// Attempts count too, one in each tick by each client.
		grants = w.Config.Clients * (w.Config.Ticks + 1)
	}
	if w.Reduce.Tokens {
		return min(grants, vars+1)
	}
	return grants
}

// KeepVersions is called by a store, when it is made, that compares versions
// of the content.
func (w *World) KeepVersions() { w.needs.Versions = true }

// Init is the initial state, in which every client is idle.
func (w *World) Init() State {
	s := make(State, w.Layout.Words())
	for c := range w.Config.Clients {
		rounds := w.Config.Rounds
		if rounds == NoBound {
			rounds = 1
		}
		w.clients.rounds[c].Set(s, rounds)
	}
	w.Settle(s)
	return s
}

// axis is the value of an axis in this world.
func (w *World) axis(name string) int { return valueOf(&w.Config, name) }

// Next appends every transition out of s: for each client its step and its
// pause, then what faults do by themselves, then the tick. States are as the rules
// make them; see Settle and Canonical for their reduced forms.
func (w *World) Next(s State, out *Steps) {
	for _, act := range w.actors {
		act(s, out)
	}
}
