//go:build engines

package database_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/read"
)

func init() { connectSpark = spark }

// spark connects to the server that make engines starts.
func spark(t *testing.T) *database.DB {
	t.Helper()
	address := os.Getenv("SPARK_REMOTE")
	if address == "" {
		t.Fatal("SPARK_REMOTE must be the address of a Spark server: run make engines, which starts one")
	}
	db, err := database.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestSparkFrames(t *testing.T) {
	db, f := spark(t), goods(t)
	exec(t, db, "drop table if exists goods")
	t.Cleanup(func() { db.Exec("drop table goods") })
	check := func(g *frame.Frame) {
		t.Helper()
		for _, c := range f.Columns() {
			for i := range f.Len() {
				want, got := c.At(i), g.Col(c.Name()).At(i)
				if w, ok := want.(time.Time); ok {
					if g, ok := got.(time.Time); !ok || !g.Equal(w) {
						t.Errorf("%s %d: got %v, want %v", c.Name(), i, got, want)
					}
				} else if got != want {
					t.Errorf("%s %d: got %#v, want %#v", c.Name(), i, got, want)
				}
			}
		}
	}
	if err := db.Write("goods", f); err != nil {
		t.Fatal(err)
	}
	check(query(t, db, "select * from goods order by id"))
	failure(t, db.Write("goods", f), "must not exist", "db.Append")
	if err := db.Append("goods", f.Select("id", "name")); err != nil {
		t.Fatal(err)
	}
	same(t, lines(query(t, db, "select count(*) as n, count(id) as ids, count(price) as prices from goods")), "n int64: 6\nids int64: 6\nprices int64: 2")
	if err := db.Replace("goods", f); err != nil {
		t.Fatal(err)
	}
	check(query(t, db, "select * from goods order by id"))
	empty := f.Slice(0, 0)
	if err := db.Replace("goods", empty); err != nil {
		t.Fatal(err)
	}
	g := query(t, db, "select * from goods")
	if g.Len() != 0 || g.Width() != f.Width() {
		t.Errorf("an empty table has %d rows and %d columns", g.Len(), g.Width())
	}
	failure(t, db.Append("nowhere", f), "nowhere")
	failure(t, db.Append("goods", f.Rename("id", "number")), "number")
	tables, err := db.Tables()
	if err != nil {
		t.Fatal(err)
	}
	if got := tables.Where(tables.Col("table").Equal("goods")).Len(); got != f.Width() {
		t.Errorf("Tables lists %d columns of goods, want %d", got, f.Width())
	}
}

func TestSparkTypes(t *testing.T) {
	db := spark(t)
	f := query(t, db, `select 1Y as i1, 2S as i2, 3 as i4, 4L as i8, cast(1.5 as float) as f4, 0.1D as f8, 12.50BD as n2, true as b, 'é' as s,
		x'00ff' as by, date'2024-02-29' as d, timestamp'2024-07-01 12:00:00Z' as at, timestamp_ntz'2024-02-29 12:34:56.789' as ts,
		struct(1 as a, 'x' as b) as st, array(1, 2) as list, cast(null as int) as nothing`)
	got := lines(f.Drop("at"))
	same(t, got, `i1 int64: 1
i2 int64: 2
i4 int64: 3
i8 int64: 4
f4 float64: 1.5
f8 float64: 0.1
n2 float64: 12.5
b bool: true
s string: "é"
by string: "00ff"
d time: 2024-02-29T00:00:00Z
ts time: 2024-02-29T12:34:56.789Z
st.a int64: 1
st.b string: "x"
nothing int64: NULL`)
	if at := f.Col("at").At(0).(time.Time); !at.Equal(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("at is %v", at)
	}
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, `"list"`) {
		t.Errorf("notes: %s", notes)
	}
	g := query(t, db, "select :n + 1 as n, :x as x, :s as s, :b as b, :t as t, :gone as gone", map[string]any{
		"n": 41, "x": math.Pi, "s": `it's "\' ; --`, "b": false, "t": time.Date(2024, 7, 1, 0, 0, 0, 1000, time.UTC), "gone": nil})
	same(t, lines(g.Drop("t", "gone")), `n int64: 42
x float64: 3.141592653589793
s string: "it's \"\\' ; --"
b bool: false`)
	if !g.Col("gone").IsMissing(0) || !g.Col("t").At(0).(time.Time).Equal(time.Date(2024, 7, 1, 0, 0, 0, 1000, time.UTC)) {
		t.Errorf("got %s", lines(g))
	}
	same(t, lines(query(t, db, "select ? + ? as n; ", 1, 2)), "n int64: 3")
}

