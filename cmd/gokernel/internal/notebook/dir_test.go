package notebook

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.ipynb", "a.ipynb", "a.executed.ipynb", "a.html", "executed.ipynb"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Glob(filepath.Join(dir, "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	if !slices.Equal(files, []string{"a.ipynb", "b.ipynb", "executed.ipynb"}) {
		t.Errorf("the notebooks are %q", files)
	}
}
