package stream

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// TestOwnAggregates compares functions of the user with those on frames. Their results can be of
// different kinds in different parts of the data.
func TestOwnAggregates(t *testing.T) {
	f := randomFrame(rand.New(rand.NewPCG(1, 2)), 1000)
	for _, limit := range []int64{1 << 30, 20_000} {
		l := lazy.FromSource(&tested{Options{Memory: limit, Rows: 100}}, &memory{f, 64}, f)
		for name, own := range map[string]func(c *frame.Column) any{
			"median": func(c *frame.Column) any { return c.Quantile(0.5) },
			"mixed": func(c *frame.Column) any {
				if c.Len() > 3 {
					return 1.5
				}
				return 1
			},
			"missing": func(c *frame.Column) any { return nil },
			"count":   func(c *frame.Column) any { return c.Len() },
		} {
			a := frame.AggColumn("small", own)
			want := f.By("text").Agg(a)
			if c := want.Col("small_own"); c.Kind() != frame.FloatKind {
				want = want.With("small_own", numbers(c, "small_own"))
			}
			got, err := l.By("text").Agg(a).Sort("-text").Collect()
			if err != nil {
				t.Error(name, err)
			} else if d := differ(got, want.Sort("-text")); d != "" {
				t.Error(limit, name, d)
			}
		}
		_, err := l.By("text").Agg(frame.AggColumn("small", func(*frame.Column) any { return "much" })).Collect()
		if err == nil || !strings.Contains(err.Error(), "must return numbers") {
			t.Error(err)
		}
	}
}

// TestManyPairs checks that a join with many pairs of rows has batches of bounded size.
func TestManyPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	left, right := randomFrame(rng, 600), randomFrame(rng, 200)
	most := 0
	for _, n := range right.Counts("few").Col("count").Ints() {
		most = max(most, int(n))
	}
	for _, limit := range []int64{1 << 30, 10_000} {
		o := Options{Memory: limit, Rows: 100}
		engine := &tested{o}
		l, r := lazy.FromSource(engine, &memory{left, 600}, left), lazy.FromSource(engine, &memory{right, 50}, right)
		join := l.Join(r.Select("few", "text"), "few")
		var parts []*frame.Frame
		err := Run(join, o, func(b *frame.Frame) error {
			if b.Len() > max(most, o.Rows) {
				t.Errorf("a batch has %d rows, want at most %d", b.Len(), max(most, o.Rows))
			}
			parts = append(parts, b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(Stack(parts), left.Join(right.Select("few", "text"), "few")); d != "" {
			t.Error(d)
		}
	}
}

// TestSortZeros checks that 0 and -0 are equal, so that they keep their order.
func TestSortZeros(t *testing.T) {
	ids, zeros := make([]int64, 500), make([]float64, 500)
	for i := range ids {
		ids[i], zeros[i] = int64(i), math.Copysign(0, float64(i%3)-1)
	}
	f, err := frame.New(frame.IntColumn("id", ids), frame.FloatColumn("zero", zeros))
	if err != nil {
		t.Fatal(err)
	}
	l := lazy.FromSource(&tested{Options{Memory: 5000, Rows: 20}}, &memory{f, 20}, f)
	for _, by := range []string{"zero", "-zero"} {
		got, err := l.Sort(by).Collect()
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(got, f.Sort(by)); d != "" {
			t.Error(by, d)
		}
	}
}

// TestFirstRows compares the first rows in an order that many rows share in its first column.
func TestFirstRows(t *testing.T) {
	f := randomFrame(rand.New(rand.NewPCG(9, 9)), 3000)
	l := lazy.FromSource(&tested{}, &memory{f, 20}, f)
	for _, by := range [][]string{{"few", "text"}, {"-word", "small"}, {"at"}, {"-yes", "-wide"}, {"small"}} {
		for _, n := range []int{1, 10, 100, 2999} {
			got, err := l.Sort(by...).Head(n).Collect()
			if err != nil {
				t.Fatal(err)
			}
			if d := differ(got, f.Sort(by...).Head(n)); d != "" {
				t.Errorf("%q, %d rows: %s", by, n, d)
			}
		}
	}
}
