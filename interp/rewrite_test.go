package interp

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected outputs anew")

var (
	ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")
	site = regexp.MustCompile(`((?:Add|Sub|Mul|Div|Rem|And|Or|Compare|Map)(?:[SNTVIWBDM]{1,2}|Scaled)(?:In)?)\(\d+, `)
	call = regexp.MustCompile(`(Call|Do)\(\d+`)
)

// TestRewrite compares the Go code generated for cells with the files. Each file is a session:
// cells, each followed by its Go code or its errors.
func TestRewrite(t *testing.T) {
	files, err := filepath.Glob("testdata/rewrite/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, e := newPrinting()
			got := &txtar.Archive{Comment: ar.Comment}
			n := 0
			for _, f := range ar.Files {
				if f.Name != "cell" {
					continue
				}
				n++
				e.printed.Reset()
				_, err := s.Eval(context.Background(), evaluator.Cell{Code: string(f.Data), Number: n, Silent: true}, &record{})
				got.Files = append(got.Files, f)
				var failed *evaluator.Error
				if errors.As(err, &failed) {
					text := ansi.ReplaceAllString(strings.Join(failed.Traceback, "\n"), "") + "\n"
					got.Files = append(got.Files, txtar.File{Name: "error", Data: []byte(text)})
					continue
				}
				text := site.ReplaceAllString(e.printed.String(), "$1(…, ")
				text = call.ReplaceAllString(text, "$1(…")
				got.Files = append(got.Files, txtar.File{Name: "go", Data: []byte(text)})
			}
			compareArchive(t, file, ar, got)
		})
	}
}

// compareArchive compares a test file with the result, or writes the file if -update is set.
func compareArchive(t *testing.T, file string, want, got *txtar.Archive) {
	t.Helper()
	w, g := string(txtar.Format(want)), string(txtar.Format(got))
	if w == g {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(g), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s differs (-want +got); -update writes it anew:\n%s", strconv.Quote(file), cmp.Diff(w, g))
}
