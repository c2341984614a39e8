package frame

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeRows imitates the rows of database/sql.
type fakeRows struct {
	names  []string
	rows   [][]any
	err    error
	at     int
	closed int
}

func (f *fakeRows) Columns() ([]string, error) { return f.names, nil }
func (f *fakeRows) Next() bool                 { f.at++; return f.at <= len(f.rows) }
func (f *fakeRows) Err() error                 { return f.err }
func (f *fakeRows) Close() error               { f.closed++; return nil }
func (f *fakeRows) Scan(into ...any) error {
	for j, p := range into {
		*p.(*any) = f.rows[f.at-1][j]
	}
	return nil
}

var _ scanned = (*sql.Rows)(nil)

func TestFromQuery(t *testing.T) {
	day := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	q := &fakeRows{names: []string{"id", "price", "name", "name", "at", "mix", "", "none"}, rows: [][]any{
		{int64(1), 2.5, []byte("ann"), "x", day, int64(7), true, nil},
		{nil, int64(3), []byte{0xff, 0}, nil, nil, "seven", false, nil},
		{int64(3), math.NaN(), "bob", "y", day, 0.5, nil, nil},
	}}
	f := FromRows(q)
	if q.closed != 1 {
		t.Errorf("closed %d times", q.closed)
	}
	if want := []string{"id", "price", "name", "name 2", "at", "mix", "column 7", "none"}; !slices.Equal(f.Names(), want) {
		t.Fatalf("names %q", f.Names())
	}
	same(t, f.Col("id"), int64(1), nil, int64(3))
	same(t, f.Col("price"), 2.5, 3.0, nil)
	same(t, f.Col("name"), "ann", "x'ff00'", "bob")
	same(t, f.Col("name 2"), "x", nil, "y")
	same(t, f.Col("at"), day, nil, day)
	same(t, f.Col("mix"), "7", "seven", "0.5")
	same(t, f.Col("column 7"), true, false, nil)
	same(t, f.Col("none"), nil, nil, nil)
	if notes := strings.Join(f.Notes(), "; "); !strings.Contains(notes, `column "mix" has values of several kinds`) || !strings.Contains(notes, `is renamed to "name 2"`) {
		t.Error(notes)
	}
	if got := FromRows(&fakeRows{names: []string{"a"}}); got.Len() != 0 || got.Width() != 1 {
		t.Errorf("no rows: %v", got)
	}
	lost := &fakeRows{names: []string{"a"}, rows: [][]any{{int64(1)}}, err: errors.New("connection lost")}
	if got := refused(t, func() { FromRows(lost) }); !strings.Contains(got, "after row 1: connection lost") || lost.closed != 1 {
		t.Errorf("%s, closed %d times", got, lost.closed)
	}
	if got := refused(t, func() { FromRows((*sql.Rows)(nil)) }); !strings.Contains(got, "must have rows, got") {
		t.Error(got)
	}
}

// pgxRows imitates the rows of pgx.
type pgxRows struct {
	rows   [][]any
	at     int
	closed bool
}

type fieldDescription struct {
	Name string
	OID  uint32
}

// Numeric imitates the decimal number of pgtype.
type Numeric string

func (n Numeric) Value() (driver.Value, error) { return string(n), nil }

func (p *pgxRows) FieldDescriptions() []fieldDescription {
	return []fieldDescription{{Name: "n"}, {Name: "price"}, {Name: "key"}, {Name: "tags"}}
}
func (p *pgxRows) Next() bool             { p.at++; return p.at <= len(p.rows) }
func (p *pgxRows) Values() ([]any, error) { return p.rows[p.at-1], nil }
func (p *pgxRows) Err() error             { return nil }
func (p *pgxRows) Close()                 { p.closed = true }

func TestFromPgxRows(t *testing.T) {
	q := &pgxRows{rows: [][]any{
		{int32(1), Numeric("12.50"), [16]byte{0x01, 0x23, 15: 0xff}, []any{"a", 1}},
		{int32(2), Numeric("3"), nil, nil},
	}}
	f := FromRows(q)
	if !q.closed {
		t.Error("not closed")
	}
	same(t, f.Col("n"), int64(1), int64(2))
	same(t, f.Col("price"), 12.5, 3.0)
	same(t, f.Col("key"), "01230000-0000-0000-0000-0000000000ff", nil)
	same(t, f.Col("tags"), `["a",1]`, nil)
}
