package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// tested is an engine with the options of a test.
type tested struct{ o Options }

func (*tested) Dialect() (*lazy.Dialect, error)      { return nil, fmt.Errorf("no SQL") }
func (*tested) Collect(string) (*frame.Frame, error) { return nil, fmt.Errorf("no SQL") }
func (*tested) String() string                       { return "test" }
func (t *tested) Run(f *lazy.Frame, yield func(*frame.Frame) error) error {
	return Run(f, t.o, yield)
}
func (t *tested) All(f *lazy.Frame) (*frame.Frame, error) { return Collect(f, t.o) }
func (t *tested) Explain(f *lazy.Frame) (string, error)   { return Explain(f) }

// randomFrame has keys with few values, floats that add without rounding, and gaps.
func randomFrame(rng *rand.Rand, n int) *frame.Frame {
	gaps := make([]uint64, (n+63)/64)
	gap := func() []uint64 {
		for i := range gaps {
			gaps[i] = rng.Uint64() & rng.Uint64() & rng.Uint64()
		}
		return slices.Clone(gaps)
	}
	few, wide, small, moments := make([]int64, n), make([]int64, n), make([]float64, n), make([]int64, n)
	words, texts, yes := make([]string, n), make([]string, n), make([]bool, n)
	for i := range n {
		few[i] = int64(rng.IntN(5)) - 2
		wide[i] = int64(rng.IntN(n+1)) * 1e15
		small[i] = float64(rng.IntN(64)-32) / 4
		moments[i] = int64(rng.IntN(9)) * 864e11
		words[i] = []string{"", "a", "bb", "ccc"}[rng.IntN(4)]
		texts[i] = fmt.Sprintf("text %d", rng.IntN(n+1))
		yes[i] = rng.IntN(2) == 0
	}
	none := slices.Repeat([]uint64{0}, len(gaps))
	for i := range small {
		switch {
		case rng.IntN(9) == 0:
			small[i] = math.NaN()
		case small[i] == 0 && rng.IntN(2) == 0:
			small[i] = math.Copysign(0, -1)
		}
	}
	f, err := frame.New(
		frame.IntColumn("few", few).MarkMissing([][]uint64{gap(), none}[rng.IntN(2)]),
		frame.IntColumn("wide", wide),
		frame.FloatColumn("small", small).WithUnit("km"),
		frame.NanoColumn("at", moments, time.UTC).MarkMissing(gap()),
		frame.StringColumn("word", words).MarkMissing(gap()),
		frame.StringColumn("text", texts),
		frame.BoolColumn("yes", yes).MarkMissing(gap()),
	)
	if err != nil {
		panic(err)
	}
	return f
}

// both is a pipeline on a frame in memory and on a lazy one.
type both struct {
	f    *frame.Frame
	l    *lazy.Frame
	text []string
}

