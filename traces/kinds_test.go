package traces

import (
	"encoding/json"
	"slices"
	"testing"

	"dlcheck/model"
)

// TestEveryKindIsTold: the schema lists every kind of action, and the story has
// words of its own for each.
func TestEveryKindIsTold(t *testing.T) {
	var schema struct {
		Defs struct {
			Action struct {
				Properties struct {
					Action struct {
						Enum []string `json:"enum"`
					} `json:"action"`
				} `json:"properties"`
			} `json:"action"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(SchemaFile, &schema); err != nil {
		t.Fatal(err)
	}
	listed := schema.Defs.Action.Properties.Action.Enum
	tr := &Trace{Config: model.DefaultConfig()}
	for _, name := range model.Kinds() {
		if !slices.Contains(listed, name) {
			t.Errorf("the schema does not list %s", name)
		}
		kind, _ := model.KindByName(name)
		if what, _ := tr.tell(&Event{Kind: kind, Client: 0}); what == name && kind != model.Tick {
			t.Errorf("the story has no words for %s", name)
		}
	}
	if len(listed) != len(model.Kinds()) {
		t.Errorf("the schema lists %d actions, and there are %d", len(listed), len(model.Kinds()))
	}
}
