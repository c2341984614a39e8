package interp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"golang.org/x/tools/txtar"
)

// mark stands at the cursor in the code of a test.
const mark = "‸"

// maxShown is how many of the completions a test looks at: those further down
// are names that every cell has, whose number grows.
const maxShown = 6

// TestQuery compares completions and documentation with what the files say. A
// cell is evaluated; "complete" and "inspect" are code with a mark at the cursor.
func TestQuery(t *testing.T) {
	files, err := filepath.Glob("testdata/query/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := newPrinting()
			got := &txtar.Archive{Comment: ar.Comment}
			for n, f := range ar.Files {
				code := strings.TrimSuffix(string(f.Data), "\n")
				at := strings.Index(code, mark)
				if at >= 0 {
					code = code[:at] + code[at+len(mark):]
				}
				var answer string
				switch f.Name {
				case "cell":
					if _, err := s.Eval(context.Background(), Cell{Code: code, Number: n + 1, Silent: true}, &record{}); err != nil {
						t.Fatal(err)
					}
					got.Files = append(got.Files, f)
					continue
				case "complete":
					answer = completions(t, s, code, at)
				case "inspect":
					b, ok, err := s.Inspect(context.Background(), code, at, 1)
					if err != nil {
						t.Fatal(err)
					}
					answer = "nothing\n"
					if ok {
						answer = b.Data[display.MIMEText].(string) + "\n"
					}
				default:
					continue
				}
				got.Files = append(got.Files, f, txtar.File{Name: "answer", Data: []byte(answer)})
			}
			compareArchive(t, file, ar, got)
		})
	}
}

func completions(t *testing.T, s *Session, code string, at int) string {
	t.Helper()
	c, err := s.Complete(context.Background(), code, at)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "replaces %q\n", code[c.Start:c.End])
	for i, m := range c.Matches {
		if i == maxShown {
			b.WriteString("...\n")
			break
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(m.Kind+" "+m.Text+" "+m.Signature))
	}
	return b.String()
}

func BenchmarkCompleteCold(b *testing.B) {
	for b.Loop() {
		s, _ := newPrinting()
		start := time.Now()
		if c, err := s.Complete(context.Background(), "x := strings.Spl", 16); err != nil || len(c.Matches) == 0 {
			b.Fatal(err, c)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds()), "µs/first")
	}
}
