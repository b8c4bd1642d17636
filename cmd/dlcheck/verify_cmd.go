package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/checker/certificate"
	"dlcheck/model"
	"dlcheck/traces"
)

const verifyLong = `dlcheck verify checks a certificate that --certificate wrote, without a search: that the initial state
is among its states, that every step out of each of them leads to one of them, and that the monitors
of the properties it vouches for object to none of these steps. FILE can be - for the standard input.

The exit status is 0 if the claim is true; 1 if it is not, with the first state and step that show
it; 2 if the file cannot be checked: it is torn, damaged, of another version or of another model;
3 if it was interrupted.`

const verifyExamples = `  dlcheck --store claimed --certificate claimed.cert
  dlcheck verify claimed.cert
  dlcheck verify claimed.cert --json`

func (c *command) verifyCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "verify FILE",
		Short:   "check a certificate, without a search",
		Long:    verifyLong,
		Example: verifyExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("verify takes one FILE, or - for the standard input; %d were given", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.runVerify(cmd.Context(), args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the answer in JSON; its schema: dlcheck schema verify")
	return cmd
}

func (c *command) runVerify(ctx context.Context, file string, asJSON bool) error {
	in, name := c.stdin, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in, name = f, file
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	start := time.Now()
	p, err := certificate.Verify(ctx, in, checker.Watched)
	if errors.Is(err, errInterrupted) {
		c.status = exitIncomplete
		fmt.Fprintf(c.stderr, "dlcheck: %s: interrupted; nothing is known of it\n", name)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if p.Wrong != nil {
		c.status = exitViolated
	}
	v := &verified{p, name, time.Since(start)}
	if asJSON {
		return c.writeVerifiedJSON(v)
	}
	v.write(c.stdout)
	return nil
}

// verified is the answer about one file.
type verified struct {
	*certificate.Proof
	name string
	took time.Duration
}

func (v *verified) write(w io.Writer) {
	h := v.Header
	if v.Wrong != nil {
		wrapped(w, "", "  ", fmt.Sprintf("%s is wrong: %s.", v.name, v.Wrong.Sentence()))
		wrapped(w, "", "  ", fmt.Sprintf("It proves nothing of the world that it names: %s.", v.world()))
		return
	}
	when := "at every horizon"
	if h.Claim == certificate.ToBound {
		when = fmt.Sprintf("in every schedule of at most %s", count(v.Config.Ticks, "tick"))
	}
	verb := "hold"
	if len(h.Properties) == 1 {
		verb = "holds"
	}
	wrapped(w, "", "  ", fmt.Sprintf("%s is true: %s %s %s in the world of %s. Its %s hold the initial state; all %s out of them lead to states among them, and no monitor objects to any. Reductions that this rests on: %s. It does not vouch for %s.",
		v.name, sequence(h.Properties), verb, when, v.world(), count(int(h.States), "state"), count(int(v.Transitions), "step"),
		orNone(h.Reductions), sequence(h.Silent)))
	fmt.Fprintf(w, "%s bytes, checked in %s; SHA-256 %x\n", humanize.Comma(v.Bytes), seconds(v.took), v.Sum)
}

// world is the world line of a report, with the store, and without the
// reductions. How far somebody asked to look is no part of what was found at
// every horizon.
func (v *verified) world() string {
	cfg := v.Config
	if v.Header.Claim == certificate.EveryHorizon {
		cfg.Ticks = model.NoBound
	}
	line, _, _ := strings.Cut(worldLine(&checker.Run{Config: cfg}), "; program")
	program := "program " + cfg.Program.String()
	if cfg.Programs != nil {
		program = "programs by client"
		for i, p := range cfg.Programs {
			program += fmt.Sprintf("; %s: %s", traces.Name(i), p)
		}
	}
	return fmt.Sprintf("store %s, %s; %s", cfg.Store, line, program)
}

// sequence is "a, b and c".
func sequence(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
