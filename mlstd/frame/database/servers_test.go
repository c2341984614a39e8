//go:build linux

package database_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/dbmstest"
	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	postgres = sync.OnceValues(dbmstest.Postgres)
	mariadb  = sync.OnceValues(dbmstest.MariaDB)
)

func TestMain(m *testing.M) {
	os.Unsetenv("PGPASSWORD")
	os.Unsetenv("MYSQL_PWD")
	code := m.Run()
	stop := func(start func() (*dbmstest.Server, error)) {
		if s, err := start(); err == nil {
			if err := s.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	stop(postgres)
	stop(mariadb)
	os.Exit(code)
}

func server(t *testing.T, start func() (*dbmstest.Server, error)) *dbmstest.Server {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func connect(t *testing.T, address string) *database.DB {
	t.Helper()
	db, err := database.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// each runs a test with each database.
func each(t *testing.T, f func(t *testing.T, kind string, db *database.DB)) {
	t.Run("postgres", func(t *testing.T) { f(t, "postgres", connect(t, server(t, postgres).Address)) })
	t.Run("mariadb", func(t *testing.T) { f(t, "mariadb", connect(t, server(t, mariadb).Address)) })
	t.Run("sqlite", func(t *testing.T) { f(t, "sqlite", connect(t, filepath.Join(t.TempDir(), "shop.sqlite"))) })
}

func query(t *testing.T, db *database.DB, text string, args ...any) *frame.Frame {
	t.Helper()
	f, err := db.Query(text, args...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func exec(t *testing.T, db *database.DB, text string, args ...any) int64 {
	t.Helper()
	n, err := db.Exec(text, args...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// collect brings the rows of a lazy frame.
func collect(t *lazy.Frame, err error) (*frame.Frame, error) {
	if err != nil {
		return nil, err
	}
	return t.Collect()
}

// failure returns the message of an error that must be there.
func failure(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error must contain %q, got: %v", part, err)
		}
	}
}

// lines writes a frame, a line for each column: its kind and values.
func lines(f *frame.Frame) string {
	var b strings.Builder
	for _, c := range f.Columns() {
		fmt.Fprintf(&b, "%s %v:", c.Name(), c.Kind())
		for i := range c.Len() {
			switch v := c.At(i).(type) {
			case nil:
				b.WriteString(" NULL")
			case time.Time:
				b.WriteString(" " + v.Format("2006-01-02T15:04:05.999999Z07:00"))
			case string:
				fmt.Fprintf(&b, " %q", v)
			default:
				fmt.Fprintf(&b, " %v", v)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(strings.ReplaceAll(want, "\t", "")) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// goods has each kind of column, with missing values and values that are hard to write.
func goods(t *testing.T) *frame.Frame {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := func(text string) time.Time { d, _ := time.Parse(time.DateOnly, text); return d }
	f, err := frame.New(
		frame.IntColumn("id", []int64{math.MinInt64, 0, math.MaxInt64}),
		frame.IntColumn("count", []int64{1, 2, 3}).MarkMissing([]uint64{2}),
		frame.FloatColumn("price", []float64{0.1, math.NaN(), -1.7976931348623157e308}),
		frame.BoolColumn("sold", []bool{true, false, true}).MarkMissing([]uint64{4}),
		frame.StringColumn("name", []string{"tab\tnew\nline\\ \"'`;--", "", "pöff 🍐 x'41"}).MarkMissing([]uint64{1}),
		frame.CategoryColumn("class", []int32{1, -1, 0}, []string{"I", "II"}),
		frame.TimeColumn("day", []time.Time{day("1901-02-03"), {}, day("2262-01-01")}),
		frame.TimeColumn("at", []time.Time{time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC), {}, day("1970-01-01")}),
		frame.TimeColumn("moment", []time.Time{time.Date(2024, 10, 27, 2, 30, 0, 0, berlin), {}, time.Date(1700, 1, 1, 0, 0, 0, 0, berlin)}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFramesRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, kind string, db *database.DB) {
		f := goods(t)
		if err := db.Write("goods", f); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Exec("drop table goods") })
		g, err := collect(db.Table("goods"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Columns() {
			d := g.Col(c.Name())
			for i := range f.Len() {
				want, got := c.At(i), d.At(i)
				if w, ok := want.(time.Time); ok {
					if g, ok := got.(time.Time); !ok || !g.Equal(w) {
						t.Errorf("%s %d: got %v, want %v", c.Name(), i, got, want)
					}
					continue
				}
				if b, ok := want.(bool); ok && kind == "mariadb" { // its boolean is an integer
					want = map[bool]int64{true: 1, false: 0}[b]
				}
				if got != want {
					t.Errorf("%s %d: got %#v, want %#v", c.Name(), i, got, want)
				}
			}
		}
		failure(t, db.Write("goods", f), "must not exist", "db.Append")
		if err := db.Append("goods", f); err != nil {
			t.Fatal(err)
		}
		if n := query(t, db, "select count(*) as n from goods").Col("n").At(0); n != int64(6) {
			t.Errorf("%v rows after Append, want 6", n)
		}
		if err := db.Replace("goods", f.Select("id")); err != nil {
			t.Fatal(err)
		}
		same(t, lines(query(t, db, "select * from goods order by id")), "id int64: -9223372036854775808 0 9223372036854775807")
		failure(t, db.Append("goods", f), "count", "the columns of the table are id")
		failure(t, db.Append("nowhere", f), "nowhere")
	})
}

func TestTypesOfPostgres(t *testing.T) {
	db := connect(t, server(t, postgres).Address)
	exec(t, db, `create temp table types (
		i2 smallint, i4 integer, i8 bigint, f4 real, f8 double precision, n0 numeric(30), n2 numeric(12,2), n numeric,
		c char(3), v varchar(10), tx text, by bytea, b boolean, d date, ts timestamp, tz timestamptz, tm time, iv interval,
		u uuid, j jsonb, a integer[], ta text[], mood text)`)
	exec(t, db, `insert into types values
		(-32768, 2147483647, -9223372036854775808, 0.1, 'NaN', 9007199254740993, 12.50, 12345678901234567890.5,
		 'ab', 'é', E'x\ty', '\x00ff41', true, '2024-02-29', '2024-02-29 12:34:56.789', '2024-07-01 12:00:00+00', '12:34:56', '1 day 02:00',
		 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": [1, 2]}', '{1,NULL,3}', '{"a,b","c\"d"}', 'ok'),
		(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`)
	f, err := collect(db.Table("types"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, lines(f), `i2 int64: -32768 NULL
i4 int64: 2147483647 NULL
i8 int64: -9223372036854775808 NULL
f4 float64: 0.1 NULL
f8 float64: NULL NULL
n0 int64: 9007199254740993 NULL
n2 float64: 12.5 NULL
n float64: 1.2345678901234567e+19 NULL
c string: "ab " NULL
v string: "é" NULL
tx string: "x\ty" NULL
by string: "x'00ff41'" NULL
b bool: true NULL
d time: 2024-02-29T00:00:00Z NULL
ts time: 2024-02-29T12:34:56.789Z NULL
tz time: 2024-07-01T14:00:00+02:00 NULL
tm string: "12:34:56" NULL
iv string: "1 day 02:00:00" NULL
u string: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" NULL
j string: "{\"a\": [1, 2]}" NULL
a string: "{1,NULL,3}" NULL
ta string: "{\"a,b\",\"c\\\"d\"}" NULL
mood string: "ok" NULL`)
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, `column "n" has 1 numbers with more digits`) || strings.Contains(notes, "n0") {
		t.Errorf("notes: %s", notes)
	}
	// The frame goes back into the same columns.
	if err := db.Append("types", f); err != nil {
		t.Fatal(err)
	}
	same(t, lines(query(t, db, `select count(distinct (i2, i4, i8, f4, n0, n2, c, v, tx, by, b, d, ts, tz, tm, iv, u, j, a, ta, mood)) as kinds, count(*) as rows from types where i2 is not null`)), "kinds int64: 1\nrows int64: 2")
	_, err = db.Query("select date 'infinity' as until")
	failure(t, err, `"until"`, "1678", "::text")
	same(t, lines(query(t, db, "select 1 as a, 2 as a, sum(x) as s, avg(x) as m from generate_series(1, 4) x")), "a int64: 1\na 2 int64: 2\ns int64: 10\nm float64: 2.5")
	same(t, lines(query(t, db, "select * from types where false").Select("n2", "tx", "tz")), "n2 int64:\ntx string:\ntz time:")
}

func TestTypesOfMariaDB(t *testing.T) {
	db := connect(t, server(t, mariadb).Address)
	exec(t, db, `create temporary table types (
		i1 tinyint, i2 smallint unsigned, i4 int, i8 bigint, u8 bigint unsigned, f4 float, f8 double, n0 decimal(30), n2 decimal(12,2), n decimal(40,10),
		c char(3), v varchar(10), tx longtext, bl blob, vb varbinary(4), bt bit(9), b boolean, d date, ts datetime(6), tz timestamp null, tm time, y year,
		e enum('a','b'), st set('x','y'), j json)`)
	exec(t, db, `insert into types values
		(-128, 65535, -2147483648, -9223372036854775808, 18446744073709551615, 0.1, 1e-300, 9007199254740993, 12.50, 12345678901234567890.5,
		 'ab', 'é', 'x\ty', x'00ff41', x'6869', b'100000001', true, '2024-02-29', '2024-02-29 12:34:56.789', '2024-07-01 12:00:00', '-12:34:56', 1999,
		 'b', 'x,y', '{"a": [1, 2]}'),
		(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`)
	want := `i1 int64: -128 NULL
i2 int64: 65535 NULL
i4 int64: -2147483648 NULL
i8 int64: -9223372036854775808 NULL
u8 float64: 1.8446744073709552e+19 NULL
f4 float64: 0.1 NULL
f8 float64: 1e-300 NULL
n0 int64: 9007199254740993 NULL
n2 float64: 12.5 NULL
n float64: 1.2345678901234567e+19 NULL
c string: "ab" NULL
v string: "é" NULL
tx string: "x\ty" NULL
bl string: "x'00ff41'" NULL
vb string: "x'6869'" NULL
bt int64: 257 NULL
b int64: 1 NULL
d time: 2024-02-29T00:00:00Z NULL
ts time: 2024-02-29T12:34:56.789Z NULL
tz time: 2024-07-01T12:00:00Z NULL
tm string: "-12:34:56" NULL
y int64: 1999 NULL
e string: "b" NULL
st string: "x,y" NULL
j string: "{\"a\": [1, 2]}" NULL`
	f, err := collect(db.Table("types"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, lines(f), want)
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, `column "u8" has 1 numbers`) || !strings.Contains(notes, `column "n" has 1 numbers`) {
		t.Errorf("notes: %s", notes)
	}
	// The server sends the results of prepared statements in another form.
	same(t, lines(query(t, db, "select * from types where 1 = :one", map[string]any{"one": 1})), want)
	exec(t, db, "set sql_mode = ''; insert into types (d) values ('0000-00-00')")
	same(t, lines(query(t, db, "select d from types where year(d) = 0")), "d time: NULL")
}

func TestParameters(t *testing.T) {
	each(t, func(t *testing.T, kind string, db *database.DB) {
		f := goods(t)
		if err := db.Write("hostile", f); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Exec("drop table hostile") })
		bad := "x'; drop table hostile; --\\"
		exec(t, db, "insert into hostile (id, name) values (7, :name)", map[string]any{"name": bad})
		got := query(t, db, "select id, name from hostile where name = :name and id < :most -- :comment ':text'", map[string]any{"name": bad, "most": 1e3})
		same(t, lines(got), fmt.Sprintf("id int64: 7\nname string: %q", bad))
		mark := "?"
		if kind == "postgres" {
			mark = "$1"
		}
		same(t, lines(query(t, db, "select id from hostile where name = "+mark, bad)), "id int64: 7")
		got = query(t, db, "select :i as i, :x as x, :s as s, :none as none, :x + 1 as y, :i as again",
			map[string]any{"i": int8(5), "x": 2.0, "s": "é", "none": nil})
		same(t, lines(got.Select("i", "x", "s", "y", "again")), "i int64: 5\nx float64: 2\ns string: \"é\"\ny float64: 3\nagain int64: 5")
		if got.Col("none").At(0) != nil {
			t.Errorf("nil becomes %v", got.Col("none").At(0))
		}
		at := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC)
		n := query(t, db, "select count(*) as n from hostile where at >= :at and at <= :at", map[string]any{"at": at})
		if n.Col("n").At(0) != int64(1) {
			t.Errorf("%v rows are found by their time, want 1", n.Col("n").At(0))
		}
		_, err := db.Query("select :nothing")
		failure(t, err, ":nothing must have a value")
		_, err = db.Query("select :a", map[string]any{"a": []int{1}})
		failure(t, err, ":a must be a number", "[]int")
		_, err = db.Query("  -- nothing\n")
		failure(t, err, "empty")
		// Names are quoted.
		name := "a\"b`c'; drop table hostile; --"
		g, err := frame.New(frame.IntColumn(name+".x", []int64{1}))
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Write(name, g); err != nil {
			t.Fatal(err)
		}
		back, err := collect(db.Table(name))
		if err != nil {
			t.Fatal(err)
		}
		if back.Names()[0] != name+".x" {
			t.Errorf("the column is %q", back.Names()[0])
		}
		if n := query(t, db, "select count(*) as n from hostile").Col("n").At(0); n != int64(4) {
			t.Errorf("%v rows, want 4", n)
		}
	})
}

func TestStatements(t *testing.T) {
	each(t, func(t *testing.T, kind string, db *database.DB) {
		f := query(t, db, "create table steps (n integer); insert into steps values (1), (2); -- ;\nselect sum(n) as s from steps; ")
		if v := f.Col("s").Floats()[0]; v != 3 {
			t.Errorf("the sum is %v", v)
		}
		t.Cleanup(func() { db.Exec("drop table steps") })
		same(t, lines(query(t, db, "update steps set n = n + 1")), "rows_affected int64: 2")
		if n := exec(t, db, "delete from steps where n = 3"); n != 1 {
			t.Errorf("Exec returns %d, want 1", n)
		}
		exec(t, db, "begin")
		exec(t, db, "delete from steps")
		if err := db.Append("steps", f.Select("s").Rename("s", "n")); err != nil {
			t.Fatal(err)
		}
		exec(t, db, "rollback")
		same(t, lines(query(t, db, "select n from steps")), "n int64: 2")
		tables, err := db.Tables()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(lines(tables), `"steps"`) || !strings.Contains(strings.ToLower(lines(tables)), `"int`) {
			t.Errorf("Tables: %s", lines(tables))
		}
		if names := db.Names()["steps"]; len(names) != 1 || names[0] != "n" {
			t.Errorf("Names: %v", names)
		}
		exec(t, db, "alter table steps add column more integer")
		if names := db.Names()["steps"]; len(names) != 2 {
			t.Errorf("Names after a change: %v", names)
		}
	})
}

func TestErrorsOfServers(t *testing.T) {
	each(t, func(t *testing.T, kind string, db *database.DB) {
		exec(t, db, "create table fruit (name varchar(20), weight integer)")
		t.Cleanup(func() { db.Exec("drop table fruit") })
		_, err := db.Query("select 'ä' as x,\n  name\nfrom frut")
		failure(t, err, "frut", "line 3, column 6", "      ^", "fruit")
		_, err = db.Query("select name, wheight\nfrom fruit\nwhere weight > :least", map[string]any{"least": 1})
		failure(t, err, "wheight", "line 1, column 14", "weight")
		_, err = db.Query("select 1;\nselect * form fruit")
		failure(t, err, "form", "line 2")
		if kind != "sqlite" { // which stores any value in any column
			bad, err := frame.New(frame.StringColumn("weight", []string{"1", "much"}))
			if err != nil {
				t.Fatal(err)
			}
			failure(t, db.Append("fruit", bad), "much")
		}
		if n := query(t, db, "select count(*) as n from fruit").Col("n").At(0); n != int64(0) {
			t.Errorf("a failed Append leaves %v rows", n)
		}
		// A Write that fails leaves nothing.
		long, err := frame.New(frame.IntColumn("x", []int64{1}), frame.IntColumn("X", []int64{2}))
		if err != nil {
			t.Fatal(err)
		}
		if kind != "postgres" { // whose names have a case
			failure(t, db.Replace("fruit", long), "")
			if n := query(t, db, "select count(name) as n from fruit").Col("n").At(0); n != int64(0) {
				t.Errorf("a failed Replace leaves %v", n)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = db.Query("select 1")
		failure(t, err, "is closed", "ml.Connect")
	})
}

// interrupted runs f in a cell that is interrupted once the server runs its query.
func interrupted(t *testing.T, ready func() bool, f func() error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("interrupted")
	model.SetAmbient(&model.Ambient{Context: func() context.Context { return ctx }})
	defer model.SetAmbient(nil)
	done := make(chan error, 1)
	go func() { done <- f() }()
	for !ready() {
		select {
		case err := <-done:
			t.Fatalf("ended before the interrupt: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	model.SetAmbient(nil) // ready uses the other connection
	cancel(stop)
	if err := <-done; !errors.Is(err, stop) {
		t.Errorf("got %v, want the interrupt", err)
	}
}

// running returns a function that reports whether another connection runs a query with a word.
func running(t *testing.T, kind string, other *database.DB, word string) func() bool {
	text := "select count(*) as n from pg_stat_activity where state = 'active' and query like :word and pid <> pg_backend_pid()"
	if kind == "mariadb" {
		text = "select count(*) as n from information_schema.processlist where command in ('Query', 'Execute') and info like :word and id <> connection_id()"
	}
	return func() bool {
		return query(t, other, text, map[string]any{"word": "%" + word + "%"}).Col("n").At(0) != int64(0)
	}
}

func TestInterrupts(t *testing.T) {
	cases := []struct {
		kind  string
		start func() (*dbmstest.Server, error)
		sleep string
	}{
		{"postgres", postgres, "select pg_sleep(600)"},
		{"mariadb", mariadb, "select sleep(600)"},
	}
	for _, c := range cases {
		t.Run(c.kind, func(t *testing.T) {
			address := server(t, c.start).Address
			db, other := connect(t, address), connect(t, address)
			exec(t, db, "create temporary table mine (x integer)")
			ready := running(t, c.kind, other, "sleep(600)")
			interrupted(t, ready, func() error { _, err := db.Query(c.sleep); return err })
			// MariaDB answers before it takes the query off its list.
			for end := time.Now().Add(time.Minute); ready(); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the server still runs the query after a minute")
				}
			}
			// The connection is the same one.
			same(t, lines(query(t, db, "select count(*) as n from mine")), "n int64: 0")
			// An interrupt before a query stops it.
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			model.SetAmbient(&model.Ambient{Context: func() context.Context { return ctx }})
			_, err := db.Query("insert into mine values (1)")
			model.SetAmbient(nil)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			same(t, lines(query(t, db, "select count(*) as n from mine")), "n int64: 0")
		})
	}
}

func TestKilledConnections(t *testing.T) {
	cases := []struct {
		kind            string
		start           func() (*dbmstest.Server, error)
		sleep, id, kill string
	}{
		{"postgres", postgres, "select pg_sleep(599)", "select pg_backend_pid() as id", "select pg_terminate_backend(%d)"},
		{"mariadb", mariadb, "select sleep(599)", "select connection_id() as id", "kill %d"},
	}
	for _, c := range cases {
		t.Run(c.kind, func(t *testing.T) {
			address := server(t, c.start).Address
			db, other := connect(t, address), connect(t, address)
			kill := func() {
				id := query(t, db, c.id).Col("id").At(0).(int64)
				exec(t, other, fmt.Sprintf(c.kill, id))
			}
			// While a query runs: an error, then a new connection.
			id := query(t, db, c.id).Col("id").At(0).(int64)
			ready, done := running(t, c.kind, other, "sleep(599)"), make(chan error)
			go func() { _, err := db.Query(c.sleep); done <- err }()
			for end := time.Now().Add(time.Minute); !ready(); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the server does not run the query after a minute")
				}
			}
			exec(t, other, fmt.Sprintf(c.kill, id))
			failure(t, <-done, "ended the connection", "again")
			f := query(t, db, "select 1 as one")
			same(t, lines(f), "one int64: 1")
			if notes := strings.Join(f.Notes(), " "); !strings.Contains(notes, "connected again") {
				t.Errorf("notes: %q", notes)
			}
			// While nothing runs: the next query is not lost.
			kill()
			same(t, lines(query(t, db, "select 2 as two")), "two int64: 2")
			kill()
			if err := db.Replace("again", f); err != nil {
				t.Error(err)
			}
			exec(t, db, "drop table again")
			// In a transaction: its earlier statements are lost, and later ones must not run alone.
			exec(t, db, "create table kept (x integer)")
			t.Cleanup(func() { db.Exec("drop table kept") })
			exec(t, db, "begin; insert into kept values (1)")
			kill()
			_, err := db.Exec("insert into kept values (2)")
			failure(t, err, "transaction")
			same(t, lines(query(t, db, "select count(*) as n from kept")), "n int64: 0")
		})
	}
}

func TestPasswords(t *testing.T) {
	for variable, start := range map[string]func() (*dbmstest.Server, error){"PGPASSWORD": postgres, "MYSQL_PWD": mariadb} {
		t.Run(variable, func(t *testing.T) {
			address := server(t, start).TCP
			var asked []string
			answer := "wrong"
			model.SetAmbient(&model.Ambient{Password: func(prompt string) (string, bool, error) { asked = append(asked, prompt); return answer, true, nil }})
			defer model.SetAmbient(nil)
			_, err := database.Connect(address)
			failure(t, err, dbmstest.User, "type the password")
			if len(asked) != 1 || !strings.Contains(asked[0], dbmstest.User+" at 127.0.0.1") {
				t.Errorf("asked: %q", asked)
			}
			answer = dbmstest.Password
			db := connect(t, address)
			shown := fmt.Sprintf("%v %+v %#v %v", db, db, db, *db)
			if strings.Contains(shown, dbmstest.Password) || !strings.Contains(shown, address) {
				t.Errorf("shown as %s", shown)
			}
			model.SetAmbient(nil)
			_, err = database.Connect(address)
			failure(t, err, "nobody can be asked", "set the environment variable "+variable)
			t.Setenv(variable, "also wrong")
			_, err = database.Connect(address)
			failure(t, err, variable)
			t.Setenv(variable, dbmstest.Password)
			same(t, lines(query(t, connect(t, address), "select 1 as one")), "one int64: 1")
			// In the address, only from the environment.
			t.Setenv(variable, "")
			with := strings.Replace(address, "@", ":f%C3%BCnf%20%C3%84pfel%20%26%20%27quotes%27@", 1)
			_, err = database.Connect(with)
			failure(t, err, "saved with the notebook", variable)
			if strings.Contains(err.Error(), "quotes") {
				t.Errorf("the error shows the password: %v", err)
			}
			t.Setenv("DATABASE_URL", with)
			db = connect(t, os.Getenv("DATABASE_URL"))
			if strings.Contains(db.String(), "quotes") {
				t.Errorf("shown as %s", db)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o644); err != nil {
		t.Fatal(err)
	}
	pg := server(t, postgres)
	for address, part := range map[string]string{
		"":                             "must not be empty",
		"oracle://me@host/db":          "ml.FromRows",
		"postgres://me@127.0.0.1:1/db": "no PostgreSQL server answers at 127.0.0.1:1",
		"mysql://me@127.0.0.1:1/db":    "no MySQL server answers at 127.0.0.1:1",
		"mysql://me@host/db?ssl=1":     `got "ssl"`,
		text:                           "must be a SQLite file",
		strings.Replace(pg.Address, "/postgres?", "/nothing?", 1):             `database "nothing" does not exist`,
		strings.Replace(server(t, mariadb).Address, "/shop?", "/nothing?", 1): "nothing",
	} {
		_, err := database.Connect(address)
		failure(t, err, part)
	}
}

// TestMillionRows writes and reads a table that is larger than any buffer.
func TestMillionRows(t *testing.T) {
	const n = 1_000_000
	ids, values, names := make([]int64, n), make([]float64, n), make([]string, n)
	times := make([]int64, n)
	for i := range ids {
		ids[i], values[i], names[i] = int64(i), float64(i)/7, fmt.Sprintf("name %d", i)
		times[i] = int64(i) * 1e9
	}
	f, err := frame.New(frame.IntColumn("id", ids), frame.FloatColumn("value", values), frame.StringColumn("name", names), frame.NanoColumn("at", times, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, kind string, db *database.DB) {
		if err := db.Write("million", f); err != nil {
			t.Fatal(err)
		}
		defer db.Exec("drop table million")
		g := query(t, db, "select * from million order by id")
		if g.Len() != n {
			t.Fatalf("%d rows", g.Len())
		}
		for _, c := range f.Columns() {
			d := g.Col(c.Name())
			for i := range n {
				a, b := c.At(i), d.At(i)
				if x, ok := a.(time.Time); ok {
					if y, ok := b.(time.Time); ok && x.Equal(y) {
						continue
					}
				}
				if a != b {
					t.Fatalf("%s of row %d: got %v, want %v", c.Name(), i, b, a)
				}
			}
		}
	})
}
