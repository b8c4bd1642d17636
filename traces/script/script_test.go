package script

import "testing"

func TestBuiltins(t *testing.T) {
	for _, name := range Builtins() {
		s, _, err := Builtin(name)
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := s.Run()
		if err != nil {
			t.Error(name, err)
			continue
		}
		s.Expect.Properties = nil
		for _, u := range r.Unexpected(nil) {
			t.Error(name, u)
		}
	}
}
