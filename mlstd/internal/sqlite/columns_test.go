package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite/vector"
)

// both runs a query over columns and with SQLite, and returns why the first left it to SQLite. The
// results must be equal, to the last bit, in the order of rows too.
func both(t *testing.T, query string, tables map[string]*frame.Frame, parameters map[string]any) (left string) {
	t.Helper()
	c, err := connect(tables, query)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	got, err := c.vectors(context.Background(), query, parameters)
	var l *vector.Left
	if errors.As(err, &l) {
		return l.Why
	}
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	want, err := c.ask(context.Background(), query, parameters)
	if err != nil {
		t.Fatalf("%s: %v, but columns have a result", query, err)
	}
	if g, w := exactly(got), exactly(want); g != w {
		t.Errorf("%s\ncolumns: %s\nSQLite: %s", query, cut(g), cut(w))
	}
	return ""
}

func cut(s string) string {
	if len(s) > 1500 {
		return s[:700] + "..."
	}
	return s
}

// exactly formats a frame so that different frames are different strings.
func exactly(f *frame.Frame) string {
	var b strings.Builder
	for _, c := range f.Columns() {
		fmt.Fprintf(&b, "\n%s %v", c.Name(), c.Kind())
		if c.Kind() == frame.TimeKind {
			fmt.Fprintf(&b, " %v", c.Zone())
		}
		for i := range c.Len() {
			fmt.Fprintf(&b, " %#v", c.At(i))
		}
	}
	fmt.Fprintf(&b, "\n%q", f.Notes())
	return b.String()
}

// chance makes random frames and statements.
type chance struct{ *rand.Rand }

func (r chance) pick(list ...string) string { return list[r.IntN(len(list))] }

var zones = []*time.Location{time.UTC, time.UTC, berlin()}

func berlin() *time.Location {
	z, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return z
}

func (r chance) gaps(n int) []uint64 {
	gaps := make([]uint64, (n+63)/64)
	if r.IntN(4) == 0 {
		return gaps
	}
	for i := range n {
		if r.IntN(5) == 0 {
			gaps[i>>6] |= 1 << (i & 63)
		}
	}
	return gaps
}

// frame makes a frame with the columns i, j, x, y, b, s, w, c, t, and two with names that need
// quotation marks, most of them with few values.
func (r chance) frame(n int, suffix string) *frame.Frame {
	large := r.IntN(3) == 0 // integers that floats can't represent
	ints := func(k int64) []int64 {
		v := make([]int64, n)
		for i := range v {
			v[i] = r.Int64N(2*k+1) - k
			if k > 1000 && large && r.IntN(20) == 0 {
				v[i] = math.MaxInt64 >> r.IntN(12)
				if r.IntN(2) == 0 {
					v[i] = ^v[i]
				}
			}
		}
		return v
	}
	floats := func(f func() float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f()
			if r.IntN(8) == 0 {
				v[i] = math.NaN()
			}
		}
		return v
	}
	texts := func(list ...string) []string {
		v := make([]string, n)
		for i := range v {
			v[i] = r.pick(list...)
		}
		return v
	}
	zeros := r.IntN(8) > 0
	half := func() float64 {
		x := math.Copysign(float64(r.IntN(4))/2, float64(r.IntN(5)-2))
		if zeros {
			x += 0 // no -0.0, by which columns don't group
		}
		return x
	}
	zone := zones[r.IntN(len(zones))]
	bools := make([]bool, n)
	times := make([]time.Time, n)
	codes := make([]int32, n)
	for i := range n {
		bools[i] = r.IntN(2) == 0
		codes[i] = r.Int32N(4) - 1
		times[i] = time.Date(2024, time.Month(1+r.IntN(12)), 20+r.IntN(8), r.IntN(4), 0, 0, r.IntN(2)*500000000, zone)
		if r.IntN(9) == 0 {
			times[i] = time.Time{}
		}
	}
	f, err := frame.New(
		frame.IntColumn("i"+suffix, ints(3)).MarkMissing(r.gaps(n)),
		frame.IntColumn("j"+suffix, ints(1<<40)).MarkMissing(r.gaps(n)),
		frame.FloatColumn("x"+suffix, floats(half)),
		frame.FloatColumn("y"+suffix, floats(func() float64 {
			if r.IntN(40) == 0 {
				return math.Inf(r.IntN(2)*2 - 1)
			}
			return r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-8))
		})),
		frame.BoolColumn("b"+suffix, bools).MarkMissing(r.gaps(n)),
		frame.StringColumn("s"+suffix, texts("a", "B", "b", "", "ab", "Ä", "a_b", "a%")).MarkMissing(r.gaps(n)),
		frame.StringColumn("w"+suffix, texts("1", "2", "10", "2024-01-05", "x'y", " 1", "1.0")).MarkMissing(r.gaps(n)),
		frame.CategoryColumn("c"+suffix, codes, []string{"low", "High", "a"}),
		frame.TimeColumn("t"+suffix, times),
		frame.IntColumn("Größe m²"+suffix, ints(2)).MarkMissing(r.gaps(n)),
		frame.StringColumn(`select "x"`+suffix, texts("ß", "日本", "ÄB", "äb", "z")).MarkMissing(r.gaps(n)),
	)
	if err != nil {
		panic(err)
	}
	return f
}

