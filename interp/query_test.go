package interp

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"golang.org/x/tools/txtar"
)

// mark marks the cursor in the code of a test.
const mark = "‸"

// maxShown is the number of completions that a test checks. Later ones are names that exist in
// every cell, and their number grows.
const maxShown = 6

// TestQuery compares completions and documentation with the expected text in the files. The test
// evaluates cells; "complete" and "inspect" contain code with a mark at the cursor.
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
					if _, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: n + 1, Silent: true}, &record{}); err != nil {
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
						answer = standardLine.ReplaceAllString(b.Data[display.MIMEText].(string), "$1:LINE of package") + "\n"
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

// standardLine matches a line of the standard library, which differs between Go versions.
var standardLine = regexp.MustCompile(`(\w+\.go):\d+ of package`)

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

// TestCourseQueries checks the essential parts of answers about the course library, whose exact
// words change.
func TestCourseQueries(t *testing.T) {
	s, _ := newPrinting()
	if _, err := s.Eval(context.Background(), evaluator.Cell{Code: "m := &ml.KNN{K: 3}", Number: 1}, &record{}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		code   string
		detail int
		want   []string // in this order
		not    string
	}{
		{"ml.KNN‸{}", 0, []string{"KNN classifies", "ŷ = argmax_v", "\nCost:", "\nReferences:", "\n\nCourse:",
			"mlstd/neighbors\ntype KNN struct {", "K ", "// K is the number of neighbors; 0 means 5.", "Metric ", "not exported\n}", "func (*KNN) Fit("}, "knn.go"},
		{"ml.KNN‸{}", 1, []string{"type KNN struct {", "func (*KNN) Fit(", "// knn.go:", "type KNN struct {"}, "not part of this kernel"},
		{"ml.SVC‸", 0, []string{"min ½‖w‖²", "Cost:", "0 means 1"}, ""},
		{"ml.DecisionTree‸", 0, []string{"DecisionTree ", "type DecisionTree struct {", "func (*DecisionTree) Fit("}, ""},
		{"ml.SVC{‸", 0, []string{"type SVC struct {", "0 means 1", "model.Control\n\n", "set by Fit"}, ""},
		{"ml.SVC{C‸: 1}", 0, []string{"mlstd/svm\nC float64\n", "0 means 1"}, "SVC is"},
		{"ml.KNN{}.K‸", 0, []string{"K int", "0 means 5"}, ""},
		{"m‸", 0, []string{"var m *ml.KNN", "KNN classifies", "ŷ = argmax_v", "type KNN struct {", "0 means 5", "func (*KNN) Predict("}, ""},
		{"m.Fit‸", 1, []string{"func (*KNN) Fit(x mat.Matrix, y []int) error", "// knn.go:", "KNN) Fit(x mat.Matrix, y []int) error {"}, ""},
		{"ml.Accuracy(‸", 1, []string{"func Accuracy(y []int, predicted []int) float64", "accuracy = (TP + TN) / n", "func Accuracy(y, predicted []int) float64 {"}, ""},
		{"ml.Classifier‸", 0, []string{"type Classifier interface {\n\tFit(x mat.Matrix, y []int) error\n\tPredict(x mat.Matrix) []int\n}",
			"To write your own classifier", "func (m *Majority) Fit(x mat.Matrix, y []int) error {"}, ""},
		{"m‸l", 0, []string{"package ml // import", "Package ml is the course library"}, ""},
		{"strin‸gs", 0, []string{"package strings // import", "Package strings"}, ""},
		{"slices.Reverse‸", 1, []string{"func Reverse[S ~[]E, E any](s S)", "func Reverse[S ~[]E, E any](s S) {\n\tfor "}, "not part of this kernel"},
		{"strings.Cut‸", 1, []string{"Cut slices s around", "The source is not part of this kernel: it is at strings.go:"}, ""},
		{"strings.Cut‸", 0, []string{"Cut slices s around"}, "not part of this kernel"},
		{"http.Server{Addr‸: 1}", 0, []string{"Addr string", "TCP address"}, ""},
		{"len‸(m)", 1, []string{"func len"}, "not part of this kernel"},
	} {
		t.Run(tt.code, func(t *testing.T) {
			at := strings.Index(tt.code, mark)
			b, ok, err := s.Inspect(context.Background(), tt.code[:at]+tt.code[at+len(mark):], at, tt.detail)
			if err != nil || !ok {
				t.Fatal("nothing found: ", err)
			}
			text := b.Data[display.MIMEText].(string)
			rest := text
			for _, w := range tt.want {
				i := strings.Index(rest, w)
				if i < 0 {
					t.Fatalf("%q is missing, or not behind the others, in\n%s", w, text)
				}
				rest = rest[i+len(w):]
			}
			if tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%q should not be in\n%s", tt.not, text)
			}
		})
	}
}

