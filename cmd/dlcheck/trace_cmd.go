package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/traces"
)

const traceLong = `dlcheck trace replays a trace against the model, action by action, and prints it. It refuses a trace
that the model does not allow and names the action and why. The file is one that --trace-dir wrote,
or a report of --json, whose traces are then replayed one after another; - is the standard input.`

const traceExamples = `  dlcheck trace traces/fenced-lost-update.json
  dlcheck trace traces/fenced-lost-update.json --format mermaid
  dlcheck --json | dlcheck trace - --store fenced --property lost-update --format json`

func (c *command) traceCommand() *cobra.Command {
	format := "text"
	var stores, properties []string
	cmd := &cobra.Command{
		Use:     "trace FILE",
		Short:   "replay a trace against the model and print it",
		Long:    traceLong,
		Example: traceExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("trace takes one FILE, or - for the standard input; %d were given", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := traces.FindFormat(format)
			if err != nil {
				return err
			}
			data, name, err := c.readInput(args[0])
			if err != nil {
				return err
			}
			all, err := readTraces(data, stores, properties)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, t := range all {
				if err := checker.Judge(t); err != nil {
					fmt.Fprintf(c.stderr, "dlcheck: note: %s: %v\n", t.Remark.Property, err)
				}
			}
			return c.printTraces(f, all)
		},
		DisableFlagsInUseLine: false,
	}
	var kinds []string
	for _, f := range traces.Formats() {
		kinds = append(kinds, f.Name)
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(oneOf(&format, kinds...), "format", "how to print it")
	cmd.Flags().Var(names(&stores, findStore), "store", "of a report, the traces of these stores")
	cmd.Flags().Var(names(&properties, findProperty), "property", "of a report, the traces of these properties")
	for flag, f := range map[string]completion{
		"format": oneWord(describedFormats), "store": commaList(describedStores), "property": commaList(describedProperties),
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err)
		}
	}
	return cmd
}

func (c *command) readInput(file string) (data []byte, name string, err error) {
	if file == "-" {
		data, err = readAtMost(c.stdin, mostInput)
		return data, "standard input", err
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s", file)
	}
	if err != nil {
		return nil, file, err
	}
	defer f.Close()
	data, err = readAtMost(f, mostInput)
	return data, file, err
}

// mostInput is how much of a file is read: more than the largest report has.
const mostInput = 256 << 20

// readAtMost refuses what is longer, such as a device that has no end.
func readAtMost(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("it is longer than %s, which no such file is", humanize.IBytes(uint64(most)))
	}
	return data, err
}

// readTraces replays the trace, or those of a report that are asked for.
func readTraces(data []byte, stores, properties []string) ([]*traces.Trace, error) {
	var head struct {
		Schema string `json:"schema"`
		Runs   []struct {
			Store    string `json:"store"`
			Verdicts []struct {
				Property string          `json:"property"`
				Trace    json.RawMessage `json:"trace"`
			} `json:"verdicts"`
		} `json:"runs"`
	}
	err := json.Unmarshal(data, &head)
	if err != nil && head.Schema == reportSchemaName {
		return nil, plainly(data, "report", err)
	}
	if err != nil || head.Schema != reportSchemaName {
		// Package traces knows best what is wrong with it.
		t, err := readTrace(data)
		if err != nil {
			return nil, err
		}
		return []*traces.Trace{t}, nil
	}
	var all []*traces.Trace
	var have []string
	for _, run := range head.Runs {
		for _, v := range run.Verdicts {
			if len(v.Trace) == 0 || bytes.Equal(v.Trace, []byte("null")) {
				continue
			}
			have = append(have, run.Store+" "+v.Property)
			if len(stores) > 0 && !slices.Contains(stores, run.Store) || len(properties) > 0 && !slices.Contains(properties, v.Property) {
				continue
			}
			t, err := readTrace(v.Trace)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", run.Store, v.Property, err)
			}
			all = append(all, t)
		}
	}
	if len(have) == 0 {
		return nil, errors.New("the report has no trace: nothing in it is violated")
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the report has no such trace; it has %s", strings.Join(have, "; "))
	}
	return all, nil
}

func (c *command) printTraces(f traces.Format, all []*traces.Trace) error {
	if f.Name == "json" && len(all) > 1 {
		return fmt.Errorf("the report has %d traces, and a JSON document is one: choose with --store and --property", len(all))
	}
	for i, t := range all {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		if err := f.Write(c.stdout, t); err != nil {
			return err
		}
	}
	return nil
}

// readTrace replays a trace and judges it again, so that nothing is printed
// only because a file says so.
func readTrace(data []byte) (*traces.Trace, error) {
	t, err := traces.ReadJSON(data)
	if err != nil {
		return nil, plainly(data, "trace", err)
	}
	if err := checker.Judge(t); err != nil && !errors.Is(err, checker.ErrNotJudged) {
		return nil, err
	}
	return t, nil
}

// plainly says an error of encoding/json about a value of the wrong type
// without the names of Go types; others stay as they are.
func plainly(data []byte, what string, err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	want := "an object"
	switch wrong.Type.Kind() {
	case reflect.Int:
		want = "a whole number"
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice:
		want = "an array"
	}
	field := wrong.Field
	if field == "" {
		field = "the document"
	}
	value := wrong.Value
	if number, ok := strings.CutPrefix(value, "number "); ok {
		value = number
	} else if value == "bool" {
		value = "true or false"
	} else if value == "object" || value == "array" {
		value = "an " + value
	} else {
		value = "a " + value
	}
	line := 1 + bytes.Count(data[:min(int(wrong.Offset), len(data))], []byte("\n"))
	return fmt.Errorf("line %d: it is not a %s in JSON: %s is %s, and should be %s", line, what, field, value, want)
}
