package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/script"
	"dlcheck/traces/yamlfile"
)

const runLong = `dlcheck run executes one schedule that someone wrote down, on the model that is explored, and prints
what happened: every action and answer, attempts to acquire that were denied, the record of grants,
what the audits say, and what the store is left with. NAME is a schedule that comes with dlcheck
(--list), FILE a YAML file, - the standard input. Times after --set are in ticks.

The exit status is 1 if the file expects another outcome than there is; what is violated as expected
is no failure. With --set or --store it is another schedule than the file describes: then nothing is
compared, and the status is 0.`

const runExamples = `  dlcheck run dlock
  dlcheck run dlock-unfenced --set ttl=10 --set pause=12
  dlcheck run lesson --format mermaid
  dlcheck run dlock --show > mine.yaml && dlcheck run mine.yaml`

// setting is a parameter with its value, as in --set ttl=10.
type setting struct {
	param string
	value int
}

func (s setting) String() string { return fmt.Sprintf("%s=%d", s.param, s.value) }

// settings is a flag that can be given several times.
func settings(p *[]setting) value {
	return value{"PARAM=N", func() string { return "" }, func(text string) error {
		param, number, ok := strings.Cut(text, "=")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if param = strings.TrimSpace(param); !ok || param == "" || err != nil {
			return errors.New("give a parameter and a whole number, such as ttl=10")
		}
		*p = append(*p, setting{param, n})
		return nil
	}}
}

// scheduled is a schedule as one call of dlcheck names it.
type scheduled struct {
	*script.Schedule
	arg     string // what the user gave
	data    []byte // the text of the file
	store   string // of --store, if it was given
	set     []setting
	changed bool // by --set or --store
}

