package homework

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
)

func text(t *testing.T, it Item) (points float64, problem string) {
	t.Helper()
	if err := it.Run(alone{}); err != nil {
		return math.NaN(), err.Error()
	}
	r := report(it.cards())
	var all []string
	for _, c := range r.Checks {
		if c.Text != "" {
			all = append(all, c.Text)
		}
	}
	return r.Points, strings.Join(all, " | ")
}

func TestDiffers(t *testing.T) {
	nan := math.NaN()
	type point struct{ X, Y float64 }
	for _, tt := range []struct {
		name      string
		got, want any
		differs   string // "" when they are equal
	}{
		{"integer and number", 1.0, 1, ""},
		{"close", 1 + 1e-10, 1, ""},
		{"not close", 1 + 1e-8, 1, whole},
		{"relative", 1e12 + 1, 1e12, ""},
		{"small numbers are compared absolutely", 1e-12, 0, ""},
		{"NaN", nan, nan, ""},
		{"NaN and number", nan, 1.0, whole},
		{"infinity", math.Inf(1), math.MaxFloat64, whole},
		{"infinities", math.Inf(1), math.Inf(1), ""},
		{"slices", []float64{1, 2}, []int{1, 2}, ""},
		{"slices that differ", []float64{1, 2.5}, []float64{1, 2}, "at [1] it is 2.5, expected 2"},
		{"lengths", []int{1}, []int{1, 2}, "it has length 1, expected 2"},
		{"deep", [][]int{{1}, {2, 3}}, [][]int{{1}, {2, 4}}, "at [1][1] it is 3, expected 4"},
		{"empty and nil", []int{}, []int(nil), ""},
		{"maps", map[string]int{"a": 1}, map[string]float64{"a": 1}, ""},
		{"a key too few", map[string]int{}, map[string]int{"a": 1}, `at ["a"] it has no value, expected 1`},
		{"a key too many", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1}, `at ["b"] it has 2, expected no value`},
		{"structs", point{1, 2}, point{1, 3}, "at .Y it is 2, expected 3"},
		{"pointers", &point{1, 2}, &point{1, 2}, ""},
		{"strings", "a", "b", whole},
		{"string and number", "1", 1, whole},
		{"bool", true, true, ""},
		{"errors", errors.New("x"), errors.New("x"), ""},
		{"nil", nil, nil, ""},
		{"nil and a value", nil, 1, whole},
		{"matrices", mat.NewDense(1, 2, []float64{1, 2}), mat.NewDense(1, 2, []float64{1, 2}), ""},
		{"matrix and rows", mat.NewDense(1, 2, []float64{1, 2}), [][]float64{{1, 3}}, "at [0, 1] it is 2, expected 3"},
		{"shapes", mat.NewDense(1, 2, nil), mat.NewDense(2, 1, nil), "at the shape it is 1 × 2, expected 2 × 1"},
		{"complex", complex(1, 2), complex(1, 2), ""},
	} {
		if got := differs(reflect.ValueOf(tt.got), reflect.ValueOf(tt.want), DefaultTolerance); got != tt.differs {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.differs)
		}
	}
}