// column returns the name of a column of a kind: n for numbers, s for strings.
func (r chance) column(kind byte, tables string) string {
	name := ""
	if kind == 'n' {
		name = r.pick("i", "j", "x", "y", "b", "i", "x", "Größe m²")
	} else {
		name = r.pick("s", "w", "c", "t", "s", `select "x"`)
	}
	k := r.IntN(len(tables))
	name += map[byte]string{'f': "", 'g': "2", 'h': "3"}[tables[k]]
	if len(name) > 2 {
		name = quote(name)
	}
	if len(tables) > 1 {
		name = tables[k:k+1] + "." + name
	}
	return name
}

func (r chance) number(depth int, tables string) string {
	if depth == 0 {
		return r.pick(r.column('n', tables), r.column('n', tables), "1", "2", "0", "0.5", "-3", "1e3", "null", ":two", ":half", ":none")
	}
	n := func() string { return r.number(depth-1, tables) }
	s := func() string { return r.text(depth-1, tables) }
	switch r.IntN(16) {
	case 0, 1, 2:
		return "(" + n() + r.pick(" + ", " - ", " * ", " / ", "%") + n() + ")"
	case 3:
		return n() + r.pick(" + ", " - ", " * ", " / ") + n()
	case 4:
		return "-" + n()
	case 5:
		return "case when " + r.condition(depth-1, tables) + " then " + n() + r.pick("", " else "+n()) + " end"
	case 6:
		return "case " + n() + " when " + n() + " then " + n() + " when 1 then " + n() + " else " + n() + " end"
	case 7:
		return r.pick("coalesce", "ifnull", "nullif") + "(" + n() + ", " + n() + ")"
	case 8:
		return r.pick("length", "unicode") + "(" + s() + ")"
	case 9:
		return "round(" + n() + r.pick("", ", 1", ", 2") + ")"
	case 10:
		return r.pick("abs", "sign", "+") + "(" + n() + ")"
	case 11:
		return "(" + r.condition(depth-1, tables) + ")"
	case 12:
		return r.pick("max", "min") + "(" + n() + ", " + n() + ")"
	case 13:
		return "cast(" + r.pick(n(), s()) + " as " + r.pick("integer", "real") + ")"
	}
	return r.column('n', tables)
}

func (r chance) text(depth int, tables string) string {
	if depth == 0 {
		return r.pick(r.column('s', tables), r.column('s', tables), "'a'", "'B'", "'1'", "''", "'2024-05-01'", ":word")
	}
	s := func() string { return r.text(depth-1, tables) }
	switch r.IntN(9) {
	case 0:
		return r.pick("lower", "upper", "trim", "hex") + "(" + s() + ")"
	case 1:
		return "substr(" + s() + ", " + r.pick("1", "2", "-1") + ", " + r.pick("1", "2") + ")"
	case 2:
		return "(" + s() + " || " + r.pick(s(), r.number(depth-1, tables)) + ")"
	case 3:
		return "case when " + r.condition(depth-1, tables) + " then " + s() + r.pick("", " else "+s()) + " end"
	case 4:
		return "coalesce(" + s() + ", " + s() + ")"
	case 5:
		return "strftime('%Y-%m', " + r.column('s', tables) + ")"
	case 6:
		return "replace(" + s() + ", 'a', 'z')"
	}
	return r.column('s', tables)
}

