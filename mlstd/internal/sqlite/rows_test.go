package sqlite

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// Rows of a database become a frame, with the driver that cells have.
func TestRowsBecomeAFrame(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`create table orders(id integer, price decimal, city text, paid boolean);
		insert into orders values (1, 2.5, 'Soho', true), (2, null, 'Harlem', false), (3, 4, null, null)`); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("select * from orders order by id")
	if err != nil {
		t.Fatal(err)
	}
	f := frame.FromRows(rows)
	for j, want := range []frame.Kind{frame.IntKind, frame.FloatKind, frame.StringKind, frame.BoolKind} {
		if c := f.Columns()[j]; c.Kind() != want {
			t.Errorf("%s is of kind %v", c.Name(), c.Kind())
		}
	}
	if got := fmt.Sprint(f.Col("price").At(0), f.Col("price").At(1), f.Col("city").At(2), f.Col("paid").At(0)); got != "2.5 <nil> <nil> true" {
		t.Error(got)
	}
	if !slices.Equal(f.Names(), []string{"id", "price", "city", "paid"}) || rows.Next() {
		t.Error("other names, or the rows are open")
	}
}

// TestMixedColumn reads a column with values of several types, and says so.
func TestMixedColumn(t *testing.T) {
	f, err := Query("select 1 as v union all select 'two' union all select 3.5", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Col("v"); c.Kind() != frame.StringKind {
		t.Errorf("kind %v", c.Kind())
	}
	if got, want := fmt.Sprint(f.Notes()), "numbers (2), texts (1): read as text"; !strings.Contains(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}
