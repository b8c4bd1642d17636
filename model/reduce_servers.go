package model

import "slices"

// Where servers differ, their names do not matter: no rule knows a server from
// another, no client remembers one, and what a client holds is written at the
// servers. So a state is a bag of servers' records that name clients, beside
// clients' records that name nobody, and its orbit is all that any order of the
// one together with any order of the other makes of it.
//
// The form that stands for an orbit is the least, in this order of importance:
//
//  1. clients sorted by their records,
//  2. clients with equal records sorted by a mark, which says how servers name
//     them and does not depend on anybody's name,
//  3. servers sorted by their records, with the clients' new names in them.
//
// Given an order of clients, the third is a sort. What is left is the order of
// clients that neither record nor mark tells apart: the least of all is taken.
// Mostly there is nothing to try, since two such clients are twins: to exchange
// them leaves the bag as it is. Of twins one order stands for all. (Ip and Dill,
// "Better verification through symmetry", 1996, for states under two sorts of
// names; Bošnački, Dams and Holenderski, "Symmetric Spin", 2002, for sorting first
// and permuting only what the sort leaves equal.)
//
// A mark is a sum of hashes. Should two collide that ought to differ, there is
// more to try, and nothing is lost. In walks and searches of worlds with 3 to 16
// clients, 3 to 15 servers and six mixtures of faults, 14 million states, there was
// never anything to try but twins; states that are made up have it, and tests make
// them up. The orders to try are factorial in the clients that are left.

// serverRecords are the places of what servers have.
type serverRecords struct {
	n     int
	plain [][]column // what names no client, in parts of one word
	refs  []column   // what does, in one word with the rank of the rest
	width uint8      // bits of a reference
}

// column is a variable of every server, and its place in a part of the record.
type column struct {
	at    []Field
	shift uint8
}

// rankShift is where, in the key of a server, the rank of its plain parts lies;
// below it are references.
const rankShift = 57

func newServerRecords(l *Layout) *serverRecords {
	r := &serverRecords{n: l.Servers}
	used := 64
	for _, v := range l.Vars {
		if v.Bits == 0 {
			continue
		}
		if v.Scale == ClientRef {
			if !v.PerServer {
				panic("model: " + v.Name + " names a client, and is no part of a server's record")
			}
			r.width = uint8(v.Bits) // of each: as many as there are clients
			r.refs = append(r.refs, column{v.Fields, uint8(len(r.refs) * v.Bits)})
			if len(r.refs)*v.Bits > rankShift {
				panic("model: a server names too many clients")
			}
			continue
		}
		if !v.PerServer {
			continue
		}
		if used += v.Bits; used > 64 {
			r.plain, used = append(r.plain, nil), v.Bits
		}
		part := &r.plain[len(r.plain)-1]
		*part = append(*part, column{v.Fields, uint8(used - v.Bits)})
	}
	return r
}

// bag is the servers of one state, in an order that is still open.
type bag struct {
	r *serverRecords
	// keys has for each server what it is compared by: the rank of what names no
	// client, above the clients that it names.
	keys [MaxServers]uint64
	// named has a bit for each client that some server names.
	named uint32
	least leastOrder
}

// take reads the servers of a state.
func (b *bag) take(r *serverRecords, s State) {
	b.r = r
	var order [MaxServers]uint8
	for i := range r.n {
		order[i] = uint8(i)
	}
	for _, part := range r.plain {
		var value [MaxServers]uint64
		for _, col := range part {
			for i, f := range col.at {
				value[i] |= f.get64(s) << col.shift
			}
		}
		// By what was compared before, then by this part.
		before := func(x, y uint8) bool {
			if b.keys[x] != b.keys[y] {
				return b.keys[x] < b.keys[y]
			}
			return value[x] < value[y]
		}
		for i := 1; i < r.n; i++ {
			for j := i; j > 0 && before(order[j], order[j-1]); j-- {
				order[j], order[j-1] = order[j-1], order[j]
			}
		}
		var ranks [MaxServers]uint64
		for i := 1; i < r.n; i++ {
			ranks[order[i]] = ranks[order[i-1]]
			if before(order[i-1], order[i]) {
				ranks[order[i]]++
			}
		}
		b.keys = ranks
	}
	for i := range r.n {
		b.keys[i] <<= rankShift
		for _, col := range r.refs {
			c := col.at[i].get64(s)
			b.keys[i] |= c << col.shift
			b.named |= 1 << c
		}
	}
	b.named >>= 1 // 0 is nobody
}

// refMask has the bits of a reference.
func (r *serverRecords) refMask() uint64 { return 1<<r.width - 1 }

// marks says of each client how servers name it.
func (b *bag) marks(marks *[MaxClients]uint64) {
	mask := b.r.refMask()
	for _, key := range b.keys[:b.r.n] {
		for _, col := range b.r.refs {
			c := key >> col.shift & mask
			if c == 0 {
				continue
			}
			// What it looks like from that client: itself, another, nobody.
			seen := key>>rankShift<<8 | uint64(col.shift)
			for _, other := range b.r.refs {
				seen *= 3
				switch key >> other.shift & mask {
				case 0:
				case c:
					seen++
				default:
					seen += 2
				}
			}
			seen = (seen + 1) * 0x9e3779b97f4a7c15
			marks[c-1] += seen ^ seen>>29
		}
	}
}