func (r chance) condition(depth int, tables string) string {
	n := func() string { return r.number(max(depth-1, 0), tables) }
	s := func() string { return r.text(max(depth-1, 0), tables) }
	c := func() string { return r.condition(depth-1, tables) }
	if depth > 0 {
		switch r.IntN(5) {
		case 0:
			return "(" + c() + " and " + c() + ")"
		case 1:
			return "(" + c() + " or " + c() + ")"
		case 2:
			return "not " + c()
		}
	}
	op := r.pick(" = ", " <> ", " < ", " <= ", " > ", " >= ", " == ", " != ", " is ", " is not ")
	not := r.pick("", "not ")
	switch r.IntN(11) {
	case 0, 1, 2:
		return n() + op + n()
	case 3, 4:
		return s() + op + s()
	case 5:
		return n() + " " + not + "between " + n() + " and " + n()
	case 6:
		return s() + " " + not + "in ('a', 'B', '1', 'low')"
	case 7:
		return n() + " " + not + "in (1, 0.5, -2, 3" + r.pick("", ", null") + ")"
	case 8:
		return s() + " " + not + "like " + r.pick("'a%'", "'%b'", "'_'", "'%a_b%'", "'A'", "'2024-0%'", "'%\\%' escape '\\'", "'%'")
	case 9:
		return r.pick(n(), s()) + r.pick(" is null", " is not null", " isnull", " notnull", " not null")
	}
	return n()
}

func (r chance) any(depth int, tables string) string {
	if r.IntN(2) == 0 {
		return r.text(depth, tables)
	}
	return r.number(depth, tables)
}

func (r chance) list(n int, f func() string) string {
	list := make([]string, 1+r.IntN(n))
	for i := range list {
		list[i] = f()
	}
	return strings.Join(list, ", ")
}

func (r chance) order(f func() string) string {
	return r.list(3, func() string {
		return f() + r.pick("", "", " desc", " asc", " desc nulls last", " nulls last", " desc nulls first")
	})
}

