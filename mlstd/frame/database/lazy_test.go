//go:build linux

package database_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// connectSpark connects to Spark. It is nil unless make engines runs the tests.
var connectSpark func(t *testing.T) *database.DB

// engines runs a test with each database, and with Spark if make engines has started it.
func engines(t *testing.T, f func(t *testing.T, kind string, db *database.DB)) {
	each(t, f)
	if connectSpark != nil {
		t.Run("spark", func(t *testing.T) { f(t, "spark", connectSpark(t)) })
	}
}

// rides and zones have ties, missing values in keys and values, and strings that quoting must
// survive. Two strings differ only in case.
func rides(t *testing.T) (rides, zones *frame.Frame) {
	t.Helper()
	names := []string{"Mitte", "mitte", `O'Hare \ "x"`, "Ünter; --", "", "z"}
	const n = 200
	id, km, zone, sold := make([]int64, n), make([]int64, n), make([]string, n), make([]bool, n)
	fare, at := make([]float64, n), make([]time.Time, n)
	gone := make([]uint64, n/64+1)
	for i := range id {
		id[i], km[i], zone[i], sold[i] = int64(i), int64(i*i%17-3), names[i*7%len(names)], i%3 == 0
		fare[i] = float64(i*37%101)/4 - 3
		at[i] = time.Date(2024, 1, 1+i%40, i%24, 0, 0, 0, time.UTC)
		if i%11 == 5 {
			gone[i/64] |= 1 << (i % 64)
			fare[i] = math.NaN()
		}
	}
	gone2 := make([]uint64, len(gone))
	gone2[0], gone2[1] = 1<<9|1<<30, 1
	rides, err := frame.New(frame.IntColumn("id", id), frame.IntColumn("km", km).MarkMissing(gone), frame.StringColumn("zone", zone).MarkMissing(gone2),
		frame.BoolColumn("sold", sold), frame.FloatColumn("fare", fare), frame.TimeColumn("at", at))
	if err != nil {
		t.Fatal(err)
	}
	zones, err = frame.New(frame.StringColumn("place", names[1:]).MarkMissing([]uint64{8}), frame.IntColumn("km", []int64{1, 2, 3, 4, 5}), frame.StringColumn("select", []string{"a", "b", "c", "d", "e"}))
	if err != nil {
		t.Fatal(err)
	}
	return rides, zones
}

