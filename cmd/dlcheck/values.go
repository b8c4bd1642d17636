package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/dustin/go-humanize"

	"dlcheck/model"
)

// value is a flag's value as pflag wants it.
type value struct {
	kind string // what help shows in its place
	text func() string
	set  func(string) error
}

func (v value) Type() string          { return v.kind }
func (v value) String() string        { return v.text() }
func (v value) Set(text string) error { return v.set(text) }

const unlimited = "unlimited"

// number is a whole number of at least low. What is too large is for whoever
// owns the setting to say.
func number(p *int, low int) value {
	return value{"N", func() string { return strconv.Itoa(*p) }, func(text string) error {
		n, err := strconv.Atoi(text)
		switch {
		case errors.Is(err, strconv.ErrRange) && n > 0:
			return errors.New("too large; give a smaller whole number")
		case errors.Is(err, strconv.ErrRange):
			return errors.New("too small; give a larger whole number")
		case err != nil:
			return errors.New("give a whole number")
		case n < low:
			return fmt.Errorf("give a whole number from %d", low)
		}
		*p = n
		return nil
	}}
}

// ofWorld is a whole number of a world. What is too small, too, is for the world to say.
func ofWorld(p *int) value { return number(p, math.MinInt) }

// mostWorkers is more than any machine has use for, and memory for.
const mostWorkers = 1024

// workerCount is how many search at once.
func workerCount(p *int) value {
	v := number(p, 0)
	v.set = func(text string) error {
		n := 0
		if err := number(&n, 0).set(text); err != nil || n > mostWorkers {
			return fmt.Errorf("give a whole number from 0, which is one per processor, to %d", mostWorkers)
		}
		*p = n
		return nil
	}
	return v
}

// orUnlimited is a number or the word unlimited.
func orUnlimited(p *int, low int) value {
	v := number(p, low)
	return value{"N|" + unlimited, func() string {
		if *p == model.NoBound {
			return unlimited
		}
		return v.text()
	}, func(text string) error {
		if text == unlimited {
			*p = model.NoBound
			return nil
		}
		if err := v.set(text); err != nil {
			return fmt.Errorf("%w, or the word %s%s", err, unlimited, didYouMean(text, []string{unlimited}))
		}
		return nil
	}}
}

// names is a list whose first mention replaces the default and whose further
// ones add to it. Repetitions are dropped. check judges one name.
func names(p *[]string, check func(string) error) value {
	given := false
	return value{"NAME,...", func() string { return strings.Join(*p, ",") }, func(text string) error {
		if !given {
			*p, given = nil, true
		}
		for _, name := range strings.Split(text, ",") {
			name = strings.TrimSpace(name)
			if err := check(name); err != nil {
				return err
			}
			if !slices.Contains(*p, name) {
				*p = append(*p, name)
			}
		}
		return nil
	}}
}

// oneOf is a word out of a few.
func oneOf[T ~string](p *T, words ...string) value {
	return value{strings.Join(words, "|"), func() string { return string(*p) }, func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("give one of %s%s", strings.Join(words, ", "), didYouMean(text, words))
		}
		*p = T(text)
		return nil
	}}
}

// size is a number of bytes; 0 stands for no bound.
func size(p *int64) value {
	return value{"SIZE", func() string {
		if *p == 0 {
			return "0"
		}
		return humanize.IBytes(uint64(*p))
	}, func(text string) error {
		n, err := humanize.ParseBytes(text)
		switch bare := !strings.ContainsFunc(text, unicode.IsLetter); {
		case err != nil && strings.HasPrefix(err.Error(), "too large"), err == nil && n > math.MaxInt64:
			return errors.New("too large; give less than 8EiB")
		case err != nil || n > 0 && bare || n == 0 && strings.ContainsAny(text, "123456789"):
			return errors.New("give a size with its unit, such as 512MiB or 2GiB, or 0")
		}
		*p = int64(n)
		return nil
	}}
}

// duration is a length of time; 0 stands for no bound.
func duration(p *time.Duration) value {
	return value{"DURATION", func() string {
		if *p == 0 {
			return "0"
		}
		return p.String()
	}, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return errors.New("give a duration such as 90s, 10m or 1h30m, or 0 for no bound")
		}
		*p = d
		return nil
	}}
}

// interval is a length of time that can be 0.
func interval(p *time.Duration) value {
	v := duration(p)
	return value{"DURATION", v.text, func(text string) error {
		if v.set(text) != nil {
			return errors.New("give a duration such as 90s, 10m or 1h30m, or 0")
		}
		return nil
	}}
}

// directory is the name of one; empty as long as the flag is not given.
func directory(p *string) value {
	return value{"DIR", func() string { return *p }, func(text string) error {
		if text == "" {
			return errors.New("give the name of a directory; . is the one you are in")
		}
		*p = text
		return nil
	}}
}

// file is the name of one; empty as long as the flag is not given.
func file(p *string) value {
	return value{"FILE", func() string { return *p }, func(text string) error {
		if text == "" {
			return errors.New("give the name of a file")
		}
		*p = text
		return nil
	}}
}

// parsed is a value with a language of its own.
func parsed[T any](kind string, p *T, text func() string, parse func(string) (T, error)) value {
	return value{kind, text, func(given string) error {
		v, err := parse(given)
		if err == nil {
			*p = v
		}
		return err
	}}
}

// reductions is auto, none or a list; it shows what was given.
func reductions(p *model.Reductions) value {
	given := "auto"
	return value{"auto|none|NAME,...", func() string { return given }, func(text string) error {
		r, err := model.ParseReductions(text)
		if err != nil {
			// It begins with the flag and its value, and so does usageError.
			sentence := strings.TrimPrefix(err.Error(), fmt.Sprintf("--reduce %q: ", text))
			return errors.New(sentence + didYouMean(unknownIn(text, r.Names()), model.AllReductions().Names()))
		}
		*p, given = r, text
		return nil
	}}
}

// unknownIn is the first word of a list that is none of those that were
// understood before it.
func unknownIn(list string, understood []string) string {
	for _, word := range strings.Split(list, ",") {
		if word = strings.TrimSpace(word); !slices.Contains(understood, word) {
			return word
		}
	}
	return ""
}

// fault is the value of an axis of the model in a configuration.
func fault(c *model.Config, a *model.Axis) value {
	return value{axisKind(a), func() string { return a.Text(a.Of(c)) }, func(text string) error {
		v, err := a.Parse(text)
		if err != nil {
			if a.Choices != nil {
				return fmt.Errorf("give one of %s%s", strings.Join(a.Choices, ", "), didYouMean(text, a.Choices))
			}
			return fmt.Errorf("give a whole number from 0 to %d", a.Max)
		}
		a.Set(c, v)
		return nil
	}}
}

// axisKind is what help shows as the value of an axis.
func axisKind(a *model.Axis) string {
	if a.Choices != nil {
		return strings.Join(a.Choices, "|")
	}
	return "N"
}