// statement returns a random statement.
func (r chance) statement() string {
	tables, from := "f", "f"
	if r.IntN(3) == 0 {
		tables = "fg"
		on := r.pick("f.i = g.i2", "f.s = g.s2", "g.x2 = f.x", "f.i = g.i2 and f.s = g.s2", "f.b = g.i2 and f.x < g.y2", "f.c = g.s2 and g.i2 > 0", "f.t = g.t2")
		from = "f " + r.pick("join", "left join", "inner join", "left outer join") + " g on " + on
		if r.IntN(4) == 0 {
			from = "f, g"
		}
	}
	if tables == "fg" && from != "f, g" && r.IntN(3) == 0 {
		tables = "fgh"
		from += r.pick(" join h on h.i3 = f.i", " left join h on h.s3 = g.s2", " join h on h.i3 = g.i2 and h.s3 = f.s", " left join h on h.c3 = f.c and h.x3 > f.x",
			" join h on g.i2 = h.x3", " left join h on h.i3 = f.i and g.b2 and h.s3 in ('a', 'b', 'B')")
	}
	where := ""
	if r.IntN(2) == 0 {
		where = " where " + r.condition(2, tables)
	}
	if from == "f, g" {
		where = " where " + r.pick("f.i = g.i2", "g.s2 = f.s") + r.pick("", " and "+r.condition(1, tables))
	}
	limit := r.pick("", "", " limit 5", " limit 2", " limit 7 offset 3", " limit 2, 4", " limit -1")
	simple := func() string { return r.column("ns"[r.IntN(2)], tables) }
	switch r.IntN(8) {
	case 7:
		where := r.pick("", " where k is not null", " where "+r.condition(1, tables), " where not k is null and "+simple()+" in ('a', 'b', 3, 1)", " where "+r.column('n', tables)+" in (2, 0, 1.5, -1)")
		return "select " + r.any(1, tables) + " as k, " + simple() + " K2 from " + from + where + " order by " + r.pick("k desc, ", "k, ", "") + "k2" + limit
	case 6:
		having := r.pick("", " having k is not null", " having m > 0", " having "+r.aggregate(tables)+" > 1 or k is null")
		return "select " + r.pick(simple(), r.any(1, tables)) + " as k, " + r.aggregate(tables) + " m from " + from + where + " group by k" + having + r.pick("", " order by m, k", " order by k desc", " order by m desc") + limit
	case 5:
		keys := r.list(3, simple)
		key := func() string { return r.pick(strings.Split(keys, ", ")[0], "sum(x)", "count(*)") }
		over := "over (" + r.pick("", "partition by "+key()) + r.pick("", " order by "+r.order(key)) + ")"
		if tables != "f" {
			keys, over = "f.s, g.s2", "over (order by f.s desc, count(*))"
			return "select f.s, count(*), rank() " + over + " from " + from + where + " group by " + keys + limit
		}
		return "select " + keys + ", sum(x), rank() " + over + ", sum(count(*)) " + over + " from " + from + where + " group by " + keys + r.pick("", " order by 1 desc") + limit
	case 0, 1:
		keys := r.list(2, func() string { return r.pick(simple(), simple(), r.any(1, tables)) })
		aggs := r.list(3, func() string { return r.aggregate(tables) })
		order := r.pick("", " order by "+r.order(func() string { return r.pick("1", r.aggregate(tables), strings.Split(keys, ", ")[0]) }))
		if strings.Contains(keys, "(") || strings.Contains(keys, "case") {
			order = r.pick("", " order by 1")
		}
		having := r.pick("", "", " having "+r.aggregate(tables)+r.pick(" > 1", " is not null", " < 3"))
		if r.IntN(5) == 0 {
			return "select " + aggs + " from " + from + where
		}
		return "select " + r.pick("", "", "", "distinct ") + r.pick(keys+", ", keys+", ", "") + aggs + " from " + from + where + " group by " + keys + having + order + limit
	case 2:
		over := "over (" + r.pick("", "partition by "+r.list(2, simple)) + r.pick("", " order by "+r.order(simple)) + ")"
		calls := r.list(3, func() string {
			return r.pick("row_number()", "rank()", "dense_rank()", "lag("+simple()+")", "lead("+simple()+", 2)", "sum(y)", "avg(x)", "count(*)", "sum(i)",
				"count("+simple()+")", "min("+simple()+")", "max("+simple()+")", "first_value("+simple()+")", "last_value("+simple()+")", "percent_rank()", "cume_dist()") + " " + over
		})
		return "select " + r.pick("", "", "", "distinct ") + r.list(2, simple) + ", " + calls + " from " + from + where + r.pick("", " order by "+r.order(simple)) + limit
	case 3:
		items := r.list(3, simple)
		return "select distinct " + items + " from " + from + where + r.pick("", " order by "+r.order(func() string { return r.pick("1", strings.Split(items, ", ")[0]) })) + limit
	}
	items := r.pick("*", r.list(4, func() string { return r.any(2, tables) }), r.list(4, func() string { return r.any(1, tables) }), "f.*, "+r.any(1, tables)+" as k")
	return "select " + items + " from " + from + where + r.pick("", " order by "+r.order(func() string { return r.pick(simple(), r.any(1, tables)) })) + limit
}

func (r chance) aggregate(tables string) string {
	return r.pick("count(*)", "count("+r.column("ns"[r.IntN(2)], tables)+")", "sum("+r.number(1, tables)+")", "avg("+r.column('n', tables)+")",
		"total("+r.column('n', tables)+")", "min("+r.any(0, tables)+")", "max("+r.column("ns"[r.IntN(2)], tables)+")",
		"count(distinct "+r.column("ns"[r.IntN(2)], tables)+")", "round(avg("+r.column('n', tables)+"), 2)", "sum("+r.column('n', tables)+") / count(*)")
}

