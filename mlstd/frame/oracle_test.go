package frame

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

// list holds the values of a column as pandas writes them: numbers, strings or nil.
type oracleColumns map[string][]any

type frameOracle struct {
	Zone      string                   `json:"time zone"`
	Frame     oracleColumns            `json:"frame"`
	ByZone    oracleColumns            `json:"by zone"`
	ByZoneK   oracleColumns            `json:"by zone and k"`
	Windows   oracleColumns            `json:"windows"`
	Dates     oracleColumns            `json:"dates"`
	Resampled map[string]oracleColumns `json:"resampled"`
	Joined    map[string]oracleColumns `json:"joined"`
	Pivot     oracleColumns            `json:"pivot"`
	Crosstab  oracleColumns            `json:"crosstab"`
	Sorted    []any                    `json:"sorted"`
	Quantiles oracleColumns            `json:"quantiles"`
	Assigned  struct {
		Scalar  []any         `json:"scalar"`
		Column  []any         `json:"column"`
		If      []any         `json:"if"`
		Applied oracleColumns `json:"applied"`
	} `json:"assigned"`
}

func readOracle(t *testing.T) map[string]frameOracle {
	var all map[string]frameOracle
	mltest.ReadOracle(t, "frame", &all)
	return all
}

func (o frameOracle) frame(t *testing.T) *Frame {
	zone, err := time.LoadLocation(o.Zone)
	if err != nil {
		t.Fatal(err)
	}
	floats := func(name string) []float64 {
		v := make([]float64, len(o.Frame[name]))
		for i, x := range o.Frame[name] {
			v[i] = math.NaN()
			if x != nil {
				v[i] = x.(float64)
			}
		}
		return v
	}
	ints := func(name string) []int64 {
		v := make([]int64, len(o.Frame[name]))
		for i, x := range floats(name) {
			v[i] = int64(x)
		}
		return v
	}
	zones := make([]string, len(o.Frame["zone"]))
	for i, s := range o.Frame["zone"] {
		zones[i] = s.(string)
	}
	return must(t, StringColumn("zone", zones), IntColumn("k", ints("k")), FloatColumn("x", floats("x")), FloatColumn("y", floats("y")), IntColumn("n", ints("n")),
		NanoColumn("at", ints("at"), zone))
}

// agree compares a column with the result of pandas, with a relative tolerance of 1e-9.
func agree(t *testing.T, what string, c *Column, want []any) {
	t.Helper()
	if c.Len() != len(want) {
		t.Errorf("%s: %d values, want %d", what, c.Len(), len(want))
		return
	}
	for i, w := range want {
		got := c.At(i)
		switch v := got.(type) {
		case int64:
			got = float64(v)
		case time.Time:
			got = float64(v.UnixNano())
		}
		x, number := got.(float64)
		y, too := w.(float64)
		if got != w && !(number && too && math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) {
			t.Errorf("%s, row %d: %v, want %v", what, i, got, w)
			return
		}
	}
}

func TestOracleGroups(t *testing.T) {
	for name, o := range readOracle(t) {
		f := o.frame(t)
		for keys, want := range map[string]oracleColumns{"zone": o.ByZone, "zone,k": o.ByZoneK} {
			got := f.By(strings.Split(keys, ",")...).Agg(Count("x").As("count"), Sum("x").As("sum"), Mean("x").As("mean"), Median("x").As("median"), Quantile("x", 0.9).As("q90"),
				SD("x").As("sd"), Variance("x").As("variance"), Min("x").As("min"), Max("x").As("max"), First("x").As("first"), Last("x").As("last"), Unique("x").As("unique"),
				Sum("n").As("total"), Corr("x", "y").As("corr"))
			if len(want) != got.Width() {
				t.Fatalf("%s by %s: %d columns", name, keys, len(want))
			}
			for column, v := range want {
				agree(t, fmt.Sprintf("%s by %s: %s", name, keys, column), got.Col(column), v)
			}
		}
		agree(t, name+" sorted", f.Sort("zone", "-x").Col("n"), o.Sorted)
	}
}

