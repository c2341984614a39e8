package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

func show(f *frame.Frame) string {
	var b strings.Builder
	for _, c := range f.Columns() {
		fmt.Fprintf(&b, "%s %v:", c.Name(), c.Kind())
		for i := range c.Len() {
			switch v := c.At(i).(type) {
			case nil:
				b.WriteString(" ?")
			case time.Time:
				b.WriteString(" " + v.Format(time.RFC3339))
			default:
				fmt.Fprintf(&b, " %v", v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func tables(t *testing.T) map[string]*frame.Frame {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2024, 7, 1, 12, 0, 0, 0, berlin)
	taxis, err := frame.New(
		frame.StringColumn("zone", []string{"a", "b", "a", "b", ""}).MarkMissing([]uint64{1 << 4}),
		frame.FloatColumn("fare", []float64{1, 2.5, 4, math.NaN(), 8}),
		frame.IntColumn("n", []int64{1, 2, math.MaxInt64, 4, 5}),
		frame.BoolColumn("late", []bool{true, false, true, false, true}),
		frame.TimeColumn("pickup", []time.Time{day, day.Add(time.Hour), day.AddDate(0, 0, 1), {}, day.AddDate(0, 1, 0)}),
	)
	if err != nil {
		t.Fatal(err)
	}
	zones, err := frame.New(frame.StringColumn("zone", []string{"a", "b", "c"}), frame.StringColumn("name", []string{"Anger", "Burg", "Chaussee"}))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*frame.Frame{"taxis": taxis, "zones": zones}
}

func TestSQL(t *testing.T) {
	for _, c := range []struct {
		query string
		with  map[string]any
		want  string
	}{
		{"select * from taxis", nil, "zone string: a b a b ?\nfare float64: 1 2.5 4 ? 8\nn int64: 1 2 9223372036854775807 4 5\nlate bool: true false true false true\npickup time: 2024-07-01T12:00:00+02:00 2024-07-01T13:00:00+02:00 2024-07-02T12:00:00+02:00 ? 2024-08-01T12:00:00+02:00\n"},
		{"select zone, avg(fare) as fare, count(*) n from taxis where zone is not null group by zone order by fare desc, zone;", nil, "zone string: a b\nfare float64: 2.5 2.5\nn int64: 2 2\n"},
		{"select n from taxis where fare > :limit and zone = @zone -- :no", map[string]any{"limit": 1, "zone": "a"}, "n int64: 9223372036854775807\n"},
		{"select name, sum(fare) s from taxis join zones using (zone) group by name order by 1", nil, "name string: Anger Burg\ns float64: 5 2.5\n"},
		{"select name from zones left join taxis on taxis.zone = zones.zone where taxis.zone is null", nil, "name string: Chaussee\n"},
		{"select count(*) c from zones a join zones b on a.zone = upper(b.zone) collate nocase", nil, "c int64: 3\n"},
		{"select date(pickup) d, count(*) n from taxis group by 1 order by 1", nil, "d time: ? 2024-07-01T00:00:00+02:00 2024-07-02T00:00:00+02:00 2024-08-01T00:00:00+02:00\nn int64: 1 2 1 1\n"},
		{"select n from taxis where pickup >= :from", map[string]any{"from": time.Date(2024, 7, 2, 10, 0, 0, 0, time.UTC)}, "n int64: 9223372036854775807 5\n"},
		{"select n from taxis where n = 4.0", nil, "n int64: 4\n"},
		{"select n from taxis where zone = 'x'", nil, "n float64:\n"},
		{"create temp table k as select n from taxis where n < 3; select sum(n) total, 1 = 1 as yes, 'x' s, null z from k", nil, "total int64: 3\nyes int64: 1\ns string: x\nz float64: ?\n"},
		{"select 1 a, 2 a", nil, "a int64: 1\na 2 int64: 2\n"},
		{"with t as (select n, row_number() over (order by n desc) k from taxis) select n from t where k = 1", nil, "n int64: 9223372036854775807\n"},
	} {
		got, err := Query(c.query, tables(t), c.with)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if show(got) != c.want {
			t.Errorf("%s:\n%swant\n%s", c.query, show(got), c.want)
		}
	}
	leak := 0
	frames.Range(func(any, any) bool { leak++; return true })
	if leak > 0 {
		t.Errorf("%d tables are left", leak)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		query, want string
		with        map[string]any
	}{
		{"select zone,\n  avgg(fare)\nfrom taxis", "no such function: avgg (line 2, column 3)\n    avgg(fare)\n    ^", nil},
		{"select zne from taxis", "no such column: zne (line 1, column 8)", nil},
		{"select 1; select * from taxi", "no such table: taxi (line 1, column 25)", nil},
		{"select zone from taxis\nwhere", "incomplete input", nil},
		{"selekt 1", `near "selekt": syntax error (line 1, column 1)`, nil},
		{"select :limit", "the parameter :limit must have a value", map[string]any{"max": 1}},
		{"select :v", "is of the type []int", map[string]any{"v": []int{1}}},
		{" ; ", "the query must not be empty", nil},
		{"create temp table x (a)", "the last statement must return rows", nil},
	} {
		_, err := Query(c.query, tables(t), c.with)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.query, err, c.want)
		}
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop no. 1.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"create table orders (id integer primary key, zone text, day date, paid boolean, note)",
		"insert into orders values (1, 'a', '2024-01-31', 1, 'x'), (2, 'b', '2024-02-01', 0, 7), (9007199254740993, null, null, null, null)",
		"create table empty (a text)",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	got, err := ReadTable(path, "orders")
	if err != nil {
		t.Fatal(err)
	}
	want := "id int64: 1 2 9007199254740993\nzone string: a b ?\nday time: 2024-01-31T00:00:00Z 2024-02-01T00:00:00Z ?\npaid bool: true false ?\nnote string: x 7 ?\n"
	if show(got) != want || !strings.Contains(strings.Join(got.Notes(), ";"), `column "note" has values of several types, numbers (1), texts (1): read as text`) {
		t.Errorf("%s%v", show(got), got.Notes())
	}
	if _, err := ReadTable(path, ""); err == nil || !strings.Contains(err.Error(), "2 tables") {
		t.Error(err)
	}
	if _, err := ReadTable(path, "none"); err == nil || !strings.Contains(err.Error(), `no table "none"`) {
		t.Error(err)
	}
	got, err = Query("select name, id from orders join zones using (zone) order by 2", tables(t), nil, path)
	if err != nil || show(got) != "name string: Anger Burg\nid int64: 1 2\n" {
		t.Error(got, err)
	}
	if _, err := Query("delete from orders; select 1", nil, nil, path); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Error(err)
	}
	if _, err := Query("select 1", nil, nil, path+"x"); err == nil {
		t.Error("no error for a file that is not there")
	}
}

// A join over equal values uses a lookup, not a comparison of all pairs.
func TestJoinIsLookup(t *testing.T) {
	const n = 30000
	ids, values := make([]int64, n), make([]float64, n)
	for i := range ids {
		ids[i], values[i] = int64(i), float64(i)
	}
	f, err := frame.New(frame.IntColumn("id", ids), frame.FloatColumn("v", values))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Query("select count(*) c, sum(a.v - b.v) d from a join b on a.id = b.id", map[string]*frame.Frame{"a": f, "b": f}, nil)
	if err != nil || show(got) != fmt.Sprintf("c int64: %d\nd float64: 0\n", n) {
		t.Error(got, err)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	model.SetAmbient(&model.Ambient{Context: func() context.Context { return ctx }})
	defer model.SetAmbient(nil)
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := Query("with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r", nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWords(t *testing.T) {
	q := `select "a b", x.y, :p, [c], 'no :q' from t1 -- comment :r
		/* and :s */ where z > 1e5 and w = $p and u = @v`
	words := ""
	for _, t := range tokens(q) {
		if !t.parameter {
			words += t.text + " "
		}
	}
	if words != "select a b x y c from t1 where z and w and u " {
		t.Error(words)
	}
	if got := strings.Join(parametersOf(q), " "); got != "p v" {
		t.Error(got)
	}
}