// step adds a random verb.
func (b *both) step(rng *rand.Rand, engine *tested, joins int) *both {
	names := b.f.Names()
	name := func() string { return names[rng.IntN(len(names))] }
	of := func(kinds ...frame.Kind) string {
		var some []string
		for _, c := range b.f.Columns() {
			if slices.Contains(kinds, c.Kind()) {
				some = append(some, c.Name())
			}
		}
		if len(some) == 0 {
			return ""
		}
		return some[rng.IntN(len(some))]
	}
	list := func() []string {
		out := slices.Clone(names)
		rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out[:1+rng.IntN(min(3, len(out)))]
	}
	num := []frame.Kind{frame.IntKind, frame.FloatKind, frame.BoolKind}
	say := func(format string, args ...any) []string {
		return append(slices.Clone(b.text), fmt.Sprintf(format, args...))
	}
	switch rng.IntN(11) {
	case 0:
		x := of(frame.IntKind, frame.FloatKind)
		if x == "" {
			return b
		}
		v := float64(rng.IntN(9) - 4)
		low, not := b.f.Col(x).Less(v), b.l.Col(x).Less(v)
		if rng.IntN(2) == 0 {
			low, not = low.Not(), not.Not()
		}
		if y := of(frame.StringKind); y != "" && rng.IntN(2) == 0 {
			low, not = low.Or(b.f.Col(y).Greater("a")), not.Or(b.l.Col(y).Greater("a"))
		}
		return &both{b.f.Where(low), b.l.Where(not), say("where %s and %v", x, v)}
	case 1:
		x := of(frame.StringKind, frame.TimeKind)
		if x == "" {
			return b
		}
		var v any = "b"
		if b.f.Col(x).Kind() == frame.TimeKind {
			v = time.Date(1970, 1, 3, 0, 0, 0, 0, time.UTC)
		}
		return &both{b.f.Where(b.f.Col(x).GreaterEqual(v)), b.l.Where(b.l.Col(x).GreaterEqual(v)), say("%s >= %v", x, v)}
	case 2:
		x := of(frame.FloatKind)
		if x == "" {
			return b
		}
		return &both{b.f.With("new", b.f.Col(x).Times(2).Plus(1)), b.l.With("new", b.l.Col(x).Times(2).Plus(1)), say("new from %s", x)}
	case 3:
		some := list()
		return &both{b.f.Select(some...), b.l.Select(some...), say("select %q", some)}
	case 4:
		by := list()
		for i := range by {
			if rng.IntN(2) == 0 {
				by[i] = "-" + by[i]
			}
		}
		return &both{b.f.Sort(by...), b.l.Sort(by...), say("sort %q", by)}
	case 5:
		n := rng.IntN(b.f.Len() + 2)
		return &both{b.f.Head(n), b.l.Head(n), say("head %d", n)}
	case 6:
		by := list()
		if rng.IntN(2) == 0 {
			by = nil
		}
		return &both{b.f.Distinct(by...), b.l.Distinct(by...), say("distinct %q", by)}
	case 7, 8:
		by := list()
		aggs := []frame.Agg{frame.Count()}
		for k := range 1 + rng.IntN(5) {
			x := name()
			all := []frame.Agg{frame.Count(x), frame.Min(x), frame.Max(x), frame.First(x), frame.Last(x)}
			if k == 0 && rng.IntN(3) == 0 {
				all = []frame.Agg{frame.Unique(x)}
			}
			if y := of(num...); y != "" && rng.IntN(2) == 0 {
				all = []frame.Agg{frame.Sum(y), frame.Mean(y), frame.SD(y), frame.Variance(y)}
				if k == 0 && rng.IntN(2) == 0 {
					all = []frame.Agg{frame.Median(y), frame.Quantile(y, 0.3), frame.Corr(y, of(num...))}
				}
			}
			aggs = append(aggs, all[rng.IntN(len(all))].As(fmt.Sprintf("agg%d", k)))
		}
		for _, a := range aggs {
			if slices.Contains(by, a.Parts().Name) {
				return b
			}
		}
		said := say("group by %q: %v", by, aggs)
		if rng.IntN(5) == 0 {
			return &both{b.f.Agg(aggs...), b.l.Agg(aggs...), say("aggregate %v", aggs)}
		}
		return &both{b.f.By(by...).Agg(aggs...), b.l.By(by...).Agg(aggs...), said}
	}
	if joins == 0 || b.f.Len() > 2000 {
		return b
	}
	if rng.IntN(4) == 0 {
		x, n := name(), rng.IntN(b.f.Len()+2)
		few, fewer := b.f.Head(n).Where(b.f.Head(n).Col(x).IsNA().Not()), b.l.Head(n).Where(b.l.Head(n).Col(x).IsNA().Not())
		return &both{frame.Concat(b.f, few, b.f), b.l.Concat(fewer, b.l), say("concat with head %d without missing %s", n, x)}
	}
	other := start(rng, engine, 1+rng.IntN(60))
	other = other.step(rng, engine, 0)
	var on []string
	for _, x := range names {
		if other.f.Has(x) && !b.f.Has(x+"_right") && number(b.f.Col(x)) == number(other.f.Col(x)) {
			on = append(on, x)
		}
	}
	if len(on) == 0 {
		return b
	}
	rng.Shuffle(len(on), func(i, j int) { on[i], on[j] = on[j], on[i] })
	on = on[:1+rng.IntN(min(2, len(on)))]
	for _, x := range other.f.Names() {
		if b.f.Has(x+"_right") || other.f.Has(x+"_right") {
			return b
		}
	}
	said := say("join on %q with %q", on, other.text)
	if k := b.f.Col(on[0]).Kind(); k != frame.StringKind && k != frame.BoolKind && rng.IntN(2) == 0 {
		how := frame.AsOf{On: on[0], By: on[1:], Direction: []string{"", "backward", "forward", "nearest"}[rng.IntN(4)], Strict: rng.IntN(3) == 0}
		if rng.IntN(2) == 0 {
			how.Within = map[bool]any{true: "2 days", false: rng.IntN(5)}[k == frame.TimeKind]
		}
		return &both{b.f.AsOfJoin(other.f, how), b.l.AsOfJoin(other.l, how), append(said, fmt.Sprintf("as of %+v", how))}
	}
	switch rng.IntN(4) {
	case 0:
		return &both{b.f.Join(other.f, on...), b.l.Join(other.l, on...), said}
	case 1:
		return &both{b.f.LeftJoin(other.f, on...), b.l.LeftJoin(other.l, on...), append(said, "left")}
	case 2:
		return &both{b.f.SemiJoin(other.f, on...), b.l.SemiJoin(other.l, on...), append(said, "semi")}
	}
	return &both{b.f.AntiJoin(other.f, on...), b.l.AntiJoin(other.l, on...), append(said, "anti")}
}