func TestOracleWindows(t *testing.T) {
	for name, o := range readOracle(t) {
		f := o.frame(t)
		x := f.Col("x")
		cut := x.Cut(4.5, 9.5, 14.5)
		place := map[string]float64{"< 4.5": 0, "[4.5, 9.5)": 1, "[9.5, 14.5]": 2, "> 14.5": 3}
		bins := make([]float64, f.Len())
		for i := range bins {
			bins[i] = math.NaN()
			if !cut.IsMissing(i) {
				bins[i] = place[cut.Text(i)]
			}
		}
		three, five := x.Rolling(3), x.Rolling(5).AtLeast(2)
		for what, got := range map[string]*Column{
			"shift": x.Shift(2), "diff": x.Diff(), "cumsum": x.CumSum(), "cummax": x.CumMax(), "rank": x.Rank(), "forward": x.FillForward(), "backward": x.FillBackward(),
			"rolling mean": three.Mean(), "rolling sum": three.Sum(), "rolling min": three.Min(), "rolling max": three.Max(), "rolling median": three.Median(), "rolling std": three.SD(),
			"rolling least mean": five.Mean(), "rolling least sum": five.Sum(), "rolling least min": five.Min(), "rolling least max": five.Max(), "rolling least median": five.Median(),
			"rolling least std": five.SD(), "group sum": f.By("zone").Transform(Sum("x")), "group cumsum": f.By("zone").Within("x", (*Column).CumSum), "cut": FloatColumn("cut", bins),
		} {
			agree(t, name+" "+what, got, o.Windows[what])
		}
	}
}

func TestOracleDates(t *testing.T) {
	for name, o := range readOracle(t) {
		f := o.frame(t)
		at := f.Col("at")
		weekday := make([]int64, f.Len())
		for i, k := range at.Weekday().codes {
			weekday[i] = int64(k)
		}
		for what, got := range map[string]*Column{"year": at.Year(), "quarter": at.Quarter(), "month": at.Month(), "week": at.Week(), "day": at.Day(), "yearday": at.YearDay(),
			"hour": at.Hour(), "minute": at.Minute(), "weekday": IntColumn("", weekday)} {
			agree(t, name+" "+what, got, o.Dates[what])
		}
		if len(o.Resampled) < 4 {
			t.Fatalf("%s: %d periods", name, len(o.Resampled))
		}
		for every, want := range o.Resampled {
			got := f.Resample("at", every).Agg(Sum("x").As("sum"), Mean("x").As("mean"), Count())
			for column, v := range want {
				agree(t, fmt.Sprintf("%s every %s: %s", name, every, column), got.Col(column), v)
			}
		}
	}
}

func TestOracleShapes(t *testing.T) {
	right := FromRows(map[string][]string{"zone": {"east", "north", "east", "centre"}, "boss": {"a", "b", "c", "d"}})
	for name, o := range readOracle(t) {
		f := o.frame(t)
		few := f.Select("zone", "n")
		for what, pair := range map[string]struct {
			got  *Frame
			want oracleColumns
		}{"inner": {few.Join(right, "zone"), o.Joined["inner"]}, "left": {few.LeftJoin(right, "zone"), o.Joined["left"]},
			"pivot": {f.Pivot("k", "zone", Sum("n")), o.Pivot}, "crosstab": {f.Crosstab("k", "zone"), o.Crosstab}} {
			if pair.got.Width() != len(pair.want) {
				t.Errorf("%s %s: columns %v", name, what, pair.got.Names())
			}
			for column, v := range pair.want {
				agree(t, fmt.Sprintf("%s %s: %s", name, what, column), pair.got.Col(column), v)
			}
		}
	}
}

func TestOracleQuantiles(t *testing.T) {
	for name, o := range readOracle(t) {
		x := o.frame(t).Col("x")
		if len(o.Quantiles) != 4 {
			t.Fatalf("%s: %d numbers of ranges", name, len(o.Quantiles))
		}
		if x.Missing() == x.Len() {
			refused(t, func() { x.Quantiles(2) })
			continue
		}
		for k, want := range o.Quantiles {
			n, err := strconv.Atoi(k)
			if err != nil {
				t.Fatal(err)
			}
			codes, _ := x.Quantiles(n).Codes()
			bins := make([]float64, len(codes))
			for i, code := range codes {
				bins[i] = float64(code)
				if code < 0 {
					bins[i] = math.NaN()
				}
			}
			agree(t, name+" in "+k+" ranges", FloatColumn("", bins), want)
		}
	}
}

func TestOracleAssignment(t *testing.T) {
	for name, o := range readOracle(t) {
		f := o.frame(t)
		positive := f.Col("n").Greater(0)
		agree(t, name+" if", If(positive, f.Col("x"), f.Col("y")), o.Assigned.If)
		agree(t, name+" column", f.Col("x").Set(f.Col("zone").Equal("east"), f.Col("y")), o.Assigned.Column)
		f.SetWhere("x", positive, 999)
		agree(t, name+" scalar", f.Col("x"), o.Assigned.Scalar)
		got := o.frame(t).By("zone").Apply(func(g *Frame) *Frame { return g.Agg(Mean("x").As("mean"), Count().As("rows")) })
		if got.Width() != len(o.Assigned.Applied) {
			t.Fatalf("%s applied: columns %v", name, got.Names())
		}
		for column, v := range o.Assigned.Applied {
			agree(t, name+" applied "+column, got.Col(column), v)
		}
	}
}