func TestSparkErrors(t *testing.T) {
	db := spark(t)
	for text, parts := range map[string][]string{
		"select * from\n nowhere_at_all":    {"nowhere_at_all", "line 2, column 2", "  ^"},
		"select foo from range(3)":          {"foo", "line 1, column 8"},
		"selec 1":                           {"Syntax error", "line 1, column 1"},
		"select raise_error('my own text')": {"my own text"},
		"select 1 div 0":                    {"Division by zero", "DIVIDE_BY_ZERO"},
	} {
		_, err := db.Query(text)
		failure(t, err, parts...)
		if err != nil && (strings.Contains(err.Error(), "at org.apache") || len(err.Error()) > 700) {
			t.Errorf("%s: too long: %v", text, err)
		}
		t.Log(err)
	}
	_, err := database.Connect("sc://127.0.0.1:1")
	failure(t, err, "no Spark Connect server answers at 127.0.0.1:1", "start-connect-server.sh")
	_, err = database.Connect("sc://localhost/;token=secret-token")
	failure(t, err, "must not have a token", "SPARK_CONNECT_AUTHENTICATE_TOKEN")
	if strings.Contains(err.Error(), "secret-token") {
		t.Errorf("the error shows the token: %v", err)
	}
}

// TestSparkInterrupt cancels a query that would run for hours, and uses the connection again.
func TestSparkInterrupt(t *testing.T) {
	db, other := spark(t), spark(t)
	exec(t, db, "create temporary view mine as select 7 as x")
	long := "select count(*) as n from range(100000000000) a where a.id % 7 = hash(a.id) % 5"
	interrupted(t, func() bool { time.Sleep(time.Second); return true }, func() error { _, err := db.Query(long); return err })
	same(t, lines(query(t, db, "select * from mine")), "x int64: 7")
	// The server has two processors, which the query no longer uses.
	same(t, lines(query(t, other, "select sum(id) as s from range(1000)")), "s int64: 499500")
}

func TestSparkMillionRows(t *testing.T) {
	db := spark(t)
	const n = 1_000_000
	ids, values, names := make([]int64, n), make([]float64, n), make([]string, n)
	for i := range ids {
		ids[i], values[i], names[i] = int64(i), float64(i)/7, fmt.Sprintf("name %d", i)
	}
	f, err := frame.New(frame.IntColumn("id", ids), frame.FloatColumn("value", values), frame.StringColumn("name", names))
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, "drop table if exists million")
	t.Cleanup(func() { db.Exec("drop table million") })
	start := time.Now()
	if err := db.Write("million", f); err != nil {
		t.Fatal(err)
	}
	t.Logf("written in %v", time.Since(start))
	start = time.Now()
	g := query(t, db, "select * from million order by id")
	t.Logf("read in %v", time.Since(start))
	if g.Len() != n {
		t.Fatalf("%d rows", g.Len())
	}
	for _, c := range f.Columns() {
		d := g.Col(c.Name())
		for i := range n {
			if c.At(i) != d.At(i) {
				t.Fatalf("%s of row %d: got %v, want %v", c.Name(), i, d.At(i), c.At(i))
			}
		}
	}
}

func TestSparkParquet(t *testing.T) {
	db := spark(t)
	f, err := frame.New(frame.IntColumn("id", []int64{1, 2, 3}), frame.StringColumn("name", []string{"a", "b", "é"}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "part.parquet")
	if err := read.Write(path, f); err != nil {
		t.Fatal(err)
	}
	same(t, lines(query(t, db, "select * from parquet.`"+path+"` where id > 1 order by id")), "id int64: 2 3\nname string: \"b\" \"é\"")
}
