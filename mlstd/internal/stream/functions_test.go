package stream

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// calls are functions of columns with arguments.
var calls = []struct {
	column, name string
	args         []any
}{
	{"word", "Lower", nil}, {"word", "Upper", nil}, {"padded", "Trim", nil}, {"text", "Replace", []any{"t", "TT"}},
	{"text", "ReplaceMatch", []any{`(\d)\d*`, "<$1>"}}, {"text", "Contains", []any{"1"}}, {"text", "HasPrefix", []any{"text 1"}},
	{"text", "HasSuffix", []any{"1"}}, {"text", "Matches", []any{`[23]$`}}, {"text", "Extract", []any{`1(\d*)`}}, {"text", "Split", []any{" ", -1}},
	{"padded", "Letters", nil}, {"small", "AsText", nil}, {"at", "AsText", nil}, {"day", "ParseTime", []any{"2.1.2006", time.UTC}},
	{"at", "Year", nil}, {"at", "Quarter", nil}, {"at", "Month", nil}, {"at", "Week", nil}, {"at", "Day", nil}, {"at", "YearDay", nil},
	{"at", "Hour", nil}, {"at", "Minute", nil}, {"at", "Second", nil}, {"at", "Weekday", nil}, {"at", "Floor", []any{"2 weeks"}},
	{"at", "Floor", []any{"6 hours"}}, {"at", "In", []any{"America/New_York"}}, {"at", "Unix", []any{time.Minute}}, {"few", "FromUnix", []any{time.Hour}},
	{"small", "FromUnix", []any{time.Hour}},
}

// invoke calls a method of a column.
func invoke(c any, name string, args []any) any {
	var list []reflect.Value
	for _, a := range args {
		list = append(list, reflect.ValueOf(a))
	}
	return reflect.ValueOf(c).MethodByName(name).Call(list)[0].Interface()
}

// TestFunctions compares functions of lazy columns with the methods of the columns of frames, for
// batches of several sizes, some of them empty.
func TestFunctions(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f := randomFrame(rng, 300)
		padded, days := make([]string, f.Len()), make([]string, f.Len())
		moments := make([]int64, f.Len())
		for i := range padded {
			padded[i] = []string{" ä ", "\u2003x\ty\u00a0", "", "\n"}[rng.IntN(4)]
			days[i] = fmt.Sprintf("%d.%d.20%02d", 1+rng.IntN(28), 1+rng.IntN(12), rng.IntN(30))
			moments[i] = rng.Int64N(4e18) - 2e18
		}
		gaps := make([]uint64, (f.Len()+63)/64)
		gaps[0], gaps[2] = rng.Uint64(), rng.Uint64()
		f = f.With("padded", frame.StringColumn("padded", padded).MarkMissing(gaps)).With("day", frame.StringColumn("day", days).MarkMissing(gaps))
		f = f.With("at", frame.NanoColumn("at", moments, time.UTC).MarkMissing(gaps))
		l := lazy.FromSource(&tested{Options{Rows: 70}}, &memory{f, 1 + int(seed)*40}, f)
		mask := f.Col("few").Greater(-1)
		kept, lazily := f.Where(mask), l.Where(l.Col("few").Greater(-1))
		for _, c := range calls {
			want := kept.With("out", invoke(kept.Col(c.column), c.name, c.args)).Select("out")
			if w := want.Col("out"); w.Kind() == frame.CategoryKind {
				want = Plain(want)
			}
			e := invoke(lazily.Col(c.column), c.name, c.args).(*lazy.Column)
			out := lazily.With("out", e).Select("out")
			got, err := out.Collect()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if e.Kind() != got.Col("out").Kind() {
				t.Errorf("%s: the kind is %v, announced %v", c.name, got.Col("out").Kind(), e.Kind())
			}
			if d := differ(got, want); d != "" {
				t.Errorf("%s: %s", c.name, d)
			}
			if g, w := got.Col("out").Zone(), want.Col("out").Zone(); g.String() != w.String() {
				t.Errorf("%s: the zone is %v, want %v", c.name, g, w)
			}
		}
	}
}

// TestFunctionsInSteps uses functions in filters below joins and in keys of groups.
func TestFunctionsInSteps(t *testing.T) {
	f := randomFrame(rand.New(rand.NewPCG(3, 9)), 500)
	l := lazy.FromSource(&tested{Options{Rows: 70, Memory: 5000}}, &memory{f, 64}, f)
	a := f.With("month", f.Col("at").Day()).With("end", f.Col("text").Split(" ", 1))
	b := l.With("month", l.Col("at").Day()).With("end", l.Col("text").Split(" ", 1))
	want := a.Where(a.Col("word").Upper().Contains("B").And(a.Col("end").Letters().Greater(1))).By("month").Agg(frame.Count(), frame.Sum("small"))
	out := b.Where(b.Col("word").Upper().Contains("B").And(b.Col("end").Letters().Greater(1))).By("month").Agg(frame.Count(), frame.Sum("small"))
	got, err := out.Collect()
	if err != nil {
		t.Fatal(err)
	}
	if d := differ(got, want); d != "" {
		t.Error(d)
	}
	plan, err := out.Explain()
	if err != nil || !strings.Contains(plan, `filter (word.Upper().Contains("B") and (text.Split(" ", 1).Letters() > 1))`) {
		t.Errorf("%v, the plan is\n%s", err, plan)
	}
}

func TestFunctionsRefuse(t *testing.T) {
	f := randomFrame(rand.New(rand.NewPCG(1, 9)), 50)
	l := lazy.FromSource(&tested{}, &memory{f, 20}, f)
	for want, do := range map[string]func(){
		"Column.Lower: ":                       func() { l.Col("few").Lower() },
		"Column.Hour: ":                        func() { l.Col("word").Hour() },
		"missing closing ]":                    func() { l.Col("word").Matches("[") },
		"the pattern must have at most one gr": func() { l.Col("word").Extract("(a)(b)") },
		"the argument every must be a period":  func() { l.Col("at").Floor("1 moon") },
		"zone must be the name of a time zone": func() { l.Col("at").In("Mars") },
		"the unit must be positive":            func() { l.Col("at").Unix(0) },
		"a *time.Location, got <nil>":          func() { l.Col("at").In(nil) },
		"the values of column \"text\" must f": func() {
			if _, err := l.With("x", l.Col("text").ParseTime("2006", time.UTC)).Collect(); err != nil {
				panic(err)
			}
		},
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}()
			do()
		}()
	}
}