// TestColumns compares random statements on random frames with SQLite.
func TestColumns(t *testing.T) {
	statements, seed := 2000, uint64(1)
	if s := os.Getenv("SEED"); s != "" {
		fmt.Sscan(s, &seed)
		statements = 20000
	}
	r := chance{rand.New(rand.NewPCG(seed, 2))}
	done, why := 0, map[string]int{}
	var tables map[string]*frame.Frame
	values := map[string]any{"two": 2, "half": 0.5, "none": nil, "word": "ab"}
	for k := range statements {
		if k%40 == 0 {
			tables = map[string]*frame.Frame{"f": r.frame(r.IntN(60), ""), "g": r.frame(r.IntN(30), "2"), "h": r.frame(r.IntN(20), "3")}
			if k%200 == 0 {
				tables["f"] = r.frame(300, "")
			}
		}
		if left := both(t, r.statement(), tables, values); left != "" {
			why[left]++
		} else {
			done++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of %d statements over columns; %v", done, statements, why)
	if done < statements/2 && !t.Failed() {
		t.Errorf("only %d of %d statements over columns: %v", done, statements, why)
	}
}

// TestColumnsForms runs statements that must run over columns, and statements that must not.
func TestColumnsForms(t *testing.T) {
	r := chance{rand.New(rand.NewPCG(4, 4))}
	tables := map[string]*frame.Frame{"f": r.frame(90, ""), "g": r.frame(40, "2"), "h": r.frame(30, "")}
	with := map[string]any{"low": 0.5, "name": "a", "none": nil, "n": 3}
	for _, query := range []string{
		"select i, x from f where x > :low and s <> :name and j is not :none order by i limit :n",
		"select * from f join h using (i)",
		"select i, f.s, h.s, c from f left join h using (i, c) order by h.j, f.j",
		"select f.s, count(*) from f join g on f.i = g.i2 join h on h.i = f.i and h.b = f.b where h.x > 0 group by 1",
		"select a.i, b.j, c.x from f a join f b on a.i = b.i left join h c on c.s = a.s and c.x > 1",
		"select f.s, a.s from f, h as a where f.i = a.i and a.s in ('b', 'a', 'zz')",
		`select "i" as 'a b', [x] y, f."s" from f where "y" > 0 -- end`,
		"select x * 2 as d, i from f where d > 1 order by d desc, i",
		"select i as x, x as z from f order by x, z",
		"select s k, sum(x) / count(*) m, count(*) * 1.0 / 2 from f group by k having m > 0 and count(*) > 1 order by m desc;",
		"select lower(s) as l, max(t), min(c) from f group by lower(s) order by l desc",
		"select count(*), sum(i), avg(x), total(y), min(s), max(b), count(distinct s) from f where i > 100",
		"select strftime('%Y', t) yr, count(*) n from f where t between '2024-02-01' and '2024-10-01' group by yr",
		"select s, i, row_number() over (partition by s order by i desc, j) k, lag(x, 1, 0.0) over (partition by s order by i desc, j) from f",
		"select s, sum(x), rank() over (order by sum(x) desc) from f group by s",
		"select iif(b, 'yes', 'no') q, coalesce(x, 0), nullif(i, 0), ifnull(s, 'none') from f",
		"select sum(coalesce(x, 0)), avg(coalesce(x, 1)), sum(case when x > 0 then 1 else 0.5 end) from f group by s",
		"select distinct s, c from f order by c desc, s nulls last limit 4 offset 1",
		"select i from f where i = 1 or i = 2 or i = -1",
		"select i, s from f where i in (3, -1, 2) and s = 'a'",
		"SELECT I FROM F WHERE NOT b AND X IS NOT NULL",
		"select -i, +x, -(x), i / 2, i % 2, 7 / 2, -7 % 3, x / 0, 'it''s' from f",
		"select t from f where date(t) = '2024-02-23' or t is null",
		"select s from f where s like 'A%' or w not like '%1' or s like 'a\\_%' escape '\\'",
		"select j from f where j between -1e9 and 1000000000.0",
		"select abs(i), round(x), length(s), substr(w, 1, 1), s || '-' || i, cast(x as text), typeof(y) from f",
		"select min(x, 1.0), max(i, 2) from f",
		"select f.i, g.s2 from f join g on f.i = g.x2",
		"select f.s from f left join g on g.i2 = f.x order by f.s",
	} {
		if left := both(t, query, tables, with); left != "" {
			t.Errorf("%s is left: %s", query, left)
		}
	}
	for query, why := range map[string]string{
		"select 1": "at its end",
		"with a as (select i from f) select * from a":             `at "with"`,
		"select i from f union select i from h":                   `at "union"`,
		"select i from f; select i from f":                        `at "select"`,
		"select i from f where i in (select i from h)":            `at "select"`,
		"select i from f where s = 1":                             "a string and a number",
		"select i + j from f where s = s collate nocase":          `at "collate"`,
		`select i as k, "k" from f`:                               "the name k",
		`select i as "Ä" from f order by "ä"`:                     "the name ä",
		"select i from f where s like :zero":                      "the parameter zero",
		"select i, max(x) from f":                                 "group by",
		"select sum(9223372036854775807) from f":                  "overflow",
		"select i from f order by random()":                       "random",
		"select i, random() from f":                               "random",
		"select rowid from f":                                     "rowid",
		"select datetime('now') from f":                           "current time",
		"select group_concat(s) from f":                           "group_concat",
		"select 0x10, i from f":                                   "0x10",
		"select i from f natural join h":                          `at "natural"`,
		"select count(*) from f, g":                               "without equal columns",
		"select sum(x) over (order by i rows 2 preceding) from f": "rows",
		"select 2 as k, i from f order by k":                      "a constant",
		"select i, 2 as k from f group by k, i":                   "a constant",
		"select i, s from f order by :two, i":                     "a constant",
		"select i from none":                                      "no such table",
		"select :missing from f":                                  "parameters",
		"select 0.1234567890123456789 * i from f":                 "0.123",
	} {
		if left := both(t, query, tables, map[string]any{"zero": "a\x00b", "two": 2}); !strings.Contains(left, why) {
			t.Errorf("%s: left because of %q, want %q", query, left, why)
		}
	}
}

// TestColumnsInQuery checks that large frames are queried over columns, with the notes of the step.
func TestColumnsInQuery(t *testing.T) {
	r := chance{rand.New(rand.NewPCG(5, 5))}
	f := r.frame(fewRows+1, "")
	got, err := Query("select s, count(*) n, count(*) n from f group by s", map[string]*frame.Frame{"f": f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(got.Notes(), "; "); !strings.Contains(notes, `renamed to "n 2"`) {
		t.Error(notes)
	}
	if total := got.Col("n").Sum(); total != float64(fewRows+1) {
		t.Errorf("%v rows", total)
	}
	got, err = Query("explain query plan select s, count(*) n from f group by s", map[string]*frame.Frame{"f": f}, nil)
	if err != nil || got.Notes()[0] != "the query runs over whole columns" {
		t.Error(got.Notes(), err)
	}
	got, err = Query("EXPLAIN query\nplan select s, group_concat(i) from f group by s", map[string]*frame.Frame{"f": f}, nil)
	if err != nil || got.Notes()[0] != "the query runs row by row: the aggregate group_concat" {
		t.Error(got.Notes(), err)
	}
	got, err = Query("explain query plan select s from f", map[string]*frame.Frame{"f": f.Head(9)}, nil)
	if err != nil || got.Notes()[0] != "the query runs row by row: its frames have at most 1000 rows" {
		t.Error(got.Notes(), err)
	}
}

// TestColumnsShareNothing changes a result: the frame must keep its values.
func TestColumnsShareNothing(t *testing.T) {
	x, i := make([]float64, 2*fewRows), make([]int64, 2*fewRows)
	f := made(frame.FloatColumn("x", x), frame.IntColumn("i", i))
	got, err := Query("select x, i, x y from f", map[string]*frame.Frame{"f": f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "i", "y"} {
		values := raw.Of(got.Col(name))
		for k := range values.Floats {
			values.Floats[k] = 1
		}
		for k := range values.Ints {
			values.Ints[k] = 1
		}
	}
	if f.Col("x").Sum() != 0 || f.Col("i").Sum() != 0 {
		t.Error("the result shares values with the frame")
	}
}

// fuse is a context that is canceled when it has been asked for a number of times.
type fuse struct {
	context.Context
	left   atomic.Int64
	cancel context.CancelCauseFunc
}

var errStopped = errors.New("stopped")

func (f *fuse) Err() error {
	if f.left.Add(-1) == 0 {
		f.cancel(errStopped)
	}
	return f.Context.Err()
}

// TestColumnsInterrupt interrupts statements at each point at which they can be interrupted.
func TestColumnsInterrupt(t *testing.T) {
	tables := large(30_000)
	for _, s := range benchmarked {
		for k := 1; ; k++ {
			c, err := connect(tables, s.query)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			f := &fuse{Context: ctx, cancel: cancel}
			f.left.Store(int64(k))
			_, err = c.columns(f, s.query, nil)
			c.close()
			stopped := ctx.Err() != nil
			cancel(nil)
			if stopped != (err != nil) || stopped && err != errStopped {
				t.Fatalf("%s: stopped at check %d is %v, but the error is %v", s.query, k, stopped, err)
			}
			if !stopped {
				if k < 5 {
					t.Errorf("%s: only %d checks", s.query, k)
				}
				break
			}
		}
	}
}

// large returns two tables: trips of n rows, with few distinct values in each column, and riders.
func large(n int) map[string]*frame.Frame {
	r := rand.New(rand.NewPCG(9, 9))
	ids, zones, fares, tips := make([]int64, n), make([]int32, n), make([]float64, n), make([]float64, n)
	names := make([]string, 260)
	for i := range names {
		names[i] = fmt.Sprintf("zone %03d", i)
	}
	for i := range n {
		ids[i], zones[i] = r.Int64N(int64(n/10)), r.Int32N(260)
		fares[i], tips[i] = math.Floor(r.Float64()*10000)/100, math.Floor(r.Float64()*1000)/100
		if r.IntN(20) == 0 {
			tips[i] = math.NaN()
		}
	}
	riders, ages := make([]int64, n/10), make([]float64, n/10)
	for i := range riders {
		riders[i], ages[i] = int64(i), float64(i%7)
	}
	return map[string]*frame.Frame{
		"trips":  made(frame.IntColumn("id", ids), frame.StringCodes("zone", zones, names), frame.FloatColumn("fare", fares), frame.FloatColumn("tip", tips)),
		"riders": made(frame.IntColumn("id", riders), frame.FloatColumn("age", ages)),
	}
}

func made(columns ...*frame.Column) *frame.Frame {
	f, err := frame.New(columns...)
	if err != nil {
		panic(err)
	}
	return f
}

// TestColumnsOfManyRows compares the order of equal rows where sorting takes many steps.
func TestColumnsOfManyRows(t *testing.T) {
	tables := large(6000)
	for _, s := range benchmarked {
		if left := both(t, s.query, tables, nil); left != "" {
			t.Errorf("%s is left: %s", s.query, left)
		}
	}
}

func BenchmarkColumns(b *testing.B) {
	tables := large(1_000_000)
	for _, s := range benchmarked {
		b.Run(s.name+"/columns", func(b *testing.B) {
			for b.Loop() {
				c, err := connect(tables, s.query)
				if err != nil {
					b.Fatal(err)
				}
				if _, err = c.columns(context.Background(), s.query, nil); err != nil {
					b.Fatal(err)
				}
				c.close()
			}
		})
		b.Run(s.name+"/SQLite", func(b *testing.B) {
			for b.Loop() {
				c, err := connect(tables, s.query)
				if err != nil {
					b.Fatal(err)
				}
				if _, err = c.ask(context.Background(), s.query, nil); err != nil {
					b.Fatal(err)
				}
				c.close()
			}
		})
	}
}

var benchmarked = []struct{ name, query string }{
	{"filter", "select * from trips where fare > 90 and tip is not null"},
	{"group", "select zone, count(*) n, avg(fare) m, sum(tip) t from trips group by zone order by m desc"},
	{"having", "select id, sum(fare) s from trips group by id having count(*) > 15"},
	{"case", "select case when fare < 20 then 'low' when fare < 60 then 'mid' else 'high' end c, sum(fare * 1.1 + coalesce(tip, 0)) s from trips group by c"},
	{"join", "select age, avg(fare) m from trips join riders on trips.id = riders.id group by age"},
	{"distinct", "select distinct zone from trips where zone like '%7'"},
	{"sort", "select zone, fare from trips order by zone, fare"},
	{"limit", "select id, fare, tip from trips order by fare desc, id limit 100"},
	{"window", "select zone, fare, row_number() over (partition by zone order by fare desc) k from trips"},
}
