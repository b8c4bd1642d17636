package checker

import (
	"fmt"
	"slices"
)

// remark warns of verdicts that say less than they seem to.
func (c *check) remark(s *search) {
	if d, ttl := c.q.Config.Deadline(), c.q.Config.TTL; d > ttl && !c.q.Config.Endless() && !c.q.Config.Lapses() {
		c.run.Notes = append(c.run.Notes, fmt.Sprintf("the deadline is %d and the ttl %d: a client that goes by its own clock goes on when its lease is over", d, ttl))
	}
	if !c.q.Config.Leases() && slices.ContainsFunc([]string{"lease-overlap", "mutual-exclusion", "fair-refusal"}, c.asked) {
		c.run.Notes = append(c.run.Notes, "there is no lock in this world: what is said of leases and of who holds the lock holds for want of any")
	}
	if _, ok := s.graph.Found(stopped); !ok && s.atBound && c.q.Config.Deadline() > 0 {
		c.run.Notes = append(c.run.Notes, fmt.Sprintf("no client is at work for so long that its deadline of %s stops it; give it more to do, as with \"work N\" in its program", grouped(uint64(c.q.Config.Deadline()), "tick", "ticks")))
	}
	if s.product.world.Judges() && !c.q.Config.HasTokens() {
		c.run.Notes = append(c.run.Notes, fmt.Sprintf("the store %s compares tokens, and a grant has none in this world: it refuses nobody for being late; ask for tokens with --token granted", c.q.Config.Store))
	}
	if c.asked("token-order") && !c.q.Config.HasTokens() {
		c.run.Notes = append(c.run.Notes, "a grant has no token in this world: token-order holds for want of any")
	}
	if !s.atBound {
		return
	}
	if _, ok := s.graph.Found(acceptedWrite); !ok {
		c.run.NoWrite = true
		c.run.Notes = append(c.run.Notes, "no write is ever accepted in this world: what holds of accepted writes holds for want of any")
	}
	ends := c.q.Config.Leases() && !c.q.Config.Observed() && !c.q.Config.Lapses() // in some tick
	if _, ok := s.graph.Found(expiredLease); !ok && ends && !c.q.Config.Forgets() {
		note := "no lease ever runs out in this world: nobody is ever late"
		if ticks, ttl := c.q.Config.Ticks, c.q.Config.TTL; !c.closed(s) && ticks < ttl {
			note = fmt.Sprintf("no lease runs out within %d ticks, since the ttl is %d: nobody is ever late; ask for more ticks or a shorter ttl", ticks, ttl)
		}
		c.run.Notes = append(c.run.Notes, note)
	}
}