// pipelines pairs verbs of lazy frames with the same verbs of frames.
var pipelines = map[string]struct {
	lazy func(r, z *lazy.Frame) *lazy.Frame
	want func(r, z *frame.Frame) *frame.Frame
}{
	"where": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Where(r.Col("fare").Greater(4).And(r.Col("zone").NotEqual("Mitte")).Or(r.Col("km").IsNA())).Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Where(r.Col("fare").Greater(4).And(r.Col("zone").NotEqual("Mitte")).Or(r.Col("km").IsNA())).Sort("id")
		},
	},
	"literals": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Where(r.Col("zone").OneOf(`O'Hare \ "x"`, "Ünter; --", "")).Where(r.Col("fare").Less(10.25)).Where(r.Col("at").GreaterEqual("2024-01-15")).Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame {
			r = r.Where(r.Col("zone").OneOf(`O'Hare \ "x"`, "Ünter; --", ""))
			r = r.Where(r.Col("fare").Less(10.25))
			return r.Where(r.Col("at").GreaterEqual("2024-01-15")).Sort("id")
		},
	},
	"not": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Where(r.Col("fare").Between(-1, 8).And(r.Col("km").LessEqual(3)).Not()).Select("id").Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Where(r.Col("fare").Between(-1, 8).And(r.Col("km").LessEqual(3)).Not()).Select("id").Sort("id")
		},
	},
	"arithmetic": {
		func(r, z *lazy.Frame) *lazy.Frame {
			r = r.With("half", r.Col("id").Over(2)).With("rest", r.Col("km").Mod(5)).With("neg", r.Col("km").Neg().Times(3))
			r = r.With("total", r.Col("fare").Plus(r.Col("km")).Minus(1)).With("label", r.Col("zone").Plus("-").Plus(r.Col("zone")))
			return r.With("filled", r.Col("km").FillMissing(0)).With("inverse", r.Col("fare").Rover(1)).Drop("sold").Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame {
			r = r.With("half", r.Col("id").Over(2)).With("rest", r.Col("km").Mod(5)).With("neg", r.Col("km").Neg().Times(3))
			r = r.With("total", r.Col("fare").Plus(r.Col("km")).Minus(1)).With("label", r.Col("zone").Plus("-").Plus(r.Col("zone")))
			return r.With("filled", r.Col("km").FillMissing(0)).With("inverse", r.Col("fare").Rover(1)).Drop("sold").Sort("id")
		},
	},
	"groups": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.By("zone").Agg(frame.Count(), frame.Count("fare"), frame.Sum("km"), frame.Sum("fare"), frame.Mean("fare"), frame.Mean("km"), frame.Min("fare"), frame.Max("at"), frame.Unique("km"))
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.By("zone").Agg(frame.Count(), frame.Count("fare"), frame.Sum("km"), frame.Sum("fare"), frame.Mean("fare"), frame.Mean("km"), frame.Min("fare"), frame.Max("at"), frame.Unique("km"))
		},
	},
	"spread": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.By("zone", "km").Agg(frame.SD("fare"), frame.Variance("fare"), frame.Median("fare"), frame.Quantile("fare", 0.9))
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.By("zone", "km").Agg(frame.SD("fare"), frame.Variance("fare"), frame.Median("fare"), frame.Quantile("fare", 0.9))
		},
	},
	"whole": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Agg(frame.Count(), frame.Sum("sold"), frame.Mean("sold"), frame.SD("km"), frame.Median("km"), frame.Max("zone"), frame.Unique("zone"))
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Agg(frame.Count(), frame.Sum("sold"), frame.Mean("sold"), frame.SD("km"), frame.Median("km"), frame.Max("zone"), frame.Unique("zone"))
		},
	},
	"empty": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Where(r.Col("id").Less(0)).Agg(frame.Count(), frame.Sum("km"), frame.Mean("fare"), frame.Max("zone"))
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Where(r.Col("id").Less(0)).Agg(frame.Count(), frame.Sum("km"), frame.Mean("fare"), frame.Max("zone"))
		},
	},
	"having": {
		func(r, z *lazy.Frame) *lazy.Frame {
			g := r.By("zone").Agg(frame.Mean("fare").As("mean"))
			g = g.Where(g.Col("mean").Greater(9)).With("twice", g.Col("mean").Times(2)).Sort("-mean").Head(3)
			return g.Where(g.Col("twice").Greater(0)).Select("zone")
		},
		func(r, z *frame.Frame) *frame.Frame {
			g := r.By("zone").Agg(frame.Mean("fare").As("mean"))
			g = g.Where(g.Col("mean").Greater(9))
			g = g.With("twice", g.Col("mean").Times(2)).Sort("-mean").Head(3)
			return g.Where(g.Col("twice").Greater(0)).Select("zone")
		},
	},
	"counts": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.Counts("zone", "sold") },
		func(r, z *frame.Frame) *frame.Frame { return r.Counts("zone", "sold") },
	},
	"sort": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Sort("-zone", "km", "-id").Head(50).Select("id", "zone").Rename("zone", "from", "id", "order")
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Sort("-zone", "km", "-id").Head(50).Select("id", "zone").Rename("zone", "from", "id", "order")
		},
	},
	"distinct": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.Sort("id").Distinct("zone", "sold") },
		func(r, z *frame.Frame) *frame.Frame { return r.Sort("id").Distinct("zone", "sold") },
	},
	"all distinct": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.Select("zone", "km").Distinct().Sort("zone", "km") },
		func(r, z *frame.Frame) *frame.Frame { return r.Select("zone", "km").Distinct().Sort("zone", "km") },
	},
	"join": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.Join(z, "zone=place").Sort("id") },
		func(r, z *frame.Frame) *frame.Frame { return r.Join(z, "zone=place").Sort("id") },
	},
	"left join": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Where(r.Col("id").Less(60)).LeftJoin(z.Where(z.Col("km").Greater(1)), "zone=place", "km").Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Where(r.Col("id").Less(60)).LeftJoin(z.Where(z.Col("km").Greater(1)), "zone=place", "km").Sort("id")
		},
	},
	"semi join": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.SemiJoin(z, "zone=place").Sort("id") },
		func(r, z *frame.Frame) *frame.Frame { return r.SemiJoin(z, "zone=place").Sort("id") },
	},
	"anti join": {
		func(r, z *lazy.Frame) *lazy.Frame { return r.Sort("-id").AntiJoin(z, "zone=place") },
		func(r, z *frame.Frame) *frame.Frame { return r.Sort("-id").AntiJoin(z, "zone=place") },
	},
	"concat": {
		func(r, z *lazy.Frame) *lazy.Frame {
			top := r.Where(r.Col("km").Greater(3)).Sort("-id").Head(7).With("half", r.Col("id").Over(2)).Drop("id")
			some := r.Where(r.Col("km").Less(0)).With("half", r.Col("fare")).Drop("id")
			all := top.Concat(some, top.Select("half", "at", "fare", "sold", "zone", "km"))
			return all.Where(all.Col("half").Greater(2)).Sort("half", "at", "zone", "km")
		},
		func(r, z *frame.Frame) *frame.Frame {
			top := r.Where(r.Col("km").Greater(3)).Sort("-id").Head(7)
			top = top.With("half", top.Col("id").Over(2)).Drop("id")
			some := r.Where(r.Col("km").Less(0))
			some = some.With("half", some.Col("fare")).Drop("id")
			all := frame.Concat(top, some, top)
			return all.Where(all.Col("half").Greater(2)).Sort("half", "at", "zone", "km")
		},
	},
	"concat groups": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Concat(r, r.Where(r.Col("km").IsNA())).By("zone").Agg(frame.Count(), frame.Sum("km"), frame.Median("fare"))
		},
		func(r, z *frame.Frame) *frame.Frame {
			return frame.Concat(r, r, r.Where(r.Col("km").IsNA())).By("zone").Agg(frame.Count(), frame.Sum("km"), frame.Median("fare"))
		},
	},
	"concat join": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Concat(r).Distinct("id").Join(z.Concat(z).Distinct(), "zone=place").Sort("id")
		},
		func(r, z *frame.Frame) *frame.Frame { return r.Join(z, "zone=place").Sort("id") },
	},
	"joined groups": {
		func(r, z *lazy.Frame) *lazy.Frame {
			return r.Join(r.By("zone").Agg(frame.Mean("fare")), "zone").Sort("-fare", "id").Head(20)
		},
		func(r, z *frame.Frame) *frame.Frame {
			return r.Join(r.By("zone").Agg(frame.Mean("fare")), "zone").Sort("-fare", "id").Head(20)
		},
	},
}