func number(c *frame.Column) frame.Kind {
	if c.Kind() == frame.FloatKind {
		return frame.IntKind
	}
	return c.Kind()
}

func start(rng *rand.Rand, engine *tested, n int) *both {
	f := randomFrame(rng, n)
	return &both{f, lazy.FromSource(engine, &memory{f, 1 + rng.IntN(20)}, f), []string{fmt.Sprintf("%d rows", n)}}
}

// differ compares two frames: floats within a tolerance, since sums are added in another order.
func differ(got, want *frame.Frame) string {
	if got.Len() != want.Len() || !slices.Equal(got.Names(), want.Names()) {
		return fmt.Sprintf("got %d rows of %q, want %d rows of %q", got.Len(), got.Names(), want.Len(), want.Names())
	}
	for j, w := range want.Columns() {
		g := got.Columns()[j]
		if g.Kind() != w.Kind() || g.Unit() != w.Unit() {
			return fmt.Sprintf("column %q is of kind %v and unit %q, want %v and %q", w.Name(), g.Kind(), g.Unit(), w.Kind(), w.Unit())
		}
		for i := range want.Len() {
			a, b := g.At(i), w.At(i)
			x, isFloat := a.(float64)
			if y, ok := b.(float64); ok && isFloat && math.Abs(x-y) <= 1e-9*(1+math.Abs(y)) {
				continue
			}
			if at, ok := a.(time.Time); ok && b != nil && at.Equal(b.(time.Time)) {
				continue
			}
			if a != b {
				return fmt.Sprintf("row %d of column %q is %v, want %v", i, w.Name(), a, b)
			}
		}
	}
	return ""
}

// TestRandomPipelines compares random pipelines with the verbs of frames. The memory is so small
// that most steps write to the temporary file.
func TestRandomPipelines(t *testing.T) {
	spills := 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 7))
		engine := &tested{Options{Memory: int64(500 + rng.IntN(60000)), Rows: 1 + rng.IntN(40), Spills: &spills}}
		b := start(rng, engine, rng.IntN(400))
		for range 1 + rng.IntN(5) {
			before := b
			if b = try(b, rng, engine); b == nil {
				b = before
				break
			}
		}
		got, err := b.l.Collect()
		if err != nil {
			if strings.Contains(err.Error(), "must fit into memory") {
				continue
			}
			t.Fatalf("seed %d: %v: %v", seed, b.text, err)
		}
		if d := differ(got, b.f); d != "" {
			plan, _ := b.l.Explain()
			t.Fatalf("seed %d: %s\n%s\n%s", seed, strings.Join(b.text, "\n"), d, plan)
		}
	}
	if spills < 200 {
		t.Errorf("only %d blocks were written to the temporary file", spills)
	}
}

// try adds a step, unless the frame refuses it.
func try(b *both, rng *rand.Rand, engine *tested) (out *both) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return b.step(rng, engine, 1)
}