func TestCheck(t *testing.T) {
	double := func(x float64) float64 { return 2 * x }
	zero := func(xs []float64) float64 { xs[0] = 0; return 0 }
	var later []float64
	for _, tt := range []struct {
		name    string
		check   *Task
		points  float64 // NaN when the check itself is wrong
		problem string
	}{
		{"right", Check(double, 2).Is(4).Points(3), 3, ""},
		{"wrong", Check(double, 2).Is(5), 0, "the function(2) is 4, expected 5"},
		{"the first of several", Check(double, 1).Is(1).Call(2).Is(4), 0, "the function(1) is 2, expected 1 (1 more call not made)"},
		{"partial", Check(double, 1).Is(1).Call(2).Is(4).Partial().Points(3), 1.5, "the function(1) is 2, expected 1"},
		{"types", Check(double, "x").Is(1), 0, "the function takes (float64), but the task calls it with (string)"},
		{"no whole number", Check(func(n int) int { return n }, 1.5).Is(1), 0, "the function takes (int), but the task calls it with (float64)"},
		{"too many arguments", Check(double, 1, 2).Is(1), 0, "the function takes (float64), but the task calls it with (int, int)"},
		{"results", Check(double, 1).Is(1, 2), 0, "the function returns 1 value, but the task wants 2"},
		{"variadic", Check(func(xs ...int) int { return len(xs) }, 1, 2).Is(2), 1, ""},
		{"nil", Check(func(xs []int) int { return len(xs) }, nil).Is(0), 1, ""},
		{"no function", Check(3).Is(1), 0, "the function is not a function, it is a int"},
		{"missing", Check(Missing("score"), 1).Is(1), 0, "score is not defined: the cell that should define it is missing, was not run, or has an error"},
		{"panic", Check(func() int { panic("no") }).Is(1), 0, "the function panics: no"},
		{"endless", Check(func() int { select {} }).Is(1).Within(time.Millisecond), 0, "the function takes longer than 1ms"},
		{"changed argument", Check(zero, []float64{1, 2}).Is(0), 0, "the function changes its argument 1: [1 2] became [0 2]"},
		{"allowed to change", Check(zero, []float64{1, 2}).Is(0).MayChange(), 1, ""},
		{"error", Check(func() (int, error) { return 0, errors.New("empty") }).Is(0), 0, `the function returns the error "empty"`},
		{"reference", Check(double, 1).Like(func(x float64) float64 { return x + x }).On(5), 1, ""},
		{"property", Check(double, 1).That("at most 1", func(x float64) bool { return x <= 1 }), 0, "the function(1) is 2; expected: at most 1"},
		{"generated", Check(double).Like(double).For(3, func(seed uint64) []any { return []any{float64(seed)} }), 1, ""},
		{"hidden", Check(double, 2).Is(5).Hidden(), 0, "1 hidden check failed: a wrong result"},
		{"kind", Check(double, 2).Is(5).Kind("twos").Hidden(), 0, "1 hidden check failed (twos): a wrong result"},
		{"hidden type", Check(double, "2").Is(5).Hidden(), 0, "1 hidden check failed: a wrong type"},
		{"hidden number of results", Check(double, 2).Is(5, 6).Hidden(), 0, "1 hidden check failed: a wrong type"},
		{"hidden panic", Check(func(xs []int) int { return xs[0] }, []int{}).Is(5).Hidden(), 0, "1 hidden check failed: a panic"},
		{"hidden change", Check(zero, []float64{1}).Is(0).Hidden(), 0, "1 hidden check failed: a changed argument"},
		{"nothing expected", Check(double, 2), math.NaN(), "check of the function: it must state what is right; end it with .Is(value), .Like(reference) or .That(words, condition)"},
		{"On without Like", Check(double, 2).Is(4).On(3), math.NaN(), "check of the function: On must come after Like, which computes the expected results for other data"},
		{"the reference panics", Check(double, 2).Like(func(float64) float64 { panic("no") }), math.NaN(), "check of the function: the reference panics: no"},
		{"negative points", Check(double, 2).Is(4).Points(-1), math.NaN(), "check of the function: the points must not be negative, got -1"},
		{"kept from a function that reaches the expected value", func() *Task {
			later = []float64{1}
			return Check(func() []float64 { later[0] = 7; return []float64{7} }).Is(later)
		}(), 0, "the function() is [7], expected [1]; at [0] it is 7, expected 1"},
	} {
		points, problem := text(t, tt.check)
		if problem != tt.problem || points != tt.points && !(math.IsNaN(points) && math.IsNaN(tt.points)) {
			t.Errorf("%s: %v points, %q; want %v, %q", tt.name, points, problem, tt.points, tt.problem)
		}
	}
}

// TestOn: rows and labels are drawn together, so that a pair stays a pair.
func TestOn(t *testing.T) {
	x, y := [][]float64{{1}, {2}, {3}, {4}}, []int{10, 20, 30, 40}
	pairs := func(x [][]float64, y []int, n int) bool {
		for i := range x {
			if 10*x[i][0] != float64(y[i]) || n != 7 {
				return false
			}
		}
		return len(x) == 4
	}
	seen := map[string]bool{}
	c := Check(func(x [][]float64, y []int, n int) bool {
		seen[brief(reflect.ValueOf(y))] = true
		return pairs(x, y, n)
	}, x, y, 7).Like(func([][]float64, []int, int) bool { return true }).On(10)
	if points, problem := text(t, c); points != 1 {
		t.Error(problem)
	}
	if len(seen) < 9 {
		t.Errorf("%d different data sets of 11", len(seen))
	}
}

func TestText(t *testing.T) {
	answer := "The margin is large, e.g. 0.5. So the bound (R/γ)² is small! Does order matter"
	for _, tt := range []struct {
		check   *Text
		points  float64
		problem string
	}{
		{CheckText(answer).Mentions("MARGIN", "order").AtLeast(3), 1, ""},
		{CheckText(answer).Mentions("radius|bound"), 1, ""},
		{CheckText(answer).Mentions("argin"), 0, "the answer does not mention argin"},
		{CheckText(answer).Mentions("kernel", "margin").Partial().Points(4), 2, "the answer does not mention kernel"},
		{CheckText(answer).AtLeast(5), 0, "the answer has 3 sentences, expected at least 5"},
		{CheckText(""), math.NaN(), "check of the answer: it must state what is right; end it with .Mentions(words) or .AtLeast(sentences)"},
		{CheckText(7).AtLeast(1), 0, "the answer must be a string, got a int"},
	} {
		points, problem := text(t, tt.check)
		if problem != tt.problem || points != tt.points && !(math.IsNaN(points) && math.IsNaN(tt.points)) {
			t.Errorf("%v points, %q; want %v, %q", points, problem, tt.points, tt.problem)
		}
	}
}

