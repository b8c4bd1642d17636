package traces

import "dlcheck/model"

// World is a configuration as files have it: at the head of a trace, and of
// whatever else has to say which world it is about.
type World struct {
	Store    string `json:"store"`
	Clients  int    `json:"clients"`
	Servers  int    `json:"servers"`
	TTL      int    `json:"ttl"`
	Rounds   *int   `json:"rounds"` // null: no bound
	Pauses   int    `json:"pauses"`
	MaxPause *int   `json:"max_pause"` // null: no bound
	Ticks    *int   `json:"ticks"`     // null: no bound
	Program  string `json:"program"`
	// Programs, if it is there, has one for each client.
	Programs []string `json:"programs,omitempty"`
	// Axes has those that are on, as text.
	Axes map[string]string `json:"axes,omitempty"`
}

// WorldOf writes a configuration down.
func WorldOf(c *model.Config) World {
	w := World{
		Store: c.Store, Clients: c.Clients, Servers: c.Servers, TTL: c.TTL, Rounds: orNull(c.Rounds), Pauses: c.Pauses,
		MaxPause: orNull(c.MaxPause), Ticks: orNull(c.Ticks), Program: c.Program.String(), Axes: c.AxesOn(),
	}
	for _, p := range c.Programs {
		w.Programs = append(w.Programs, p.String())
	}
	return w
}

func orNull(n int) *int {
	if n == model.NoBound {
		return nil
	}
	return &n
}

// Config reads a world back. Its error is one line for the user.
func (w *World) Config() (model.Config, error) {
	cfg := model.DefaultConfig()
	cfg.Store, cfg.Clients, cfg.Servers, cfg.TTL = w.Store, w.Clients, w.Servers, w.TTL
	cfg.Rounds, cfg.Pauses, cfg.MaxPause, cfg.Ticks = model.NoBound, w.Pauses, model.NoBound, model.NoBound
	if w.Rounds != nil {
		cfg.Rounds = *w.Rounds
	}
	if w.MaxPause != nil {
		cfg.MaxPause = *w.MaxPause
	}
	if w.Ticks != nil {
		cfg.Ticks = *w.Ticks
	}
	var err error
	if cfg.Program, err = model.ParseProgram(w.Program); err != nil {
		return cfg, err
	}
	for _, text := range w.Programs {
		p, err := model.ParseProgram(text)
		if err != nil {
			return cfg, err
		}
		cfg.Programs = append(cfg.Programs, p)
	}
	for name, text := range w.Axes {
		a, err := model.FindAxis(name)
		if err != nil {
			return cfg, err
		}
		v, err := a.Parse(text)
		if err != nil {
			return cfg, err
		}
		a.Set(&cfg, v)
	}
	return cfg, cfg.Validate()
}
