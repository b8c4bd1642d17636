package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room says what a package may import beside the standard library, and why no
// more. Packages within a room share its rules.
type room struct {
	may []string
	why string
}

var house = map[string]room{
	"model":               {nil, "the world of locks stands on the ground: it does not know that anyone searches, judges or prints it"},
	"explore":             {[]string{"golang.org/x/sync"}, "the explorer walks the states of anything: it must not learn what a lock is"},
	"traces":              {[]string{"dlcheck/model", "github.com/goccy/go-yaml"}, "a trace tells what happened: it does not know how it was found, or whether it is good or bad"},
	"checker":             {[]string{"dlcheck/model", "dlcheck/explore", "dlcheck/traces", "github.com/anishathalye/porcupine", "golang.org/x/sync"}, "only the checker knows both locks and graphs; porcupine lives here only; flags and terminals do not"},
	"checker/certificate": {[]string{"dlcheck/model", "dlcheck/traces"}, "a certificate is checked by those who do not trust the search: nothing here, or below it, may know the explorer or the checker that drives it"},
	"cmd/dlcheck":         {[]string{"dlcheck/checker", "dlcheck/traces", "dlcheck/model", "github.com/", "golang.org/x/", "gonum.org/v1/plot"}, "the conversation with the user: it explores nothing itself"},
}

// testsMay is what tests may import on top, in every room.
var testsMay = []string{"golang.org/x/sync", "github.com/santhosh-tekuri/jsonschema", "github.com/google/go-cmp"}

// onlyHere names modules that only one room may use.
var onlyHere = map[string]string{
	"github.com/anishathalye/porcupine": "checker",
	"github.com/spf13":                  "cmd/dlcheck",
	"github.com/goccy/go-yaml":          "traces", // in yamlfile; who reads a file anywhere else asks that
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "testdata" || rel == "build" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		name := roomOf(path.Dir(rel))
		r, known := house[name]
		if !known {
			t.Errorf("%s is in no room of the house; rooms are model, explore, traces, checker and cmd/dlcheck", rel)
			return nil
		}
		seen[name] = true
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if !strings.Contains(strings.Split(imp, "/")[0], ".") && !strings.HasPrefix(imp, "dlcheck/") {
				continue // the standard library
			}
			allowed := strings.HasPrefix(imp, "dlcheck/"+name)
			may := r.may
			if strings.HasSuffix(rel, "_test.go") {
				may = append(append([]string(nil), may...), testsMay...)
			}
			for _, m := range may {
				allowed = allowed || strings.HasPrefix(imp, m)
			}
			for m, only := range onlyHere {
				if strings.HasPrefix(imp, m) && only != name {
					allowed = false
				}
			}
			if !allowed {
				t.Errorf("%s imports %s: %s", rel, imp, r.why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range house {
		if !seen[name] {
			t.Errorf("room %s is empty", name)
		}
	}
}

// roomOf is the room that a folder belongs to: of a chamber with rules of its own,
// that one.
func roomOf(dir string) string {
	for room := dir; room != "."; room = path.Dir(room) {
		if _, known := house[room]; known {
			return room
		}
	}
	return dir
}

// TestCertificatesDoNotSearch goes through all that the package of certificates
// is made of: the explorer must not be among it, at any remove.
func TestCertificatesDoNotSearch(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "dlcheck/checker/certificate")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := strings.Fields(string(out))
	for _, p := range packages {
		if p == "dlcheck/explore" || p == "dlcheck/checker" {
			t.Errorf("certificates are checked with the help of %s: %s", p, house["checker/certificate"].why)
		}
	}
	if !slices.Contains(packages, "dlcheck/model") {
		t.Errorf("the list of packages is not what it should be: %q", packages)
	}
}

// TestEveryPackageSaysWhatItIsFor wants a package comment in every package.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for name := range house {
		dir := filepath.Join("..", "..", filepath.FromSlash(name))
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			said = said || file.Doc != nil
		}
		if !said {
			t.Errorf("package %s has no package comment", name)
		}
	}
}
