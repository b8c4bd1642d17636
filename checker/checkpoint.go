package checker

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"dlcheck/explore"
	"dlcheck/explore/checkpoint"
	"dlcheck/model"
	"dlcheck/traces"
)

// Checkpoint is a folder in which the searches of a question are saved, so that
// whoever asks it again after an interruption, however it came, has the answer that
// an undisturbed run would have had.
//
// An answer takes several searches, some only because of what others have found.
// Each has a folder of its own, named by a digest of everything that decides what it
// sees. When the question is asked again the searches come up in the same order:
// those that had ended are loaded, the one that was interrupted goes on, the others
// are made. What is done with a finished graph, such as to look for the path that
// reads best, is done again.
//
// The document of the whole question is beside those folders. It says in words what
// was asked, and who asks something else is told where it differs.
type Checkpoint struct {
	folder *checkpoint.Folder
	every  time.Duration
	unlock func()
	warn   func(string)

	good    time.Time // when saving last went well
	failed  int       // how often it did not since
	trouble error     // the last time
}

// Keeping says how a checkpoint is kept.
type Keeping struct {
	Dir    string
	Resume bool
	// Every is how much time passes between two saves.
	Every time.Duration
	// By is the version of dlcheck that is asked: another one can have other rules.
	By string
	// Warn, if it is not nil, is told at once that a save has failed.
	Warn func(string)
}

// Reasons why there is no checkpoint to be had.
var (
	// ErrNoCheckpoint: there is none to resume.
	ErrNoCheckpoint = errors.New("there is no checkpoint in it")
	// ErrCheckpointThere: there is one already.
	ErrCheckpointThere = errors.New("there is a checkpoint in it already")
	// ErrNotEmpty: there is something else in the folder.
	ErrNotEmpty = errors.New("there are files in it that are none of a checkpoint")
)

// questionName is the document of the whole question.
const questionName = "question.json"

// askedOf is what that document says.
type askedOf struct {
	Dlcheck  string            `json:"dlcheck"`
	Begun    time.Time         `json:"begun"`
	Settings map[string]string `json:"settings"`
}

// settingsOf are the settings that decide what is searched. Memory, time, workers
// and what is written where are none.
func settingsOf(questions []Question) map[string]string {
	q := &questions[0]
	settings := map[string]string{
		"property": strings.Join(q.Properties, ","), "minimize": string(q.Minimize), "reduce": orNone(q.Reduce),
		"front": strconv.FormatBool(q.Front), "all-minimal": strconv.FormatBool(q.AllMinimal), "stats": strconv.FormatBool(q.Stats),
	}
	for _, name := range model.Fields() {
		settings[name] = q.Config.Get(name)
	}
	var stores []string
	for i := range questions {
		stores = append(stores, questions[i].Config.Store)
	}
	settings["store"] = strings.Join(stores, ",")
	for i, p := range q.Config.Programs {
		settings[fmt.Sprintf("program of client %s", traces.Name(i))] = p.String()
	}
	return settings
}

// OpenCheckpoint begins a checkpoint of these questions, one for each store, or opens
// the one that is there. It keeps other processes out of the folder until it is
// closed. The error is one line for the user.
func OpenCheckpoint(s Keeping, questions []Question) (*Checkpoint, error) {
	return openCheckpoint(checkpoint.OS{}, s, questions)
}

func openCheckpoint(disk checkpoint.FS, s Keeping, questions []Question) (c *Checkpoint, err error) {
	c = &Checkpoint{folder: checkpoint.At(disk, s.Dir), every: s.Every, warn: s.Warn}
	names, err := c.folder.Names()
	if err != nil {
		return nil, err
	}
	there := slices.Contains(names, questionName)
	switch {
	case s.Resume && !there:
		return nil, ErrNoCheckpoint
	case !s.Resume && there:
		return nil, ErrCheckpointThere
	case !there && slices.ContainsFunc(names, foreign):
		return nil, ErrNotEmpty
	}
	if err := c.folder.Make(); err != nil {
		return nil, err
	}
	unlock, err := c.folder.Lock()
	if err != nil {
		return nil, err
	}
	c.unlock = unlock
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	now := askedOf{s.By, time.Now().UTC().Truncate(time.Second), settingsOf(questions)}
	var then askedOf
	there, err = c.folder.Get(questionName, &then)
	switch {
	case err != nil:
		return nil, err
	case !s.Resume && there: // it came while we waited for the lock
		return nil, ErrCheckpointThere
	case !there:
		return c, c.folder.Put(questionName, now)
	}
	return c, c.same(&then, &now)
}

// foreign says of a file that it is not what a process leaves that ended before it
// had begun.
func foreign(name string) bool {
	return name != checkpoint.LockName && name != questionName+".tmp"
}

// same refuses a checkpoint of another question.
func (c *Checkpoint) same(then, now *askedOf) error {
	if then.Dlcheck != now.Dlcheck {
		return c.folder.Refuse(questionName, "resume with that, or begin anew in another folder",
			"it was written by dlcheck %s, which can have other rules than this one, %s", then.Dlcheck, now.Dlcheck)
	}
	var differ []string
	names := maps.Clone(then.Settings)
	maps.Copy(names, now.Settings)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, b := then.Settings[name], now.Settings[name]; a != b {
			differ = append(differ, fmt.Sprintf("%s is %s in it, and %s here", name, orNothing(a), orNothing(b)))
		}
	}
	if differ != nil {
		return c.folder.Refuse(questionName, "ask what was asked then, or choose another folder", "it is of another question: %s", strings.Join(differ, ", "))
	}
	return nil
}

