package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// TestAsOfJoin compares joins with those of frames, in memory and in a temporary file. Many rows
// are equal in the column On, and some have infinite or missing values.
func TestAsOfJoin(t *testing.T) {
	spills := 0
	for seed := range uint64(160) {
		rng := rand.New(rand.NewPCG(seed, 11))
		left, right := randomFrame(rng, rng.IntN(300)), randomFrame(rng, rng.IntN(300))
		infinite := func(f *frame.Frame) *frame.Frame {
			v := f.Col("small").Floats()
			for i := range v {
				if rng.IntN(30) == 0 {
					v[i] = math.Inf(1 - 2*rng.IntN(2))
				}
			}
			return f.With("small", frame.FloatColumn("small", v).WithUnit("km"))
		}
		left, right = infinite(left), infinite(right).Rename("few", "some")
		o := Options{Memory: int64(2000 + rng.IntN(100_000)), Rows: 1 + rng.IntN(50), Spills: &spills}
		if seed%4 == 0 {
			o.Memory = 1 << 30
		}
		engine := &tested{o}
		l, r := lazy.FromSource(engine, &memory{left, 1 + rng.IntN(90)}, left), lazy.FromSource(engine, &memory{right, 1 + rng.IntN(90)}, right)
		on := []string{"at", "small", "wide", "few=some", "small=some", "few=small"}[rng.IntN(6)]
		how := frame.AsOf{On: on, Direction: []string{"", "backward", "forward", "nearest"}[rng.IntN(4)], Strict: rng.IntN(2) == 0}
		for _, by := range []string{"word", "yes", "few=small"} {
			if rng.IntN(3) == 0 && !strings.HasPrefix(on, "few") {
				how.By = append(how.By, by)
			}
		}
		if rng.IntN(2) == 0 {
			how.Within = rng.IntN(4)
			if on == "at" {
				how.Within = []any{"1 day", 48 * time.Hour}[rng.IntN(2)]
			}
		}
		want := left.AsOfJoin(right, how)
		got, err := l.AsOfJoin(r, how).Collect()
		if err != nil {
			t.Fatalf("seed %d: %+v: %v", seed, how, err)
		}
		if d := differ(got, want); d != "" {
			t.Fatalf("seed %d: %+v: %s", seed, how, d)
		}
		// Few columns of the result, and filters on both sides.
		want = want.Where(want.Col("text_right").GreaterEqual("text 1").And(want.Col("text").LessEqual("text 5")))
		want = want.By("word").Agg(frame.Count(), frame.Max("wide"))
		j := l.AsOfJoin(r, how)
		j = j.Where(j.Col("text_right").GreaterEqual("text 1").And(j.Col("text").LessEqual("text 5")))
		got, err = j.By("word").Agg(frame.Count(), frame.Max("wide")).Collect()
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(got, want); d != "" {
			t.Fatalf("seed %d: %+v, filtered: %s", seed, how, d)
		}
	}
	if spills < 200 {
		t.Errorf("only %d blocks were written to the temporary file", spills)
	}
}

// TestConcat compares rows one after the other with those of frames.
func TestConcat(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 12))
	a, b := randomFrame(rng, 300), randomFrame(rng, 200)
	zone, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	b = b.With("at", b.Col("at").In(zone)).With("small", b.Col("small").WithUnit("m"))
	b = b.Select("yes", "text", "word", "at", "small", "wide", "few")
	engine := &tested{Options{Rows: 50, Memory: 20_000}}
	la, lb := lazy.FromSource(engine, &memory{a, 64}, a), lazy.FromSource(engine, &memory{b, 30}, b)
	both, lazily := frame.Concat(a, b, a.Head(0), a), la.Concat(lb, la.Head(0), la)
	for name, p := range map[string]struct {
		want *frame.Frame
		got  *lazy.Frame
	}{
		"all":    {both, lazily},
		"head":   {both.Head(310), lazily.Head(310)},
		"filter": {both.Where(both.Col("at").Greater("1970-01-04")).Select("text", "at"), lazily.Where(lazily.Col("at").Greater("1970-01-04")).Select("text", "at")},
		"count":  {both.Agg(frame.Count()), lazily.Agg(frame.Count())},
		"groups": {both.By("word").Agg(frame.Sum("few"), frame.Median("small"), frame.First("text")), lazily.By("word").Agg(frame.Sum("few"), frame.Median("small"), frame.First("text"))},
		"sort":   {both.Sort("-text", "few"), lazily.Sort("-text", "few")},
		"hours":  {both.With("h", both.Col("at").Hour()).Select("h"), lazily.With("h", lazily.Col("at").Hour()).Select("h")},
		"joined": {both.Join(a.Distinct("text").Select("text", "wide"), "text"), lazily.Join(la.Distinct("text").Select("text", "wide"), "text")},
	} {
		got, err := p.got.Collect()
		if err != nil {
			t.Fatal(name, err)
		}
		if d := differ(got, p.want); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	plan, err := lazily.Where(lazily.Col("few").Greater(1)).Select("text").Explain()
	if err != nil || strings.Count(plan, "skip parts without few > 1") != 3 || !strings.Contains(plan, "one after the other") {
		t.Errorf("%v, the plan is\n%s", err, plan)
	}
}

func TestCombineRefuses(t *testing.T) {
	a := randomFrame(rand.New(rand.NewPCG(2, 12)), 30)
	engine := &tested{}
	l := lazy.FromSource(engine, &memory{a, 64}, a)
	other := lazy.FromSource(&tested{}, &memory{a, 64}, a)
	for want, do := range map[string]func(){
		"frame 2 has no column \"few\"":                                  func() { l.Concat(l, l.Drop("few")) },
		"only frame 1 has the column \"new\"":                            func() { l.Concat(l.With("new", 1)) },
		`column "few" must be of the same kind in all frames, got int64`: func() { l.Concat(l.With("few", l.Col("small"))) },
		"all frames must be in the same database":                        func() { l.Concat(other) },
		"both frames must be in the same database":                       func() { l.AsOfJoin(other, frame.AsOf{On: "at"}) },
		"On must name a column":                                          func() { l.AsOfJoin(l, frame.AsOf{}) },
		"must both be times or numbers":                                  func() { l.AsOfJoin(l, frame.AsOf{On: "word"}) },
		"Direction must be":                                              func() { l.AsOfJoin(l, frame.AsOf{On: "at", Direction: "up"}) },
		"Within must be a span of time":                                  func() { l.AsOfJoin(l, frame.AsOf{On: "at", Within: 3}) },
	} {
		func() {
			defer func() {
				if p := recover(); !strings.Contains(fmt.Sprint(p), want) {
					t.Errorf("got %v, want %q", p, want)
				}
			}()
			do()
		}()
	}
}