func TestPlot(t *testing.T) {
	fig := chart.Plot([]float64{1, 2}).Name("test error").X("Epoch").Title("Learning")
	for _, tt := range []struct {
		check   *Plot
		points  float64
		problem string
	}{
		{CheckPlot(fig).HasLine("Test error").XLabel("epoch").HasTitle("learning").Through("test error", []float64{1, 2}), 1, ""},
		{CheckPlot(fig).HasLine("training error"), 0, `the figure has no line "training error", it has "test error"`},
		{CheckPlot(fig).YLabel("error"), 0, "the figure has no title of the y axis: give it one with .Y(words)"},
		{CheckPlot(fig).XLabel("depth"), 0, `the x axis says "Epoch", expected "depth"`},
		{CheckPlot(fig).HasPoints("").HasLine("").Partial().Points(2), 1, "the figure has no points"},
		{CheckPlot(fig).Through("test error", []float64{1, 3}), 0, `value 1 of "test error" is 2, expected 3`},
		{CheckPlot(nil).HasLine("x"), 0, "there is no chart: keep it in a variable, fig := Plot(x, y)"},
	} {
		if points, problem := text(t, tt.check); problem != tt.problem || points != tt.points {
			t.Errorf("%v points, %q; want %v, %q", points, problem, tt.points, tt.problem)
		}
	}
}

func TestDisplay(t *testing.T) {
	s := Checks(Check(math.Sqrt, 4).Is(2).Points(2), Checks(Check(math.Sqrt, 2).Is(1).Hint("<root>")), nil)
	b, err := s.Display()
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Data[display.MIMEText]; got != "2" {
		t.Errorf("text/plain is %v: a grader wants the points", got)
	}
	page := b.Data[display.MIMEHTML].(string)
	for _, want := range []string{"2 of 3 points", "aria-label=\"wrong\"", "Hint: &lt;root&gt;", "2 / 2", "0 / 1"} {
		if !strings.Contains(page, want) {
			t.Errorf("the table lacks %q:\n%s", want, page)
		}
	}
	want := Report{Points: 2, Of: 3, Checks: []CheckLine{
		{Name: "the function", Points: 2, Of: 2},
		{Name: "the function", Of: 1, Text: "the function(2) is 1.4142135623730951, expected 1", Hint: "<root>", Failure: "a wrong result"},
	}}
	if got := b.Data[MIME]; !reflect.DeepEqual(got, want) {
		t.Errorf("report %+v, want %+v", got, want)
	}
}

// uses is a session in which functions use these names.
type uses struct {
	alone
	names map[string]bool
}

func (u uses) Uses(string) map[string]bool { return u.names }

// TestWithout checks that names that one check of a function forbids are forbidden in its other
// checks of the same sheet, too.
func TestWithout(t *testing.T) {
	double := Named("double", func(x float64) float64 { return 2 * x })
	for _, tt := range []struct {
		name    string
		uses    []string
		check   *Task
		problem string
	}{
		{"nothing", nil, Check(double, 1).Is(2).ByHand(), ""},
		{"a package", []string{"ml", "ml.KMeans"}, Check(double, 1).Is(2).Without("ml"), "double uses ml.KMeans, which this task forbids"},
		{"a name of a package", []string{"ml", "ml.KMeans"}, Check(double, 1).Is(2).Without("ml.Dot"), ""},
		{"arithmetic by hand", []string{"ml", "ml.Dot", "ml.Norm", "ml.Norm.X"}, Check(double, 1).Is(2).ByHand(), ""},
		{"the library by hand", []string{"ml", "ml.Dot", "ml.Fit", "ml.KNN"}, Check(double, 1).Is(2).ByHand(), "double uses ml.Fit and ml.KNN, which this task forbids"},
		{"more by hand", []string{"stat", "stat.Mean", "for"}, Check(double, 1).Is(2).ByHand("stat", "for"), "double uses for and stat.Mean, which this task forbids"},
	} {
		names := map[string]bool{}
		for _, n := range tt.uses {
			names[n] = true
		}
		other, free := Check(double, 2).Is(4).Hidden(), Check(Named("half", func(x float64) float64 { return x / 2 }), 2).Is(1)
		if err := Checks(tt.check, other, free).Run(uses{names: names}); err != nil {
			t.Fatal(err)
		}
		if got := tt.check.problem(); got != tt.problem {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.problem)
		}
		if (other.earned() == 1) != (tt.problem == "") || free.earned() != 1 {
			t.Errorf("%s: the other check of the function earns %v, that of another one %v", tt.name, other.earned(), free.earned())
		}
	}
}

// Points are decimal fractions, whose sums are rounded.
func TestSumOfPoints(t *testing.T) {
	double := func(x float64) float64 { return 2 * x }
	var s []Item
	for range 3 {
		s = append(s, Check(double, 1).Is(2).Points(0.1).Hidden())
	}
	r, err := Checks(s...).Report()
	if err != nil || r.Points != 0.3 || r.Of != 0.3 || !r.Checks[0].Hidden {
		t.Errorf("%+v, %v", r, err)
	}
}