func TestLazyVerbs(t *testing.T) {
	engines(t, func(t *testing.T, kind string, db *database.DB) {
		r, z := rides(t)
		for name, f := range map[string]*frame.Frame{"lazy_rides": r, "lazy_zones": z} {
			if err := db.Replace(name, f); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() {
			mark := map[bool]string{true: "`", false: `"`}[kind == "mariadb" || kind == "spark"]
			exec(t, db, "drop table "+mark+"lazy_rides"+mark)
			exec(t, db, "drop table "+mark+"lazy_zones"+mark)
		})
		lr, err := db.Table("lazy_rides")
		if err != nil {
			t.Fatal(err)
		}
		lz, err := db.Table("lazy_zones")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lr.AsOfJoin(lr, frame.AsOf{On: "at"}).Collect(); err == nil || !strings.Contains(err.Error(), "has no AsOfJoin") {
			t.Errorf("got %v, want a refusal", err)
		}
		for name, p := range pipelines {
			t.Run(name, func(t *testing.T) {
				q := p.lazy(lr, lz)
				got, err := q.Collect()
				if err != nil {
					text, _ := q.SQL()
					t.Fatalf("%v\n%s", err, text)
				}
				equal(t, kind, got, p.want(r, z))
				if t.Failed() {
					text, _ := q.SQL()
					t.Log(text)
				}
			})
		}
	})
}

// equal compares frames. Floats can differ in the last digits, since engines add in another order.
func equal(t *testing.T, kind string, got, want *frame.Frame) {
	t.Helper()
	if got.Len() != want.Len() || got.Width() != want.Width() {
		t.Fatalf("got %d rows and the columns %q, want %d rows and %q", got.Len(), got.Names(), want.Len(), want.Names())
	}
	for j, c := range want.Columns() {
		d := got.Columns()[j]
		if c.Name() != d.Name() {
			t.Fatalf("column %d is %q, want %q", j, d.Name(), c.Name())
		}
		for i := range c.Len() {
			a, b := d.At(i), c.At(i)
			if v, ok := b.(bool); ok && kind == "mariadb" { // its boolean columns are integers
				if _, ok := a.(int64); ok {
					b = map[bool]int64{true: 1, false: 0}[v]
				}
			}
			if v, ok := a.(int64); ok {
				if w, ok := b.(float64); ok {
					a, b = float64(v), w
				}
			}
			if x, ok := a.(float64); ok {
				if y, ok := b.(float64); ok && (x == y || math.Abs(x-y) <= 1e-12*math.Max(1, math.Abs(y))) {
					continue
				}
			}
			if x, ok := a.(time.Time); ok {
				if y, ok := b.(time.Time); ok && x.Equal(y) {
					continue
				}
			}
			if y, ok := b.(float64); ok && kind == "mariadb" && math.IsInf(y, 0) && a == nil { // it has no infinity
				continue
			}
			if a != b {
				t.Errorf("%s, row %d: got %#v, want %#v", c.Name(), i, a, b)
				return
			}
		}
	}
}
