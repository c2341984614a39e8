//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-cell" {
		os.Exit(runCell(os.Args[2]))
	}
	os.Exit(m.Run())
}

// Cells that are interrupted at random moments leave the state of a moment between two statements.
func TestInterrupts(t *testing.T) {
	t.Setenv(engine.JITVariable, "")
	var b strings.Builder
	if err := interrupt(40, 7, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"numbers: ", "mode force", "chainRun"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// Generated programs print the same as cells with each mode of the JIT.
func TestGenerated(t *testing.T) {
	o := options{n: 6, seed: 4242, keep: t.TempDir()}
	for _, kind := range generatedKinds()[:2] {
		got, err := compareGenerated(kind, o)
		if err != nil || got.programs != 6 || got.runs != 18 || len(got.differences) > 0 {
			t.Errorf("%s: %+v, %v", kind, got, err)
		}
	}
}

// Cells print the same with all settings of the runtime.
func TestHostileSettings(t *testing.T) {
	var got tally
	o := options{hostile: true, keep: t.TempDir()}
	if err := generators[0].compare([]uint64{11, 12, 13, 14}, o, &got); err != nil || len(got.differences) > 0 {
		t.Errorf("%q, %v", got.differences, err)
	}
	if want := 4 * len(jitModes) * len(hostileSettings); got.runs != want {
		t.Errorf("%d runs, want %d", got.runs, want)
	}
}

// A program that differs is found among others, and kept.
func TestDifferenceIsFound(t *testing.T) {
	dir := t.TempDir()
	g := generator{"differing", func(seeds []uint64) string {
		text := "package main\n\nimport (\"fmt\"; \"os\")\n\nvar _ = os.Args\n\nfunc main() {\n"
		for _, s := range seeds {
			if s == 2 {
				text += "fmt.Println(\"== two\")\nfmt.Println(len(os.Getenv(\"" + engine.JITVariable + "\")))\n" // differs by mode
			} else {
				text += "fmt.Println(\"== other\")\n"
			}
		}
		return text + "}\n"
	}, 3}
	t.Setenv(engine.JITVariable, "off")
	var got tally
	if err := g.compare([]uint64{1, 2, 3}, options{keep: dir}, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.differences) != 2 || !strings.Contains(got.differences[0], "two line 2: got \"2\", want \"3\"") {
		t.Errorf("got %q", got.differences)
	}
	if _, err := os.Stat(filepath.Join(dir, "differing2.go")); err != nil {
		t.Error(err)
	}
}
