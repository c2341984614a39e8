package enginetest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gokernel/gokernel/interp/engine"
)

var updateFlag = flag.Bool("update", false, "record what compiled Go prints for the programs of the suite")

// Suite holds the requirements on an engine beyond Go's own tests.
type Suite struct {
	New NewEngine
	// Known has a reason for each test, by name, whose cells or program the engine cannot run
	// correctly. The engine must refuse such cells and programs.
	Known map[string]string
	// Inexact has a reason for each test, by name, that the engine runs correctly except for the
	// text of a panic.
	Inexact map[string]string
}

// Run runs the suite.
func (s Suite) Run(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each program")
	}
	t.Run("Programs", s.programs)
	t.Run("Cells", s.cells)
}

// programs runs testdata/programs. The file output.txt in the folder of each program has the
// expected output, which the compiled program printed.
func (s Suite) programs(t *testing.T) {
	dir := filepath.Join(testdata(t), "programs")
	files, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in ", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			golden := filepath.Join(filepath.Dir(file), "output.txt")
			if *updateFlag {
				compiledOutput(t, file, golden)
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			e, err := start(file, filepath.Dir(file), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			v, detail := e.judge(string(want), 0)
			s.expect(t, v, detail)
		})
	}
}

// expect fails the test unless the verdict is correct, or the failure is known.
func (s Suite) expect(t *testing.T, v verdict, detail string) {
	t.Helper()
	_, name, _ := strings.Cut(t.Name(), "/")
	reason, known := s.Known[name]
	inexact, isInexact := s.Inexact[name]
	switch {
	case isInexact && v == right:
		t.Errorf("right, but listed as inexact: %s", inexact)
	case isInexact && v == wrong && strings.Contains(detail, ": error "):
	case known && v == right:
		t.Errorf("right, but listed as known to fail: %s", reason)
	case known && v != refused:
		t.Errorf("%s: %s; listed as known to fail (%s), but the engine must refuse it", v, detail, reason)
	case !known && v != right:
		t.Errorf("%s: %s", v, detail)
	}
}

// compiledOutput compiles and runs the program with the go command, and writes the output to the
// file golden.
func compiledOutput(t *testing.T, file, golden string) {
	cmd := exec.Command("go", "run", file)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go run %s: %v\n%s", file, err, out)
	}
	if err := os.WriteFile(golden, out, 0o666); err != nil {
		t.Fatal(err)
	}
}

// cells runs testdata/cells: archives of cells, each followed by its expected output or its
// expected error.
//
//	-- cell --       the code of a cell
//	-- output --     what it prints
//	-- error --      what its error contains, for a cell that fails
func (s Suite) cells(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata(t), "cells", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cells in ", testdata(t), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			v, detail := s.notebook(archive)
			s.expect(t, v, detail)
		})
	}
}

// notebook runs the cells of an archive.
func (s Suite) notebook(archive *txtar.Archive) (verdict, string) {
	var out printed
	n, err := NewNotebook(s.New, engine.Hooks{Stdout: out.write, Stderr: out.write, GoPanic: out.goPanic})
	if err != nil {
		return wrong, err.Error()
	}
	defer n.Close()
	for i := 0; i < len(archive.Files); {
		cell := archive.Files[i]
		if cell.Name != "cell" {
			return wrong, fmt.Sprintf("%s without a cell", cell.Name)
		}
		want := map[string]string{}
		for i++; i < len(archive.Files) && archive.Files[i].Name != "cell"; i++ {
			want[archive.Files[i].Name] = string(archive.Files[i].Data)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		err := n.Eval(ctx, string(cell.Data))
		cancel()
		var refusal *engine.Refusal
		if errors.As(err, &refusal) {
			return refused, err.Error()
		}
		if v, detail := compareCell(out.take(), err, want); v != right {
			return v, fmt.Sprintf("cell %d: %s", n.cells, detail)
		}
	}
	return right, ""
}

func compareCell(got string, err error, want map[string]string) (verdict, string) {
	wantErr, fails := want["error"]
	wantErr = strings.TrimSpace(wantErr)
	switch {
	case err != nil && !fails:
		return wrong, err.Error()
	case err == nil && fails:
		return wrong, "no error, want " + wantErr
	case err != nil && !strings.Contains(err.Error(), wantErr):
		return wrong, fmt.Sprintf("error %q, want %q", err, wantErr)
	case got != want["output"]:
		return wrong, difference(got, want["output"])
	}
	return right, ""
}

// printed is the output of cells.
type printed struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (p *printed) write(_ int, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf.Write(text)
}

func (p *printed) goPanic(_ int, e *engine.Panic) {
	p.write(0, []byte("goroutine panicked: "+e.Text+"\n"))
}

func (p *printed) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.buf.Reset()
	return p.buf.String()
}

// testdata returns the directory of this package's test data, which the tests of the engines use
// from their own directories.
func testdata(t *testing.T) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if ok && filepath.IsAbs(file) {
		return filepath.Join(filepath.Dir(file), "testdata")
	}
	// The test binary was built with -trimpath. Tests run in their own directories, which are
	// beside this one.
	dir, err := filepath.Abs("../enginetest/testdata")
	if err == nil {
		_, err = os.Stat(dir)
	}
	if err != nil {
		t.Fatal("the suite cannot find its programs: build the test without -trimpath, or run it in a directory next to enginetest: ", err)
	}
	return dir
}
