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

func (g guarded) Write(s State, c, _ int) bool { return g.w.Holds(s, c) }
