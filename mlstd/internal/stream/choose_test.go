package stream

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// chosen has the rows of a test of choices: numbers with a missing value, and strings with one.
func chosen(t *testing.T) *frame.Frame {
	t.Helper()
	f, err := frame.New(
		frame.FloatColumn("x", []float64{-1, 0, 2, math.NaN(), 800, -800}),
		frame.IntColumn("n", []int64{1, 2, 3, 4, 5, 6}).MarkMissing([]uint64{1 << 1}),
		frame.StringColumn("s", []string{"a", "b", "c", "d", "", "f"}).MarkMissing([]uint64{1 << 4}),
		frame.BoolColumn("b", []bool{true, false, true, false, true, false}).MarkMissing([]uint64{1 << 2}),
		frame.TimeColumn("t", slices.Repeat([]time.Time{time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)}, 6)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestChoices(t *testing.T) {
	f := chosen(t)
	in := lazy.FromSource(nil, Memory(f), f)
	x, n, s, b := in.Col("x"), in.Col("n"), in.Col("s"), in.Col("b")
	lit := lazy.Literal
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	nan, inf := math.NaN(), math.Inf(1)
	nothing := any(nil)
	for name, c := range map[string]struct {
		c    *lazy.Column
		want []any
	}{
		"strings":        {x.Greater(0).If("high", "low"), []any{"low", "low", "high", nothing, "high", "low"}},
		"column or null": {x.Greater(0).If(s, nil), []any{nothing, nothing, "c", nothing, nothing, nothing}},
		"mixed numbers":  {b.If(n, 0.5), []any{1.0, 0.5, nan, 0.5, 5.0, 0.5}},
		"integers":       {b.If(n, 7), []any{int64(1), int64(7), nothing, int64(7), int64(5), int64(7)}},
		"times":          {x.GreaterEqual(0).If(in.Col("t"), day), []any{day, f.Col("t").At(0), f.Col("t").At(0), nothing, f.Col("t").At(0), day}},
		"masks":          {b.If(x.Greater(0), b.Not()), []any{false, true, nothing, true, true, true}},
		"case":           {lazy.Case(x.Less(0), lit(1.0), x.Greater(1), lit(2.0), lit(3.0)), []any{1.0, 3.0, 2.0, 3.0, 2.0, 1.0}},
		"case of names": {lazy.Case(s.Equal("a"), lit(1.0), lazy.In(s, []string{"b", "a"}), lit(2.0), s.Equal("c"), lit(3.0), s.Equal("d"), lit(4.0), lit(5.0)),
			[]any{1.0, 2.0, 3.0, 4.0, 5.0, 5.0}},
		"case without rest": {lazy.Case(n.Equal(1), x), []any{-1.0, nan, nan, nan, nan, nan}},
		"in":                {lazy.In(s, []string{"a", "f"}), []any{true, false, false, false, nothing, true}},
		"sum":               {lazy.Sum(x, lit(0.5), n.Float()), []any{0.5, nan, 5.5, nan, 805.5, -793.5}},
		"exp":               {x.Exp(), []any{math.Exp(-1), 1.0, math.Exp(2), nan, inf, 0.0}},
		"exp of integers":   {n.Exp(), []any{math.E, nan, math.Exp(3), math.Exp(4), math.Exp(5), math.Exp(6)}},
		"log":               {x.Log(), []any{nan, -inf, math.Log(2), nan, math.Log(800), nan}},
		"filled":            {x.FillMissing(1).Plus(lazy.Sum(x, x)).FillMissing(0), []any{-3.0, 0.0, 6.0, 0.0, 2400.0, -2400.0}},
		"logic":             {x.Greater(0).And(b).Or(s.Equal("b")).If(1.5, -1.5), []any{-1.5, 1.5, nan, -1.5, 1.5, -1.5}},
		"missing":           {lazy.Sum(x, x).IsNA().If(1.0, x.NotEqual(2).If(2.0, 3.0)), []any{2.0, 2.0, 3.0, 1.0, 2.0, 2.0}},
	} {
		out, err := Collect(in.With("out", c.c), Options{Rows: 4})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, got := range []*frame.Column{out.Col("out"), f.With("out", c.c).Col("out")} {
			for i, want := range c.want {
				g := got.At(i)
				if w, ok := want.(float64); ok && w != w {
					want = nil
				}
				if w, ok := want.(time.Time); ok {
					if g, ok := g.(time.Time); !ok || !g.Equal(w) {
						t.Errorf("%s, row %d: got %v, want %v", name, i, g, w)
					}
					continue
				}
				if got.IsMissing(i) != (want == nil) || want != nil && g != want {
					t.Errorf("%s, row %d: got %v, want %v", name, i, g, want)
				}
			}
		}
	}
	if got := f.Where(x.Exp().Greater(1)).Len(); got != 2 {
		t.Errorf("Where of a frame keeps %d rows, want 2", got)
	}
}

// TestSharedParts checks that a part that occurs many times is computed in a step of its own, so
// that the size of the plan stays small.
func TestSharedParts(t *testing.T) {
	f := chosen(t)
	in := lazy.FromSource(nil, Memory(f), f)
	c := lazy.Sum(in.Col("x"), in.Col("n").Float(), in.Col("x").Times(2), in.Col("x").Minus(3.5), lazy.Literal(0.25))
	for range 40 {
		c = lazy.Sum(c, c, lazy.Literal(1.0)).Times(0.25)
	}
	g := in.With("out", c).Where(c.Greater(0))
	plan, err := Explain(g)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan) > 100_000 {
		t.Errorf("the plan has %d bytes", len(plan))
	}
	out, err := Collect(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := func(x, n float64) float64 {
		v := x + n + x*2 + (x - 3.5) + 0.25
		for range 40 {
			v = (v + v + 1) * 0.25
		}
		return v
	}
	if !slices.Equal(out.Names(), append(f.Names(), "out")) {
		t.Errorf("the columns are %q", out.Names())
	}
	for i := range out.Len() {
		x, n := out.Col("x").At(i).(float64), float64(out.Col("n").At(i).(int64))
		if got := out.Col("out").At(i); got != want(x, n) {
			t.Errorf("row %d: got %v, want %v", i, got, want(x, n))
		}
	}
	if out.Len() != 4 {
		t.Errorf("got %d rows, want 4", out.Len())
	}
}
