package frame

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

type verbsOracle struct {
	Frame        oracleColumns            `json:"frame"`
	Rolling      map[string][]any         `json:"rolling"`
	Interpolated map[string][]any         `json:"interpolated"`
	Pivots       map[string]oracleColumns `json:"pivots"`
	AsOf         map[string]any           `json:"asof"`
	Others       map[string]any           `json:"others"`
}

// each calls do with each data set of pandas.
func eachVerbsOracle(t *testing.T, do func(t *testing.T, o verbsOracle, f *Frame)) {
	var all map[string]verbsOracle
	mltest.ReadOracle(t, "frame_verbs", &all)
	if len(all) != 5 {
		t.Fatalf("%d data sets", len(all))
	}
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			do(t, o, frameOracle{Zone: "UTC", Frame: o.Frame}.frame(t))
		})
	}
}

// table returns a table of the oracle.
func tableOf(t *testing.T, v any) oracleColumns {
	t.Helper()
	out := oracleColumns{}
	for name, column := range v.(map[string]any) {
		out[name] = column.([]any)
	}
	return out
}

// agreeFrame compares all columns of a frame with those of pandas.
func agreeFrame(t *testing.T, what string, got *Frame, want oracleColumns) {
	t.Helper()
	if got.Width() != len(want) {
		t.Errorf("%s: columns %v, want %d", what, got.Names(), len(want))
		return
	}
	for name, v := range want {
		agree(t, what+": "+name, got.Col(name), v)
	}
}

func TestOracleRollingSpans(t *testing.T) {
	eachVerbsOracle(t, func(t *testing.T, o verbsOracle, f *Frame) {
		if len(o.Rolling) != 36 {
			t.Fatalf("%d windows", len(o.Rolling))
		}
		for _, span := range []string{"7 days", "36 hours", "10 minutes"} {
			for _, least := range []int{1, 3} {
				w := f.Col("x").Rolling(span, f.Col("at"))
				if least > 1 {
					w = w.AtLeast(least)
				}
				for name, got := range map[string]*Column{"mean": w.Mean(), "sum": w.Sum(), "min": w.Min(), "max": w.Max(), "median": w.Median(), "std": w.SD()} {
					key := fmt.Sprintf("%s %d %s", span, least, name)
					agree(t, key, got, o.Rolling[key])
				}
			}
		}
	})
}

func TestOracleInterpolate(t *testing.T) {
	eachVerbsOracle(t, func(t *testing.T, o verbsOracle, f *Frame) {
		x := f.Col("x")
		agree(t, "rows", x.Interpolate(), o.Interpolated["rows"])
		agree(t, "times", x.Interpolate(f.Col("at")), o.Interpolated["times"])
	})
}

func TestOraclePivotTotals(t *testing.T) {
	eachVerbsOracle(t, func(t *testing.T, o verbsOracle, f *Frame) {
		for name, a := range map[string]Agg{"sum": Sum("n"), "mean": Mean("n"), "count": Count("n")} {
			agreeFrame(t, name, f.Pivot("k", "zone", a.Totals()), o.Pivots[name])
		}
		f.Set("day", f.Col("at").Day())
		agreeFrame(t, "two rows", f.Pivot([]string{"zone", "day"}, "k", Sum("n")), o.Pivots["two rows"])
		agreeFrame(t, "two columns", f.Pivot("day", []string{"zone", "k"}, Max("n")), o.Pivots["two columns"])
	})
}

