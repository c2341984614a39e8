package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/interp/modules/proxytest"
)

const greetings = `
-- example.com/greet@v1.0.0/go.mod --
module example.com/greet
-- example.com/greet@v1.0.0/g.go --
package greet
const Word = "hello"
`

// Run records the versions of modules in a notebook without a go.mod, runs it again with them, and
// fetches nothing with --offline.
func TestRunRecordsVersions(t *testing.T) {
	p := proxytest.New(t, greetings)
	p.Setenv(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "nb.ipynb")
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: notebook.Code, Source: "import \"example.com/greet\"\ngreet.Word"}}}
	save := func(nb *notebook.Notebook) {
		t.Helper()
		data, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	save(nb)
	run := func(args ...string) (*notebook.Notebook, error) {
		t.Helper()
		cmd := newRoot()
		cmd.SetArgs(append([]string{"run", "--inplace", name}, args...))
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		err := cmd.Execute()
		nb, readErr := readNotebook("run", name)
		if readErr != nil {
			t.Fatal(readErr)
		}
		return nb, err
	}
	got, err := run("--offline")
	if err == nil || !strings.Contains(got.Cells[0].Outputs[0].ErrorValue, "the session is offline") || len(p.Requests()) > 0 {
		t.Errorf("offline: %v, %+v", err, got.Cells[0].Outputs)
	}
	word := func(nb *notebook.Notebook) any {
		last := nb.Cells[0].Outputs[len(nb.Cells[0].Outputs)-1]
		return last.Data["text/plain"]
	}
	got, err = run()
	if err != nil || word(got) != `"hello"` {
		t.Fatalf("%v, %v", err, word(got))
	}
	if kept := recordedVersions(got); !strings.Contains(kept, `"path":"example.com/greet"`) || !strings.Contains(kept, `"version":"v1.0.0"`) || !strings.Contains(kept, `"sum":"h1:`) {
		t.Errorf("it keeps %s", kept)
	}
	p.Add(t, strings.NewReplacer("v1.0.0", "v1.1.0", "hello", "hi").Replace(greetings))
	t.Setenv("GOMODCACHE", t.TempDir())
	if got, err = run(); err != nil || word(got) != `"hello"` {
		t.Errorf("with a newer release: %v, %v", err, word(got))
	}
	t.Setenv("JPY_SESSION_NAME", name)
	opt, err := moduleRules{}.options()
	if err != nil || len(opt.Kept) != 1 || opt.Kept[0].Version != "v1.0.0" || opt.Recorded {
		t.Errorf("a kernel of Jupyter knows %+v, %v", opt, err)
	}
}
