//go:build linux

package database_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
)

// calls are functions of columns, with the engines that refuse them.
var calls = []struct {
	column, name string
	args         []any
	refused      string
}{
	{"s", "Trim", nil, "mariadb"},
	{"s", "Replace", []any{"a", `b\'%`}, ""},
	{"s", "Replace", []any{"ä", ""}, ""},
	{"s", "Replace", []any{"aa", "a"}, ""},
	{"s", "Replace", []any{"", "x"}, "postgres mariadb sqlite spark"},
	{"s", "Contains", []any{"a"}, ""},
	{"s", "Contains", []any{"%"}, ""},
	{"s", "Contains", []any{`\`}, ""},
	{"s", "Contains", []any{""}, ""},
	{"s", "HasPrefix", []any{"a"}, ""},
	{"s", "HasPrefix", []any{"a "}, ""},
	{"s", "HasPrefix", []any{""}, ""},
	{"s", "HasPrefix", []any{"ä"}, ""},
	{"s", "HasSuffix", []any{" "}, ""},
	{"s", "HasSuffix", []any{"a "}, ""},
	{"s", "HasSuffix", []any{"é"}, ""},
	{"s", "HasSuffix", []any{""}, ""},
	{"s", "HasSuffix", []any{"🍐'"}, ""},
	{"s", "Letters", nil, "sqlite"},
	{"s", "Lower", nil, "postgres mariadb sqlite spark"},
	{"s", "Upper", nil, "postgres mariadb sqlite spark"},
	{"s", "Matches", []any{"a+"}, "postgres mariadb sqlite spark"},
	{"s", "Extract", []any{"a+"}, "postgres mariadb sqlite spark"},
	{"s", "Split", []any{"a", 0}, "postgres mariadb sqlite spark"},
	{"s", "AsText", nil, "postgres mariadb sqlite spark"},
	{"at", "Year", nil, "sqlite"},
	{"at", "Quarter", nil, "sqlite"},
	{"at", "Month", nil, "sqlite"},
	{"at", "Week", nil, "sqlite"},
	{"at", "Day", nil, "sqlite"},
	{"at", "YearDay", nil, "sqlite"},
	{"at", "Hour", nil, "sqlite"},
	{"at", "Minute", nil, "sqlite"},
	{"at", "Second", nil, "sqlite"},
	{"at", "Weekday", nil, "sqlite"},
	{"at", "Floor", []any{"month"}, "mariadb sqlite spark"},
	{"at", "Floor", []any{"1 week"}, "mariadb sqlite spark"},
	{"at", "Floor", []any{"1 hour"}, "mariadb sqlite spark"},
	{"at", "Floor", []any{"1 quarters"}, "mariadb sqlite spark"},
	{"at", "Floor", []any{"2 hours"}, "postgres mariadb sqlite spark"},
	{"at", "In", []any{"Europe/Berlin"}, "postgres mariadb sqlite spark"},
	{"at", "Unix", []any{time.Second}, "postgres mariadb sqlite spark"},
	{"local", "Hour", nil, "postgres sqlite spark"}, // MariaDB stores times in UTC
}

// TestFunctions compares functions that databases compute with the methods of the columns of
// frames. A database must refuse a function that has another meaning in it.
func TestFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 400
	parts := []string{"a", "A", "b", " ", "ä", "Ä", "e\u0301", "é", "%", "_", `\`, "'", `"`, "\t", "\u00a0", "\u3000", "ß", "🍐", "\n", "$1"}
	id, s, at, gone := make([]int64, n), make([]string, n), make([]time.Time, n), make([]uint64, n/64+1)
	for i := range n {
		id[i] = int64(i)
		for range rng.IntN(6) {
			s[i] += parts[rng.IntN(len(parts))]
		}
		at[i] = time.Date(1990+rng.IntN(60), 1, rng.IntN(366), rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1e6)*1000, time.UTC)
		if i%9 == 4 {
			gone[i/64] |= 1 << (i % 64)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	local := frame.TimeColumn("local", at).In(berlin)
	f, err := frame.New(frame.IntColumn("id", id), frame.StringColumn("s", s).MarkMissing(gone), frame.TimeColumn("at", at).MarkMissing(gone), local)
	if err != nil {
		t.Fatal(err)
	}
	engines(t, func(t *testing.T, kind string, db *database.DB) {
		if err := db.Replace("functions", f); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { exec(t, db, "drop table functions") })
		l, err := db.Table("functions")
		if err != nil {
			t.Fatal(err)
		}
		f, err := l.Sort("id").Collect()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range calls {
			var args []reflect.Value
			for _, a := range c.args {
				args = append(args, reflect.ValueOf(a))
			}
			of := func(column any) any {
				return reflect.ValueOf(column).MethodByName(c.name).Call(args)[0].Interface()
			}
			e := of(l.Col(c.column)).(*lazy.Column)
			q := l.With("out", e).Select("id", "out").Sort("id")
			got, err := q.Collect()
			if strings.Contains(c.refused, kind) {
				if err == nil || !strings.Contains(err.Error(), "no function with exactly the meaning of "+c.name) && !strings.Contains(err.Error(), "which "+c.name+"() needs, only in a column without a time zone") {
					t.Errorf("%s%v: got %v, want a refusal", c.name, c.args, err)
				}
				continue
			}
			if err != nil {
				text, _ := q.SQL()
				t.Errorf("%v\n%s", err, text)
				continue
			}
			column := of(f.Col(c.column)).(*frame.Column)
			if column.Kind() == frame.CategoryKind {
				column = column.AsText()
			}
			t.Run(c.name, func(t *testing.T) { equal(t, kind, got, f.With("out", column).Select("id", "out")) })
			// The same function in a filter and in a key.
			if column.Kind() == frame.BoolKind {
				got, err = l.Where(e).Agg(frame.Count()).Collect()
				if want := f.Where(column).Len(); err != nil || got.Col("count").Ints()[0] != int64(want) {
					t.Errorf("%s%v: %v, %v rows, want %d", c.name, c.args, err, got, want)
				}
				continue
			}
			if kind == "mariadb" && column.Kind() == frame.StringKind { // it ignores spaces at the end of keys
				continue
			}
			got, err = l.With("out", e).By("out").Agg(frame.Count()).Collect()
			if err != nil {
				t.Error(err)
				continue
			}
			t.Run(c.name+" keys", func(t *testing.T) { equal(t, kind, got, f.With("out", column).By("out").Agg(frame.Count())) })
		}
	})
}
