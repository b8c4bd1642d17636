package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "guarded",
		Doc:  "accepts a write in the same transaction as the question whether its writer holds the lock",
		New:  func(w *World, _ *Layout) Store { return guarded{plain{w}} },
	})
}

// guarded is data that lives where the lock lives: etcd's txn guarded by the
// create revision of the lock key, ZooKeeper's multi with a check, Consul's
// check-session, data in the same SQL transaction as an advisory lock.
type guarded struct{ plain }

func (g guarded) Write(s State, r Request) bool {
	if !g.w.Holds(s, r.Client) || g.w.clients.cut[r.Client].Get(s) != 0 {
		return false
	}
	// The guard is the record of the very grant that the request belongs to,
	// which matters to requests that are late.
	return g.w.flights == nil || r.Token == g.w.servers.newest(s, r.Client)
}
