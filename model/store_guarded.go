package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "guarded",
		Doc:  "accepts a write in the same transaction as the question whether its writer holds the lock",
		New: func(w *World, _ *Layout) Store {
			if w.axis("delayed-writes") > 0 {
				w.needs.Grants = true
				w.needs.grantIDs = true
			}
			return guarded{plain{w}}
		},
	})
}

// guarded is data that lives where the lock lives: etcd's txn guarded by the
// create revision of the lock key, ZooKeeper's multi with a check, Consul's
// check-session, data in the same SQL transaction as an advisory lock.
type guarded struct{ plain }

func (g guarded) Write(s State, r Request) bool {
	if g.w.flights == nil {
		return g.w.Holds(s, r.Client)
	}
	// A late write may belong to an earlier grant than that by which its client
	// holds the lock now: the record says which one it is of.
	return g.w.servers.holdsGrant(s, r.Client, r.Grant)
}
