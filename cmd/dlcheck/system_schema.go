package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"dlcheck/checker/systems"
	"dlcheck/model"
	"dlcheck/traces"
)

// object is a JSON object, as a schema is made of.
type object = map[string]any

// systemSchema is the JSON Schema of a file that describes a system, for editors.
// It is made of the model's fields and of the flags that they are, so that it
// cannot lag behind.
func systemSchema(root *cobra.Command) []byte {
	fields, fieldTypes := object{}, object{}
	for _, f := range model.Fields() {
		fieldTypes[f] = fieldSchema(f, root)
		fields[f] = object{"$ref": "#/$defs/" + f}
	}
	text := func(doc string) object { return object{"description": doc, "type": "string", "minLength": 1} }
	closed := func(doc string, properties object) object {
		return object{"description": doc, "type": "object", "additionalProperties": false, "properties": properties}
	}
	rules, words := object{}, object{}
	for _, r := range systems.Rules() {
		rules[r.Key] = text(sentence(r.Doc))
	}
	for _, key := range traces.WordKeys() {
		doc, usual := traces.WordDoc(key)
		words[key] = object{"description": sentence(doc) + " Without it: " + usual + ".", "type": "string", "minLength": 1, "maxLength": traces.LongestWord}
	}
	change := closed("Settings on top of the others.", fields)
	change["minProperties"] = 1
	changes := func(doc string) object {
		return object{"description": doc + ", by a name of a few words without a comma.", "type": "object", "additionalProperties": change, "propertyNames": object{"pattern": "^[^,]+$"}}
	}
	cannot := object{}
	for _, f := range model.Fields() {
		cannot[f] = text("Why the system can have no other " + f + " than its own.")
		for _, v := range systems.Choices(f) {
			cannot[f+" "+v] = text("Why the system cannot have " + f + " " + v + ".")
		}
	}
	properties := object{
		"system":   object{"description": "The system that this one starts from.", "enum": systems.Names()},
		"name":     text("What the system is called."),
		"about":    text("What it is, in one line."),
		"rules":    closed("The system's rules, one line each, as its own documents state them.", rules),
		"sources":  object{"description": "Where the rules are from.", "type": "array", "items": text("A document.")},
		"words":    closed("What traces of the system say instead of the usual words.", words),
		"differs":  object{"description": "Where the model is another than the system.", "type": "array", "items": text("A sentence.")},
		"faults":   changes("What can befall the system"),
		"variants": changes("Other ways to use the system, cures among them"),
		"cannot":   closed("What the system cannot be changed to, and why: a field, or a field and one of its few values. No cure is made of it.", cannot),
	}
	for f, ref := range fields {
		properties[f] = ref
	}
	schema := closed("A lock system as dlcheck --config reads it, in YAML or JSON: what it does not say is as in the system that it starts from, or the default.", properties)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["$id"] = "urn:dlcheck:system:v1"
	schema["title"] = "A lock system for dlcheck"
	schema["$defs"] = fieldTypes
	data, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(err) // nothing in it is more than texts and numbers
	}
	return append(data, '\n')
}

// fieldSchema says what values a field of the model takes.
func fieldSchema(name string, root *cobra.Command) object {
	schema := object{"description": sentence(root.Flags().Lookup(name).Usage)}
	if name == "store" {
		schema["description"] = "What the lock protects, one name; see dlcheck stores. A file without it that starts from no system is asked about as bare dlcheck is: plain, fenced and claimed."
	}
	if choices := systems.Choices(name); choices != nil {
		schema["enum"] = choices
		return schema
	}
	if a, err := model.FindAxis(name); err == nil {
		schema["type"], schema["minimum"], schema["maximum"] = "integer", 0, a.Max
		return schema
	}
	number := object{"type": "integer", "minimum": least(name)}
	switch {
	case !takes(name, "1"):
		schema["type"] = "string"
	case takes(name, unlimited):
		schema["anyOf"] = []object{number, {"const": unlimited}}
	default:
		for k, v := range number {
			schema[k] = v
		}
	}
	return schema
}

// takes says whether a field can have that value in some configuration.
func takes(field, text string) bool {
	c := model.DefaultConfig()
	return c.Set(model.Setting{Field: field, Value: text}) == nil && c.Validate() == nil
}

// least is the smallest number that a field can be.
func least(field string) int {
	if takes(field, "0") {
		return 0
	}
	return 1
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(doc string) string {
	first := doc[:1]
	if first >= "a" && first <= "z" {
		first = string(first[0] - 'a' + 'A')
	}
	return first + doc[1:] + "."
}