func orNothing(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}

func orNone(r model.Reductions) string {
	if names := r.Names(); len(names) > 0 {
		return strings.Join(names, ",")
	}
	return "none"
}

// Close lets others into the folder.
func (c *Checkpoint) Close() { c.unlock() }

// saved is told how each save went.
func (c *Checkpoint) saved(err error) {
	if err == nil {
		c.good, c.failed, c.trouble = time.Now(), 0, nil
		return
	}
	c.failed++
	c.trouble = err
	if c.failed == 1 && c.warn != nil {
		c.warn(fmt.Sprintf("the checkpoint in %s could not be saved (%s); the search goes on, and saving is tried again", c.folder.Path, err))
	}
}

// Trouble says that the last checkpoint is older than it should be, and why, or "".
func (c *Checkpoint) Trouble() string {
	if c.trouble == nil {
		return ""
	}
	last := "nothing of this run is saved"
	if !c.good.IsZero() {
		last = "the last checkpoint is from " + c.good.UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	return fmt.Sprintf("%s: saving in %s failed %s since (%s)", last, c.folder.Path, grouped(uint64(c.failed), "time", "times"), c.trouble)
}

// searchOf is everything that decides what a search sees, beside its order and when
// it ends: what the product is that it walks.
type searchOf struct {
	Phase      string       `json:"phase"`
	World      traces.World `json:"world"`
	Reductions []string     `json:"reductions"`
	Layout     []string     `json:"layout"`
	Monitors   []string     `json:"monitors"`
	Faults     bool         `json:"faults"` // are what is slow
	Counted    bool         `json:"counted"`
	Bound      int          `json:"bound"`
	PastBound  int          `json:"past_bound"`
	MaxStates  uint64       `json:"max_states"`
}

// checkpoint is that of one search, or nil if none is wanted.
func (c *check) checkpoint(phase string, p *product, order explore.Order, until explore.Note) *explore.Checkpoint {
	k := c.q.Checkpoint
	if k == nil {
		return nil
	}
	w := p.world
	s := searchOf{
		Phase: phase, World: traces.WorldOf(&w.Config), Reductions: w.Reduce.Names(), Faults: p.faults, Counted: p.counters != nil,
		Bound: c.q.Config.Ticks, PastBound: pastBound, MaxStates: c.q.MaxStates,
	}
	for _, v := range w.Layout.Vars {
		text := fmt.Sprintf("%s 0..%d", v.Name, v.Max)
		for _, f := range v.Fields {
			word, bit := f.Place()
			text += fmt.Sprintf(" %d.%d", word, bit)
		}
		s.Layout = append(s.Layout, text)
	}
	for _, m := range p.monitors {
		s.Monitors = append(s.Monitors, fmt.Sprintf("%T", m))
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // names and numbers
	}
	digest := sha256.Sum256(fmt.Appendf(text, " %d %x", order, uint64(until)))
	name := fmt.Sprintf("%s-%s-%x", w.Config.Store, strings.ReplaceAll(phase, " ", "-"), digest[:6])
	return &explore.Checkpoint{
		Folder: k.folder.Sub(filepath.Base(name)), Every: k.every, Question: s, Saved: k.saved,
	}
}

// beside is what exploreTicks keeps beside a graph, as it is saved with it. What it
// says of the bound and counts replaces what was said before; histories are those
// that were met since.
type beside struct {
	Tick      int           `json:"tick"`
	AtBound   bool          `json:"at_bound"`
	Budget    uint64        `json:"budget"`
	Actions   []ActionCount `json:"actions,omitempty"`
	Degrees   []uint64      `json:"degrees,omitempty"`
	Histories []met         `json:"histories,omitempty"`
}

// met is a history that was judged.
type met struct {
	Key          []byte `json:"key"`
	Linearizable bool   `json:"linearizable"`
	Sections     bool   `json:"sections"`
}

// keep makes a checkpoint save what is kept beside a search of exploreTicks: the place
// with respect to the bound, and the states that it may come to past it; what its
// workers count; and the histories, if there are any, each of which porcupine judges
// once. The first cannot be told from a graph, and to make the others again would take
// every step again.
func (s *search) keep(k *explore.Checkpoint, all *histories) {
	if k == nil {
		return
	}
	counters := s.product.counters
	if all != nil {
		all.log = []string{}
	}
	k.Beside = func() []byte {
		b := beside{Tick: s.tick, AtBound: s.atBound, Budget: s.budget}
		if counters != nil {
			b.Actions, b.Degrees = counters.actions(), counters.degrees()
		}
		if all != nil {
			for _, key := range all.log {
				j := all.met[key]
				b.Histories = append(b.Histories, met{[]byte(key), j.linearizable, j.sections})
			}
			all.log = []string{}
		}
		text, err := json.Marshal(b)
		if err != nil {
			panic(err) // names and numbers
		}
		return text
	}
	k.Restore = func(text []byte) error {
		var b beside
		if err := json.Unmarshal(text, &b); err != nil {
			return err
		}
		s.tick, s.atBound, s.budget = b.Tick, b.AtBound, b.Budget
		if counters != nil {
			if err := counters.restore(b.Actions, b.Degrees); err != nil {
				return err
			}
		}
		for _, m := range b.Histories {
			if all == nil {
				return errors.New("histories, which this search does not judge")
			}
			all.add(string(m.Key), judged{m.Linearizable, m.Sections})
		}
		return nil
	}
}