// renamed is a key with other names of clients, by old name.
func (b *bag) renamed(key uint64, names *[MaxClients]uint8) uint64 {
	mask := b.r.refMask()
	out := key >> rankShift << rankShift
	for _, col := range b.r.refs {
		if c := key >> col.shift & mask; c != 0 {
			out |= uint64(names[c-1]+1) << col.shift
		}
	}
	return out
}

// sorted has the keys under other names, the least first, and which server's
// each is.
func (b *bag) sorted(names *[MaxClients]uint8, keys *[MaxServers]uint64, servers *[MaxServers]uint8) {
	for i := range b.r.n {
		key, j := b.renamed(b.keys[i], names), i
		for ; j > 0 && key < keys[j-1]; j-- {
			keys[j], servers[j] = keys[j-1], servers[j-1]
		}
		keys[j], servers[j] = key, uint8(i)
	}
}

// twins says whether exchanging two clients leaves the bag as it is.
func (b *bag) twins(x, y uint8) bool {
	if b.named>>x&1 == 0 && b.named>>y&1 == 0 {
		return true
	}
	var names [MaxClients]uint8
	for c := range names {
		names[c] = uint8(c)
	}
	var now, then [MaxServers]uint64
	var servers [MaxServers]uint8
	b.sorted(&names, &now, &servers)
	names[x], names[y] = y, x
	b.sorted(&names, &then, &servers)
	return now == then
}

// leastOrder is the search for the order of clients with the least bag.
type leastOrder struct {
	order  [MaxClients]uint8 // whose record comes to each place
	best   [MaxClients]uint8
	keys   [MaxServers]uint64 // under best
	found  bool
	open   int               // how many places are to be filled
	places [MaxClients]uint8 // which
	until  [MaxClients]uint8 // by index of places: where those that are alike end
	twin   [MaxClients]uint8 // by client: the first of its twins
}

// arrangeBoth puts clients and servers in order.
func (w *World) arrangeBoth(s State, order *[MaxClients]uint8) {
	var b bag
	b.take(w.canon.servers, s)
	sorted := true
	if len(w.canon.classes) > 0 {
		var marks [MaxClients]uint64
		b.marks(&marks)
		sorted = w.sortClients(s, &marks, order)
		if b.ties(w, s, &marks, order) {
			b.try(0)
			*order, sorted = b.least.best, false
		}
	}
	if !sorted {
		w.moveClients(s, order)
	}
	var names [MaxClients]uint8
	for i := range w.Config.Clients {
		names[order[i]] = uint8(i)
	}
	b.arrange(s, &names)
}

// ties collects the clients of which it is open who comes first, and says whether
// there are any.
func (b *bag) ties(w *World, s State, marks *[MaxClients]uint64, order *[MaxClients]uint8) bool {
	l := &b.least
	for _, places := range w.canon.classes {
		for from := 0; from < len(places); {
			to := from + 1
			first := order[places[from]]
			for to < len(places) && !w.less(s, marks, int(first), int(order[places[to]])) {
				to++
			}
			alike := true // they are all twins
			for i := from; i < to; i++ {
				c := order[places[i]]
				l.twin[c] = c
				for j := from; j < i && l.twin[c] == c; j++ {
					if d := order[places[j]]; l.twin[d] == d && b.twins(c, d) {
						l.twin[c] = d
					}
				}
				alike = alike && l.twin[c] == first
			}
			if !alike {
				until := l.open + to - from
				for _, place := range places[from:to] {
					l.places[l.open], l.until[l.open] = place, uint8(until)
					l.open++
				}
			}
			from = to
		}
	}
	l.order = *order
	return l.open > 0
}

// try fills the places from the i-th on in every way that can make a difference,
// and keeps the order under which the bag is least.
func (b *bag) try(i int) {
	l := &b.least
	if i == l.open {
		b.compare()
		return
	}
	var tried uint32
	here := l.places[i]
	for j := i; j < int(l.until[i]); j++ {
		there := l.places[j]
		if tried>>l.twin[l.order[there]]&1 != 0 {
			continue
		}
		tried |= 1 << l.twin[l.order[there]]
		l.order[here], l.order[there] = l.order[there], l.order[here]
		b.try(i + 1)
		l.order[here], l.order[there] = l.order[there], l.order[here]
	}
}

// compare keeps the order of clients if no other has had a smaller bag.
func (b *bag) compare() {
	l := &b.least
	var names [MaxClients]uint8
	for i, c := range l.order {
		names[c] = uint8(i)
	}
	var keys [MaxServers]uint64
	var servers [MaxServers]uint8
	b.sorted(&names, &keys, &servers)
	if !l.found || slices.Compare(keys[:b.r.n], l.keys[:b.r.n]) < 0 {
		l.found, l.best, l.keys = true, l.order, keys
	}
}

// arrange writes the servers into the state in their order, and clients under
// their new names.
func (b *bag) arrange(s State, names *[MaxClients]uint8) {
	var keys [MaxServers]uint64
	var servers [MaxServers]uint8
	b.sorted(names, &keys, &servers)
	r := b.r
	for _, part := range r.plain {
		for _, col := range part {
			var old [MaxServers]uint64
			for i, f := range col.at {
				old[i] = f.get64(s)
			}
			for i, f := range col.at {
				f.set64(s, old[servers[i]])
			}
		}
	}
	for _, col := range r.refs {
		for i, f := range col.at {
			f.set64(s, keys[i]>>col.shift&r.refMask())
		}
	}
}
