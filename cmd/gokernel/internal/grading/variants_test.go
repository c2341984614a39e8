package grading

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func lockedCell(source string) *notebook.Cell {
	return &notebook.Cell{ID: "given", Type: notebook.Code, Source: source, Metadata: map[string]any{"nbgrader": map[string]any{"grade_id": "given", "locked": true}}}
}

// TestVariantLines checks which lines declare values, and that values come from their choices, each
// of which occurs.
func TestVariantLines(t *testing.T) {
	for _, tt := range []struct {
		line    string
		choices []string
	}{
		{"n := 5 // VARIANT 3..6", []string{"n := 3", "n := 4", "n := 5", "n := 6"}},
		{"const n = 5 // VARIANT -1..1", []string{"const n = -1", "const n = 0", "const n = 1"}},
		{"\tvar rate float64 = 0.1 //VARIANT 0.1, 0.2", []string{"\tvar rate float64 = 0.1", "\tvar rate float64 = 0.2"}},
		{`s := "a" // VARIANT "a, b", "(c"`, []string{`s := "a, b"`, `s := "(c"`}},
		{"xs := []int{1, 2} // VARIANT []int{1, 2}, []int{3, 4}", []string{"xs := []int{1, 2}", "xs := []int{3, 4}"}},
		{"größe := 1 // VARIANT 1, 2", []string{"größe := 1", "größe := 2"}},
	} {
		source := &notebook.Notebook{Cells: []*notebook.Cell{lockedCell("// data\n" + tt.line + "\nprintln()")}}
		if problems := checkVariants(source.Cells[0], markOf(source.Cells[0]), map[string]bool{}); len(problems) > 0 || !HasVariants(source) {
			t.Errorf("%s: %v", tt.line, problems)
		}
		found := map[string]bool{}
		for i := range 200 {
			nb, _, err := Variant(source, fmt.Sprint("student", i))
			if err != nil {
				t.Fatalf("%s: %v", tt.line, err)
			}
			got := strings.Split(nb.Cells[0].Source, "\n")
			if len(got) != 3 || got[0] != "// data" || got[2] != "println()" {
				t.Fatalf("%s: %q", tt.line, got)
			}
			found[got[1]] = true
		}
		for _, c := range tt.choices {
			if !found[c] {
				t.Errorf("%s: no student has %q", tt.line, c)
			}
		}
		if len(found) != len(tt.choices) {
			t.Errorf("%s: the lines are %v", tt.line, found)
		}
	}
}

// TestVariantOfStudent checks that values depend on the student only, not on the case of the name.
func TestVariantOfStudent(t *testing.T) {
	source := &notebook.Notebook{Cells: []*notebook.Cell{
		lockedCell("a := 1 // VARIANT 1..1000000\nb := \"x\" // VARIANT \"x\", \"y\""),
		{ID: "text", Type: notebook.Markdown, Source: "a is {{a}}, b is {{b}}, $x_{{c}}$"},
	}}
	key := func(student string) string {
		_, k, err := Variant(source, student)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if key("Ann") != key("ann") || key("ann") == key("bob") || key("") != `a = 1, b = "x"` {
		t.Errorf("the values are %s, %s, %s, %s", key("Ann"), key("ann"), key("bob"), key(""))
	}
	// Values must not change with the version of this program. These come from Python's hashlib:
	// the first 8 bytes of sha256("ann\0a"), modulo 1000000, plus 1, and of sha256("ann\0b"),
	// modulo 2.
	if got := key("ann"); got != `a = 420938, b = "y"` {
		t.Errorf("the values of ann are %s", got)
	}
	nb, _, _ := Variant(source, "")
	if got := nb.Cells[1].Source; got != "a is 1, b is x, $x_{{c}}$" {
		t.Errorf("the text is %q", got)
	}
}

func TestVariantProblems(t *testing.T) {
	for line, want := range map[string]string{
		"n := 5 // VARIANT 3..3":                           "from a lower to a higher number",
		"n := 5 // VARIANT":                                "a range such as 3..9",
		"n := 5 // VARIANT 5":                              "at least two values",
		"n := 5 // VARIANT 1, ,":                           "at least two values",
		"a, b := 1, 2 // VARIANT 1, 2":                     "must give a name its value",
		"if n == 5 { // VARIANT 1, 2":                      "must give a name its value",
		"n := 1 // VARIANT 1, 2\n{ n := 2 // VARIANT 1, 2": "must give a name its value",
		"n := 1 // VARIANT 1, 2\nn = 2 // VARIANT 1, 2":    "one line with VARIANT, got two",
	} {
		c := lockedCell(line)
		if got := strings.Join(checkVariants(c, markOf(c), map[string]bool{}), "; "); !strings.Contains(got, want) {
			t.Errorf("%s: the problems are %q, expected %s", line, got, want)
		}
	}
	c := lockedCell("n := 1 // VARIANT 1, 2")
	if got := checkVariants(c, mark{role: answer}, map[string]bool{}); len(got) != 1 || !strings.Contains(got[0], "must be in a locked cell") {
		t.Errorf("in an answer: %q", got)
	}
}
