package traces

import (
	"strings"
	"testing"
)

// TestReadLeavesNothingUnread: a file says exactly what the schedule is written
// with, or is refused with the place where it does not.
func TestReadLeavesNothingUnread(t *testing.T) {
	data, err := lostUpdate(t).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ old, new, want string }{
		{`"max_pause":null`, `"max_pause":-1`, "world.max_pause is missing"},
		{`"max_pause":null,`, ``, "world.max_pause is missing"},
		{`"holder":"A"`, `"holder":"A","granted":[]`, "the model answers"},
		{`,"holder":null`, ``, "actions["},
		{`"property":`, `"Property":`, "property is missing, repeated"},
		{`"steps":19`, `"world":{"ttl":10},"steps":19`, "world.clients is missing, repeated"},
		{`"minimal":true`, `"minimal":null`, "minimal is missing"},
		{`"tick":0,`, ``, "actions[0].tick is missing"},
	} {
		bad := strings.Replace(string(data), row.old, row.new, 1)
		if bad == string(data) {
			t.Fatalf("%s is not in the trace", row.old)
		}
		if _, err := ReadJSON([]byte(bad)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.new, err, row.want)
		}
	}
	for _, reason := range []string{`\u001b[31mred`, `\u202eback`, `two\nlines`, `\u0007`} {
		bad := strings.Replace(string(data), `"reason":"`, `"reason":"`+reason, 1)
		if _, err := ReadJSON([]byte(bad)); err == nil || !strings.Contains(err.Error(), "control character") {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
