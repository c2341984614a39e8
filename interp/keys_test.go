package interp_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// TestKeyCompletion completes the keys of maps. The session reads a map only if the engine knows
// that no goroutine may be writing to it.
func TestKeyCompletion(t *testing.T) {
	s := engineCases[0].open(t)
	run := func(code string) {
		t.Helper()
		if _, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: 1}, &recorder{}); err != nil {
			t.Fatal(err)
		}
	}
	first := func(code string, n int) string {
		t.Helper()
		at := strings.Index(code, "‸")
		c, err := s.Complete(context.Background(), strings.Replace(code, "‸", "", 1), at)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range c.Matches[:min(n, len(c.Matches))] {
			got = append(got, m.Text)
		}
		return strings.Join(got, " ")
	}
	run(`ages := map[string]int{"Bob": 24, "Ann": 31}; squares := map[int]int{3: 9}; f := ml.FromRows(map[string]any{"fare": []float64{1}})`)
	for code, want := range map[string]string{
		`ages["‸`:            "Ann Bob",
		`ages["B‸"]`:         "Bob",
		`x := 1 + ages[‸]`:   `"Ann" "Bob"`,
		`squares[‸`:          `3`,
		`f[‸]`:               `"fare"`,
		`f[fa‸]`:             `"fare"`,
		`fmt.Println("ages‸`: "",
	} {
		if got := first(code, 2); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for code, want := range map[string]string{`os.ReadFile("‸`: "data.csv", `ml.Read("da‸")`: "data.csv", `fmt.Println("‸`: ""} {
		if got := first(code, 9); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	run(`stop := make(chan bool); go func() { <-stop; ages["Cid"] = 5 }()`)
	if got := first(`ages["‸`, 9); got != "" {
		t.Errorf("while a goroutine waits to write to the map: %q", got)
	}
}

// TestCommonNamesFirst checks the first completions of the course library.
func TestCommonNamesFirst(t *testing.T) {
	s := engineCases[0].open(t)
	names := func(code string) (list []string) {
		c, err := s.Complete(context.Background(), code, len(code))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.Matches {
			list = append(list, m.Text)
		}
		return list
	}
	all := names("ml.")
	for _, name := range []string{"Fit", "Score", "Read", "DecisionTree", "KNN", "LogisticRegression", "Pipe", "Accuracy"} {
		if n := slices.Index(all, name); n < 0 || n >= 60 {
			t.Errorf("ml.%s is number %d of %d", name, n+1, len(all))
		}
	}
	for code, want := range map[string]string{
		"ml.forest": "RandomForest", "ml.Dec": "DecisionTree", "ml.logreg": "LogisticRegression", "?ml.Dec": "DecisionTree",
		"ml.gradboost": "GradientBoosting", "for": "for", "x := flo": "float64",
	} {
		got := names(code)
		if got = got[:min(3, len(got))]; !slices.Contains(got, want) {
			t.Errorf("%s: %q come first, want %s among them", code, got, want)
		}
	}
}
