package checker

import (
	"slices"
	"strconv"

	"dlcheck/model"
)

// Cure is a change to a world that people make against a broken promise.
// Whether it helps is for the checker to say.
type Cure struct {
	Name     string
	Settings []model.Setting // those that change the world, in the order of model.Fields
	Doc      string          // one line
}

// cures are the candidates, in the order in which they are told. settings may
// list what a world has already.
var cures = []struct {
	name, doc string
	settings  func(*model.Config) []model.Setting
}{
	{"store fenced", "the store refuses a write with a smaller token than the highest accepted", rule("store", "fenced")},
	{"store strict", "the store accepts a token once", rule("store", "strict")},
	{"store claimed", "the store takes the token with the read too", rule("store", "claimed")},
	{"claim before reading", "a fenced store is told the token before the first read", func(c *model.Config) []model.Setting {
		if c.Store == "claimed" {
			return nil // it is told with the read
		}
		return append(rule("store", "fenced")(c), program(c, func(p model.Program) model.Program {
			if i := slices.IndexFunc(p, func(o model.Op) bool { return o.Base() == model.OpRead }); i >= 0 && !slices.ContainsFunc(p[:i], func(o model.Op) bool { return o.Base() == model.OpClaim }) {
				return slices.Insert(p, i, model.OpClaim)
			}
			return p
		})...)
	}},
	{"store guarded", "the store judges a write in one transaction with the lock's record", rule("store", "guarded")},
	{"store conditional", "the store accepts a write on the version that its writer has read", rule("store", "conditional")},
	{"check before writing", "a client asks whether it still holds the lock before each write", func(c *model.Config) []model.Setting {
		return program(c, func(p model.Program) model.Program {
			var out model.Program
			for i, o := range p {
				if o.Base() == model.OpWrite && p[i-1] != model.OpCheck {
					out = append(out, model.OpCheck)
				}
				out = append(out, o)
			}
			return out
		})
	}},
	{"keep the fence with the data", "the store's highest token survives a restart", against("fence-restarts", rule("fence-restarts", "0"))},
	{"serial numbers", "the store refuses a request that was repeated or overtaken by a later one of the same holder", against("delayed-writes", rule("serial", "on"))},
	{"adopt", "a client that finds itself named as the holder goes on as the holder", against("lost-replies", rule("adopt", "yes"))},
	{"renew only what is still mine", "the background task lets an expired lease go, and stops at the release", against("renewal", rule("renewal", "own"))},
	{"judge the session at the grant", "who is next in line is granted nothing if its session ran out", against("queue", rule("queue", "judged"))},
	{"deadline of a ttl", "a client stops when by its own clock its lease is over", against("late-answers", ticksOfTTL("deadline"))},
	{"restart-delay of a ttl", "a server that restarts grants nothing for a ttl", ticksOfTTL("restart-delay")},
	{"lock-delay of a ttl", "after a lease ran out the lock stays closed for a ttl", ticksOfTTL("lock-delay")},
}

func rule(field, value string) func(*model.Config) []model.Setting {
	return func(*model.Config) []model.Setting { return []model.Setting{{Field: field, Value: value}} }
}

// against is a cure only where an axis is on.
func against(axis string, settings func(*model.Config) []model.Setting) func(*model.Config) []model.Setting {
	return func(c *model.Config) []model.Setting {
		if a, err := model.FindAxis(axis); err != nil || !a.On(c) {
			return nil
		}
		return settings(c)
	}
}

func ticksOfTTL(axis string) func(*model.Config) []model.Setting {
	return func(c *model.Config) []model.Setting {
		return []model.Setting{{Field: axis, Value: strconv.Itoa(c.TTL)}}
	}
}

// program changes what all clients do; clients with programs of their own keep
// them.
func program(c *model.Config, change func(model.Program) model.Program) []model.Setting {
	p := change(slices.Clone(c.Program))
	if c.Programs != nil || slices.Equal(p, c.Program) {
		return nil
	}
	return []model.Setting{{Field: "program", Value: p.String()}}
}

// Cures lists the cures that apply to a world: those that change it into
// another that can be. A rule that is another than the core's has the core's
// as a cure.
func Cures(cfg *model.Config) (all []Cure) {
	add := func(name, doc string, settings []model.Setting) {
		c := Cure{Name: name, Doc: doc}
		cured, err := c.apply(cfg, settings)
		if err != nil || cured.Validate() != nil {
			return
		}
		if c.Settings = cfg.Differences(&cured); len(c.Settings) == 0 {
			return
		}
		if !slices.ContainsFunc(all, func(o Cure) bool { return slices.Equal(o.Settings, c.Settings) }) {
			all = append(all, c)
		}
	}
	for _, c := range cures {
		add(c.name, c.doc, c.settings(cfg))
	}
	for _, a := range model.Axes() {
		if a.Choices != nil && a.On(cfg) {
			add(a.Name+" "+a.Choices[0], a.Doc, []model.Setting{{Field: a.Name, Value: a.Choices[0]}})
		}
	}
	return all
}

// Apply gives the cured world.
func (c *Cure) Apply(cfg *model.Config) (model.Config, error) { return c.apply(cfg, c.Settings) }

func (c *Cure) apply(cfg *model.Config, settings []model.Setting) (model.Config, error) {
	cured := *cfg
	for _, s := range settings {
		if err := cured.Set(s); err != nil {
			return cured, err
		}
	}
	return cured, nil
}
