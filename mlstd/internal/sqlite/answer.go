//go:build !js

package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// answer gathers the rows of a query.
type answer struct {
	names  []string
	types  []string // declared types in upper case; "" for an expression
	values []gathered
	rows   int
	zone   *time.Location
	notes  []string
}

// gathered holds the values of a column: numbers and times by row in ints or floats, texts in a
// dictionary.
type gathered struct {
	ints   []int64
	floats []float64
	sorts  []byte // kind of each value
	texts  []string
	count  [256]int
}

// The kinds of values.
const (
	missing = iota
	anInt
	aFloat
	aText
	aBool
	aTime
)

func newAnswer(rows driver.Rows, names []string, zone *time.Location) *answer {
	a := &answer{names: make([]string, len(names)), types: make([]string, len(names)), values: make([]gathered, len(names)), zone: zone}
	typed, _ := rows.(driver.RowsColumnTypeDatabaseTypeName)
	used := map[string]bool{}
	for j, name := range names {
		a.names[j] = name
		for k := 2; used[a.names[j]]; k++ {
			a.names[j] = name + " " + strconv.Itoa(k)
		}
		if a.names[j] != name {
			a.notes = append(a.notes, fmt.Sprintf("the second column %q is renamed to %q", name, a.names[j]))
		}
		used[a.names[j]] = true
		if typed != nil {
			a.types[j] = typed.ColumnTypeDatabaseTypeName(j)
		}
	}
	return a
}

// add takes a row.
func (a *answer) add(row []driver.Value) {
	for j, v := range row {
		g := &a.values[j]
		sort, i, f, s := byte(missing), int64(0), 0.0, ""
		switch v := v.(type) {
		case int64:
			sort, i, f = anInt, v, float64(v)
		case float64:
			sort, f = aFloat, v
		case bool:
			sort = aBool
			if v {
				i = 1
			}
		case time.Time:
			sort, s = aTime, v.Format(time.RFC3339Nano)
			i = v.UnixNano()
		case string:
			sort, s = aText, v
		case []byte:
			sort, s = aText, string(v)
			if !utf8.Valid(v) {
				s = "x'" + hex.EncodeToString(v) + "'"
			}
		}
		g.sorts = append(g.sorts, sort)
		g.count[sort]++
		g.ints = append(g.ints, i)
		g.floats = append(g.floats, f)
		if sort == aText || sort == aTime || g.texts != nil {
			for len(g.texts) < a.rows {
				g.texts = append(g.texts, "")
			}
			g.texts = append(g.texts, s)
		}
	}
	a.rows++
}

func (a *answer) frame() (*frame.Frame, error) {
	columns := make([]*frame.Column, len(a.names))
	for j := range columns {
		columns[j] = a.column(j)
	}
	f, err := frame.New(columns...)
	if err != nil {
		return nil, err
	}
	return f.Noted(a.notes...), nil
}

// column makes a column of the common kind of its values, or of text if they have several kinds.
func (a *answer) column(j int) *frame.Column {
	g, name := &a.values[j], a.names[j]
	gaps := make([]uint64, (a.rows+63)/64)
	for i, sort := range g.sorts {
		if sort == missing {
			gaps[i>>6] |= 1 << (i & 63)
			g.floats[i] = math.NaN()
		}
	}
	known := a.rows - g.count[missing]
	switch {
	case known == 0 && (strings.Contains(a.types[j], "TEXT") || strings.Contains(a.types[j], "CHAR")):
		return frame.StringColumn(name, make([]string, a.rows)).MarkMissing(gaps)
	case known == 0:
		return frame.FloatColumn(name, g.floats)
	case strings.HasPrefix(a.types[j], "BOOL") && g.count[aBool]+g.count[anInt] == known && !slices.ContainsFunc(g.ints, func(v int64) bool { return v != 0 && v != 1 }):
		bools := make([]bool, a.rows)
		for i, v := range g.ints {
			bools[i] = v != 0
		}
		return frame.BoolColumn(name, bools).MarkMissing(gaps)
	case g.count[anInt] == known:
		return frame.IntColumn(name, g.ints).MarkMissing(gaps)
	case g.count[anInt]+g.count[aFloat] == known:
		return frame.FloatColumn(name, g.floats)
	case g.count[aTime] == known:
		return frame.NanoColumn(name, g.ints, a.zone).MarkMissing(gaps)
	}
	return a.text(j, gaps)
}

// text makes a column of text, or of times if the column is declared as times or is an expression
// whose texts are all times.
func (a *answer) text(j int, gaps []uint64) *frame.Column {
	g, name := &a.values[j], a.names[j]
	for i, sort := range g.sorts {
		switch {
		case sort == anInt:
			g.texts[i] = strconv.FormatInt(g.ints[i], 10)
		case sort == aFloat:
			g.texts[i] = strconv.FormatFloat(g.floats[i], 'g', -1, 64)
		case sort == aBool:
			g.texts[i] = strconv.FormatBool(g.ints[i] != 0)
		}
	}
	var kinds []string
	for _, k := range []struct {
		n     int
		names string
	}{{g.count[anInt] + g.count[aFloat], "numbers"}, {g.count[aBool], "truth values"}, {g.count[aTime], "times"}, {g.count[aText], "texts"}} {
		if k.n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s (%d)", k.names, k.n))
		}
	}
	if len(kinds) > 1 {
		a.notes = append(a.notes, fmt.Sprintf("column %q has values of several types, %s: read as text", name, strings.Join(kinds, ", ")))
	} else if nanos, ok := a.moments(j); ok {
		return frame.NanoColumn(name, nanos, time.UTC).MarkMissing(gaps)
	} else if a.types[j] == "" || strings.EqualFold(a.types[j], timeType) {
		x := infer.Coded(g.texts, func(i int) bool { return g.sorts[i] != missing })
		none := infer.NewMissing([]string{})
		t, _ := x.Tally(none)
		if v := t.Verdict(&infer.Context{Zone: a.zone}); v.Kind == infer.Time && len(v.Notes) == 0 {
			c := x.Column(name, &v.Recipe, none)
			for _, note := range infer.ClashNotes(c.Clashes, c.Zone, 1) {
				a.notes = append(a.notes, fmt.Sprintf("column %q %s", name, note))
			}
			return frame.NanoColumn(name, c.Ints, c.Zone).MarkMissing(gaps)
		}
	}
	return frame.StringColumn(name, g.texts).MarkMissing(gaps)
}

// moments returns the times of a column that this package has written in UTC.
func (a *answer) moments(j int) ([]int64, bool) {
	g := &a.values[j]
	if !strings.EqualFold(a.types[j], timeType) || a.zone != time.UTC {
		return nil, false
	}
	nanos := make([]int64, a.rows)
	for i, sort := range g.sorts {
		if sort == missing {
			continue
		}
		t, err := time.Parse("2006-01-02 15:04:05.999999999", g.texts[i])
		if err != nil || t.Before(time.Unix(0, math.MinInt64)) || t.After(time.Unix(0, math.MaxInt64)) {
			return nil, false
		}
		nanos[i] = t.UnixNano()
	}
	return nanos, true
}