func TestOracleAsOf(t *testing.T) {
	eachVerbsOracle(t, func(t *testing.T, o verbsOracle, f *Frame) {
		quotes := tableOf(t, o.AsOf["quotes"])
		zones := make([]string, len(quotes["zone"]))
		at, price := make([]int64, len(zones)), make([]float64, len(zones))
		for i := range zones {
			zones[i], at[i], price[i] = quotes["zone"][i].(string), int64(quotes["at"][i].(float64)), quotes["price"][i].(float64)
		}
		right := must(t, StringColumn("zone", zones), NanoColumn("at", at, time.UTC), FloatColumn("price", price))
		tried := 0
		for key, want := range o.AsOf {
			words := strings.Split(key, " ")
			if len(words) != 4 {
				continue
			}
			tried++
			how := AsOf{On: "at", Direction: words[0], Strict: words[1] == "True"}
			if words[2] != "" {
				how.Within = "5 hours"
			}
			if words[3] != "" {
				how.By = []string{"zone"}
			}
			agree(t, key, f.AsOfJoin(right, how).Col("price"), want.([]any))
			// In numbers instead of times, and with the rows of f in another order.
			if how.Within != nil {
				how.Within = 5 * 3.6e12
			}
			numbers := func(g *Frame) *Frame { return g.With("at", g.Col("at").Unix(time.Nanosecond)) }
			got := numbers(f).With("row", upToInts(f.Len())).Sort("zone", "-at").AsOfJoin(numbers(right), how).Sort("row")
			agree(t, key+" of integers", got.Col("price"), want.([]any))
			floats := func(g *Frame) *Frame { return g.With("at", g.Col("at").Float().Minus(1.7e18)) }
			agree(t, key+" of floats", floats(numbers(f)).AsOfJoin(floats(numbers(right)), how).Col("price"), want.([]any))
		}
		if tried != 24 {
			t.Errorf("%d joins", tried)
		}
	})
}

func upToInts(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

func TestOracleMoreVerbs(t *testing.T) {
	eachVerbsOracle(t, func(t *testing.T, o verbsOracle, f *Frame) {
		want := func(name string) oracleColumns { return tableOf(t, o.Others[name]) }
		agreeFrame(t, "corr", f.Corr("x", "y", "n").Drop("column"), want("corr"))
		agreeFrame(t, "rank corr", f.RankCorr("x", "y", "n").Drop("column"), want("rank corr"))
		agreeFrame(t, "described", f.By("zone").Describe("x", "n"), want("described"))
		spread := AggColumn("x", func(v *Column) any { return v.Max().(float64) - v.Min().(float64) }).As("spread")
		first := AggColumn("n", func(v *Column) any { return v.At(0) }).As("first")
		agreeFrame(t, "own", f.By("zone").Agg(spread, first), want("own"))
		agree(t, "seconds", f.Col("at").Unix(time.Second), o.Others["seconds"].([]any))
		agree(t, "from seconds", f.Col("at").Unix(time.Second).FromUnix(time.Second), o.Others["from seconds"].([]any))
		agree(t, "from float seconds", f.Col("at").Unix(time.Second).Float().FromUnix(time.Second), o.Others["from seconds"].([]any))
		agree(t, "mapped", f.Col("zone").Recode(map[string]int{"north": 1, "east": 2}), o.Others["mapped"].([]any))
		agree(t, "mapped number", f.Col("k").Recode(map[int]string{-1: "low", 0: "middle", 1: "high"}), o.Others["mapped number"].([]any))
		agree(t, "replaced", f.Col("zone").Recode(map[string]string{"north": "N"}, f.Col("zone")), o.Others["replaced"].([]any))
		agreeFrame(t, "dummies", f.Select("zone", "k").Dummies("k", "zone"), want("dummies"))
		var cols []*Column
		for name, v := range want("wide") {
			numbers := make([]float64, len(v))
			for i, x := range v {
				if numbers[i] = math.NaN(); x != nil {
					numbers[i] = x.(float64)
				}
			}
			cols = append(cols, FloatColumn(name, numbers))
		}
		wide := must(t, cols...)
		agreeFrame(t, "long", wide.WideToLong("day", "x_*", "n_*"), want("long"))
		tags := f.Col("zone").Plus(",").Plus(f.Col("k").AsText()).Plus(",").Plus(f.Col("zone").Extract("^."))
		agreeFrame(t, "parts", renumbered(tags.SplitColumns(",")), want("parts"))
	})
}

// renumbered names columns from 0 on, as pandas does.
func renumbered(f *Frame) *Frame {
	names := f.Names()
	for k, name := range names {
		f = f.Rename(name, fmt.Sprint(k))
		if slices.Contains(names[k+1:], fmt.Sprint(k)) {
			panic("two columns with one name")
		}
	}
	return f
}
