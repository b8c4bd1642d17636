package disk

import (
	"os"
	"testing"
)

// TestFilesHaveNoName: whatever way a file is made, nothing of it is in the folder, and
// it can be written and read.
func TestFilesHaveNoName(t *testing.T) {
	for way, create := range map[string]func(dir string) (file, error){
		"as this system can": system{}.create,
		"on any system":      unnamed,
	} {
		dir := t.TempDir()
		f, err := create(dir)
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		var back [3]byte
		if _, err := f.WriteAt([]byte("abc"), 5); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		if _, err := f.ReadAt(back[:], 5); err != nil || string(back[:]) != "abc" {
			t.Errorf("%s: %q, %v", way, back, err)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
			t.Errorf("%s: the folder has %v, %v", way, names, err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: %v", way, err)
		}
	}
}