// TestCourseCompletion checks the first completions and their texts.
func TestCourseCompletion(t *testing.T) {
	s, _ := newPrinting()
	for _, tt := range []struct {
		code  string
		first []string // texts of the first matches
		line  string   // text and signature of a match
	}{
		{"ml.SVC{‸", []string{"C: ", "Kernel: ", "Tol: "}, "C: float64  C is the penalty on margin violations; 0 means 1."},
		{"ml.SVC{C: 1, ‸}", []string{"Kernel: "}, "Kernel: kernel.Kernel  Kernel is the kernel function; nil means an RBF with γ = 1/(columns·variance of x)."},
		{"x := &ml.SVC{\n\t‸\n}", []string{"C: "}, ""},
		{"f([]*ml.SVC{{‸", []string{"C: "}, ""},
		{"ml.KNN{K: 1, M‸}", []string{"Metric: "}, "Metric: neighbors.Metric  Metric is the distance. The default is Euclidean."},
		{"ml.DecisionT‸", []string{"DecisionTree"}, ""},
		{"ml.RandomF‸", []string{"RandomForest", "RandomForestRegressor"}, ""},
		{"for {\n\tx := \"🎉\"; ml.Accu‸", []string{"Accuracy"}, "Accuracy (y []int, predicted []int) float64"},
	} {
		t.Run(tt.code, func(t *testing.T) {
			at := strings.Index(tt.code, mark)
			c, err := s.Complete(context.Background(), tt.code[:at]+tt.code[at+len(mark):], at)
			if err != nil {
				t.Fatal(err)
			}
			found := tt.line == ""
			for i, m := range c.Matches {
				if i < len(tt.first) && m.Text != tt.first[i] {
					t.Errorf("match %d is %q, want %q", i, m.Text, tt.first[i])
				}
				if strings.TrimSpace(m.Text)+" "+m.Signature == tt.line {
					found = true
				}
			}
			if len(c.Matches) < len(tt.first) || !found {
				t.Errorf("%q is not among %v", tt.line, c.Matches)
			}
		})
	}
	// After the most frequent names, algorithms are listed by family.
	const common = 150
	c, err := s.Complete(context.Background(), "ml.", 3)
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]bool{}
	last := ""
	for _, m := range c.Matches[common : common+60] {
		family, line, ok := strings.Cut(m.Signature, "  ")
		if m.Kind != "type" || !ok || line == "" {
			t.Errorf("%s %q is no algorithm with a line about it", m.Text, m.Signature)
		}
		if family != last && families[family] {
			t.Errorf("the family %s is not in one place", family)
		}
		families[family], last = true, family
	}
}

// BenchmarkInspectCold measures the first query to a session, about a type with long documentation.
func BenchmarkInspectCold(b *testing.B) {
	for b.Loop() {
		s, _ := newPrinting()
		start := time.Now()
		if _, ok, err := s.Inspect(context.Background(), "ml.SVC", 6, 0); err != nil || !ok {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds()), "µs/first")
	}
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
