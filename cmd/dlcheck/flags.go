package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dlcheck/checker"
	"dlcheck/checker/systems"
	"dlcheck/model"
)

// options is what the flags of the check say.
type options struct {
	systemName      string          // of --system
	configFile      string          // of --config
	system          *systems.System // what they say together; nil if neither is given
	config          model.Config    // of every store asked for; its Store is set per run
	stores          []string
	properties      []string
	minimize        checker.Measure
	front           bool
	allMinimal      bool
	list            int
	reduce          model.Reductions
	workers         int
	maxBytes        int64
	disk            string
	timeLimit       time.Duration
	checkpoint      string
	checkpointEvery time.Duration
	resume          bool
	traceDir        string
	certificate     string
	json            bool
	quiet           bool
	stats           bool
	profile         string
	version         bool
}

// flagGroup is a part of the flags under a heading of its own.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// addFlags declares the flags of the check. Help, the man page, completion
// and the defaults all come from here.
func (c *command) addFlags(cmd *cobra.Command) {
	o := &c.options
	*o = options{
		config: model.DefaultConfig(), stores: []string{"plain", "fenced", "claimed"}, properties: []string{"all"},
		minimize: checker.Steps, list: 20, reduce: model.AllReductions(), checkpointEvery: time.Minute,
	}
	group := func(title string) *pflag.FlagSet {
		fs := pflag.NewFlagSet(title, pflag.ContinueOnError)
		fs.SortFlags = false
		c.flagGroups = append(c.flagGroups, flagGroup{title, fs})
		return fs
	}
	w := &o.config
	fs := group("The world")
	fs.Var(systemName(&o.systemName), "system", "a lock system that people run, with its rules and its store; flags win over it; see dlcheck systems")
	fs.Var(configFile(&o.configFile), "config", "a file that describes a system, or changes one; flags win over it; see dlcheck systems NAME --yaml")
	fs.Var(names(&o.stores, findStore), "store", "what the lock protects; repeatable; see dlcheck stores")
	fs.Var(ofWorld(&w.Clients), "clients", "how many clients share the store")
	fs.Var(orUnlimited(&w.Ticks, 0), "ticks", "how far the clock may go; where the clock is no part of a state, as is usual, the search goes on a little to learn whether the bound matters")
	fs.Var(ofWorld(&w.TTL), "ttl", "length of a lease in ticks")
	fs.Var(ofWorld(&w.Servers), "servers", "lock servers; a grant needs a majority. Without faults every request reaches every server, so servers never disagree, and the number changes no verdict")
	fs.Var(orUnlimited(&w.Rounds, 1), "rounds", "how often each client runs its program; where the set closes without a bound, what holds is true of any number of rounds")
	fs.Var(ofWorld(&w.Pauses), "pauses", "pauses of one client in one round")
	fs.Var(orUnlimited(&w.MaxPause, 1), "max-pause", "longest pause in ticks")
	fs.Var(parsed("STEPS", &w.Program, func() string { return w.Program.String() }, model.ParseProgram), "program",
		`what a client does in a round: acquire, then any of check, claim, read, write and "work N", then release; "read 2" is of a second object`)

	for g, heading := range axisHeadings {
		fs = group(heading)
		for _, a := range axesOf(axisGroup(g)) {
			fs.Var(fault(w, a), a.Name, a.Doc)
		}
	}

	fs = group("The question")
	fs.Var(names(&o.properties, findProperty), "property", "what is asked: names, or the groups seed (what the classic lesson checks) and all; repeatable; see dlcheck properties")
	fs.Var(oneOf(&o.minimize, measures...), "minimize", "what a shortest counterexample has fewest of; ticks of the clock are steps and no events, and a pause counts as a fault")
	fs.BoolVar(&o.front, "front", false, "of each violated property also tell the front: every number of ticks and events that no other counterexample beats in both")
	fs.BoolVar(&o.allMinimal, "all-minimal", false, "of each violated property count every shortest counterexample, up to the names of clients, and tell their stories: those that differ only in the order of independent neighbouring actions are one")
	fs.Var(number(&o.list, 0), "list", "with --all-minimal: how many stories of a property are told; all are counted")

	fs = group("The search")
	fs.Var(reductions(&o.reduce), "reduce", "which differences between states are left out: all that are exact in this world (auto), none, or a list of "+strings.Join(model.AllReductions().Names(), ", ")+"; see dlcheck reductions")
	fs.Var(workerCount(&o.workers), "workers", "how many search at once; 0 is one per processor; the answer is the same for every number")
	fs.Var(size(&o.maxBytes), "memory", "memory for the states of one store, such as 2GiB; when it is used up, what is left to say is incomplete; 0 is three quarters of what the machine or the container has")
	fs.Var(directory(&o.disk), "disk", "keep the states in files in DIR, which is made if missing, so that there can be more of them than fit into memory; --memory is then for the buffers. The files have no names, and their room is free again when dlcheck ends, however it ends. Not with --checkpoint, nor with --certificate")
	fs.Var(duration(&o.timeLimit), "time-limit", "time for all stores together, such as 10m; when it is over, what is left to say is incomplete; 0 is no bound")

	fs.Var(directory(&o.checkpoint), "checkpoint", "save every search in DIR as it goes, so that --resume can go on with it after an interrupt, a kill, a crash or a lack of memory; DIR is made if missing, and has to be empty. Not with --disk")
	fs.BoolVar(&o.resume, "resume", false, "go on with what --checkpoint has saved of this very question; the answer is that of a run without an interruption. Workers, memory, time and output may be others, and --stats may not")
	fs.Var(interval(&o.checkpointEvery), "checkpoint-every", "how much time passes between two saves, such as 10m; 0 saves wherever a search can be saved")

	fs = group("Output")
	fs.BoolVar(&o.json, "json", false, "print a report in JSON; its schema: dlcheck schema report")
	fs.Var(directory(&o.traceDir), "trace-dir", "write each counterexample to DIR/STORE-PROPERTY.json and .txt; DIR is made if missing, and a file of that name goes when this run has no counterexample for it")
	fs.Var(file(&o.certificate), "certificate", "of one store: write all its states to FILE, so that dlcheck verify can check without a search that the properties judged step by step hold; nothing is written if one is violated or the search was cut short")
	fs.BoolVar(&o.stats, "stats", false, "also say what the search saw: actions by kind and answer, and those never taken, states by ticks, bits of a state by variable")
	fs.Var(directory(&o.profile), "profile", "write where processor time and memory went to DIR/cpu.pprof and DIR/heap.pprof, for go tool pprof; DIR is made if missing")
	fs.BoolVar(&o.quiet, "quiet", false, "one line per store and property, no stories, no progress")
	fs.BoolVar(&o.version, "version", false, "print the version and end")
	fs.BoolP("help", "h", false, rootHelpUsage)

	cmd.Flags().SortFlags = false
	for _, g := range c.flagGroups {
		cmd.Flags().AddFlagSet(g.flags)
	}
	addFlagCompletions(cmd)
}

// rootHelpUsage tells the --help that is declared here from those that cobra
// adds to each subcommand.
const rootHelpUsage = "print this help and end"

var measures = []string{string(checker.Steps), string(checker.Ticks), string(checker.Events), string(checker.Faults)}

func findStore(name string) error {
	if _, err := model.Stores.Find(name); err != nil {
		return errors.New(err.Error() + didYouMean(name, model.Stores.Names()))
	}
	return nil
}

func findProperty(name string) error {
	if _, err := checker.Expand([]string{name}); err != nil {
		return errors.New(err.Error() + didYouMean(name, propertyNames()))
	}
	return nil
}

// propertyNames lists the groups and the properties.
func propertyNames() []string {
	names := []string{"seed", "all"}
	for _, p := range checker.Properties() {
		names = append(names, p.Name)
	}
	return names
}