// isFile says whether what was given for FILE|NAME is the name of a file.
func isFile(arg string) bool {
	if arg == "-" || strings.ContainsAny(arg, `/\`) || slices.Contains([]string{".yaml", ".yml"}, path.Ext(arg)) {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// loadSchedule reads a schedule and sets what is to be set.
func (c *command) loadSchedule(arg, store string, set []setting) (*scheduled, error) {
	s := &scheduled{arg: arg, store: store, set: set, changed: store != "" || len(set) > 0}
	if isFile(arg) {
		data, name, err := c.readInput(arg)
		if err != nil {
			return nil, err
		}
		if s.Schedule, err = script.Parse(name, data); err != nil {
			return nil, err
		}
		s.data = data
	} else {
		var err error
		if s.Schedule, s.data, err = script.Builtin(arg); err != nil {
			hint := didYouMean(arg, script.Builtins())
			return nil, fmt.Errorf("there is no schedule %q, and no such file; dlcheck run --list lists the schedules%s", arg, hint)
		}
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(path.Base(arg), path.Ext(arg))
	}
	if err := s.checkProperties(); err != nil {
		return nil, err
	}
	if store != "" {
		s.Config.Store = store
	}
	for _, p := range set {
		if err := s.Set(p.param, p.value); err != nil {
			return nil, fmt.Errorf("--set %s: %w", p, err)
		}
	}
	return s, nil
}

// checkProperties looks for properties in what the file expects that no run
// can show; package script does not know which there are.
func (s *scheduled) checkProperties() error {
	var can []string
	for _, p := range checker.Properties() {
		if p.InTrace {
			can = append(can, p.Name)
		}
	}
	var names []string
	for name := range s.Expect.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(can, name) {
			return &yamlfile.Error{File: s.file(), Line: yamlfile.LineOf(s.data, "$.expect.properties."+name),
				Reason: fmt.Sprintf("a run shows no property %q; it shows %s", name, strings.Join(can, ", "))}
		}
	}
	return nil
}

// file is what the file is called in errors.
func (s *scheduled) file() string {
	switch {
	case s.arg == "-":
		return "standard input"
	case isFile(s.arg):
		return s.arg
	}
	return s.arg + ".yaml"
}

// command is the call of dlcheck run for the schedule with more set.
func (s *scheduled) command(more ...setting) string {
	args := []string{"dlcheck run", quoted(s.arg)}
	if s.store != "" {
		args = append(args, "--store "+s.store)
	}
	for _, p := range slices.Concat(s.set, more) {
		args = append(args, "--set "+quoted(p.String()))
	}
	return strings.Join(args, " ")
}

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_./=,:+@%", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// run executes it. An error is one line for the user.
func (s *scheduled) run() (*script.Result, error) {
	r, err := s.Run()
	if err != nil {
		return nil, s.fault(err)
	}
	return r, nil
}

// fault says where in the file it is, if that can be said: of a pause that the
// model does not allow.
func (s *scheduled) fault(err error) error {
	line := 0
	var no *traces.NotAllowed
	if errors.As(err, &no) && no.Call.Kind == model.Pause {
		for k, p := range s.Clients[no.Call.Client].Pauses {
			if p.From == no.Tick {
				line = yamlfile.LineOf(s.data, fmt.Sprintf("$.clients[%d].pauses[%d]", no.Call.Client, k))
			}
		}
	}
	return &yamlfile.Error{File: s.file(), Line: line, Reason: err.Error()}
}

func (c *command) runCommand() *cobra.Command {
	format := "text"
	var set []setting
	var store []string
	var list, show bool
	cmd := &cobra.Command{
		Use:     "run FILE|NAME",
		Short:   "execute one schedule that someone wrote down and print what happened",
		Long:    runLong,
		Example: runExamples,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case list && len(args) > 0:
				return errors.New("--list lists all schedules and takes no FILE or NAME")
			case !list && len(args) != 1:
				return fmt.Errorf("run takes one FILE or NAME, and %d were given; dlcheck run --list lists the names", len(args))
			}
			return nil
		},
		ValidArgsFunction: scheduleArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			if list {
				return c.listSchedules()
			}
			over, err := oneStore(store)
			if err != nil {
				return err
			}
			s, err := c.loadSchedule(args[0], over, set)
			if err != nil {
				return err
			}
			if show {
				if s.changed || format != "text" {
					return errors.New("--show prints the file as it is, and takes no --set, --store or --format")
				}
				_, err := c.stdout.Write(s.data)
				return err
			}
			return c.runSchedule(s, format)
		},
	}
	var kinds []string
	for _, f := range traces.Formats() {
		kinds = append(kinds, f.Name)
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(names(&store, findStore), "store", "another store than the schedule has; see dlcheck stores")
	cmd.Flags().Var(settings(&set), "set", "another number than the schedule has, repeatable: "+script.ParamHelp)
	cmd.Flags().Var(oneOf(&format, kinds...), "format", "how to print it; dlcheck trace takes the json")
	cmd.Flags().BoolVar(&list, "list", false, "list the schedules that come with dlcheck")
	cmd.Flags().BoolVar(&show, "show", false, "print the YAML of the schedule, to start from")
	complete(cmd, map[string]completion{
		"format": oneWord(describedFormats), "store": oneWord(describedStores), "set": oneWord(describedParams),
	})
	return cmd
}

// oneStore is the one that was given, or none.
func oneStore(given []string) (string, error) {
	switch len(given) {
	case 0:
		return "", nil
	case 1:
		return given[0], nil
	}
	return "", fmt.Errorf("--store: a run has one store, and %d were given", len(given))
}

func complete(cmd *cobra.Command, flags map[string]completion) {
	for flag, f := range flags {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // a flag of that name was not declared
		}
	}
}

// scheduleArgument completes the names of schedules; files are completed too.
func scheduleArgument(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []described
	for _, name := range script.Builtins() {
		s, _, err := script.Builtin(name)
		if err != nil {
			panic(err) // a test runs them all
		}
		all = append(all, described{name, s.About})
	}
	return offer(all, "", start), cobra.ShellCompDirectiveDefault
}

func describedParams() []described {
	return []described{
		{"ttl=", "the length of a lease"}, {"servers=", "lock servers"},
		{"arrives=", "when the last client comes"}, {"pause=", "how long the first pause is"},
		{"read=", "ticks from a grant to the first read"}, {"gap=", "ticks from that read to the first write"},
	}
}

func (c *command) listSchedules() error {
	wide := 0
	for _, name := range script.Builtins() {
		wide = max(wide, len(name))
	}
	for _, name := range script.Builtins() {
		s, _, err := script.Builtin(name)
		if err != nil {
			return err
		}
		left := fmt.Sprintf("%-*s  ", wide, name)
		wrapped(c.stdout, left, strings.Repeat(" ", len(left)), s.About)
	}
	return nil
}

// runSchedule executes the schedule and prints it.
func (c *command) runSchedule(s *scheduled, format string) error {
	f, err := traces.FindFormat(format)
	if err != nil {
		return err
	}
	r, err := s.run()
	if err != nil {
		return err
	}
	found, err := checker.Audit(r.Trace)
	if err != nil {
		return err
	}
	var unmet []string
	if !s.changed {
		violated := map[string]bool{}
		for _, a := range found {
			violated[a.Property] = a.Remark != nil
		}
		unmet = r.Unexpected(violated)
	}
	if len(unmet) > 0 {
		c.status = exitViolated
	}
	if format != "text" {
		// A trace has room for one remark: the first promise that is broken.
		for _, a := range found {
			if a.Remark != nil && !a.ReportOnly && r.Trace.Remark == nil {
				r.Trace.Remark = a.Remark
			}
		}
		for _, u := range unmet {
			fmt.Fprintf(c.stderr, "dlcheck: %s: %s\n", s.file(), u)
		}
		return f.Write(c.stdout, r.Trace)
	}
	c.writeRun(s, r, found)
	c.writeExpected(s, unmet)
	return nil
}

// writeRun prints the transcript between what was run and what the audits
// say.
func (c *command) writeRun(s *scheduled, r *script.Result, found []checker.Audited) {
	head := s.Name
	if s.About != "" {
		head += ": " + s.About
	}
	wrapped(c.stdout, "", "  ", c.colours.bold(s.Name)+strings.TrimPrefix(head, s.Name))
	world := r.Trace.World()
	if s.Tick > 0 {
		world += fmt.Sprintf("; a tick is %s", s.Tick)
	}
	wrapped(c.stdout, "", "  ", world)
	if s.changed {
		var with []string
		if s.store != "" {
			with = append(with, "store "+s.store)
		}
		for _, p := range s.set {
			with = append(with, p.String())
		}
		wrapped(c.stdout, "", "  ", "with "+strings.Join(with, ", "))
	}
	fmt.Fprintln(c.stdout)
	r.Write(c.stdout) // the stdout keeps its error
	fmt.Fprintln(c.stdout)
	wide := 0
	for _, a := range found {
		wide = max(wide, len(a.Property))
	}
	fmt.Fprintln(c.stdout, "What the audits say")
	for _, a := range found {
		says, reason := c.colours.green("holds"), ""
		switch {
		case a.ReportOnly && a.Remark != nil:
			says = "possible: " + count(unlocked(r.Trace), "write")
			reason = ". " + a.Remark.Reason
		case a.ReportOnly:
			says = "none"
		case a.Remark != nil:
			says, reason = c.colours.red("VIOLATED"), ". "+a.Remark.Reason
		}
		left := fmt.Sprintf("  %-*s  ", wide, a.Property)
		wrapped(c.stdout, left, strings.Repeat(" ", len(left)), says+reason)
	}
}

// unlocked counts the accepted writes of clients that do not hold the lock.
func unlocked(t *traces.Trace) (n int) {
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == model.Write && e.OK && e.Holder != e.Client {
			n++
		}
	}
	return n
}

// writeExpected says how the run compares with what the file expects.
func (c *command) writeExpected(s *scheduled, unmet []string) {
	expects := !reflect.DeepEqual(s.Expect, script.Expect{})
	switch {
	case !expects:
	case s.changed:
		wrapped(c.stdout, "\n", "", "Not compared with what the file expects: it was changed by --set or --store.")
	case len(unmet) == 0:
		fmt.Fprintf(c.stdout, "\n%s\n", c.colours.green("As expected."))
	default:
		fmt.Fprintf(c.stdout, "\n%s\n", c.colours.red("Not as expected:"))
		for _, u := range unmet {
			wrapped(c.stdout, "  ", "    ", u)
		}
	}
}

// oneScheduleAtMost is what commands take that have a schedule of their own.
func oneScheduleAtMost(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one FILE or NAME at the most, and %d were given", cmd.Name(), len(args))
	}
	return nil
}
