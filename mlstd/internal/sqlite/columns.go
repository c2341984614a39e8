//go:build !js

package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite/vector"
)

// fewRows is the number of rows of all frames up to which SQLite executes a query as fast.
const fewRows = 1000

// columns executes a query over columns. The error is a [*vector.Left] if SQLite must execute the
// query, or executes it as fast.
func (c *connection) columns(ctx context.Context, query string, parameters map[string]any) (*frame.Frame, error) {
	rows := 0
	for _, f := range c.used {
		rows += f.Len()
	}
	if rows <= fewRows {
		return nil, &vector.Left{Why: fmt.Sprintf("its frames have at most %d rows", fewRows)}
	}
	return c.vectors(ctx, query, parameters)
}

// vectors executes a query over columns of any length. SQLite checks the query, and determines its
// plan, on tables without rows.
func (c *connection) vectors(ctx context.Context, query string, parameters map[string]any) (*frame.Frame, error) {
	st, err := vector.Parse(query)
	if err != nil {
		return nil, err
	}
	args, err := c.args(query, parameters)
	if err != nil {
		return nil, &vector.Left{Why: "parameters"}
	}
	a, plan, err := c.plan(ctx, query, args)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &vector.Left{Why: plain(err)}
	}
	values := map[string]any{}
	for _, arg := range args {
		values[arg.Name] = arg.Value
	}
	list, n, err := st.Run(&vector.Query{
		Context: ctx, Tables: c.tables, Parameters: values, Zone: c.zone, Moment: moment, Plan: plan,
		Apply: func(expression string, args []vector.Vector, n int) (vector.Vector, error) {
			return apply(ctx, expression, args, n)
		},
	})
	if err != nil {
		return nil, err
	}
	if len(list) != len(a.names) {
		return nil, &vector.Left{Why: "the number of columns"}
	}
	columns := make([]*frame.Column, len(list))
	for j, v := range list {
		columns[j] = a.vector(j, v, n)
	}
	f, err := frame.New(columns...)
	if err != nil {
		return nil, err
	}
	return f.Noted(a.notes...).After(c.used...).Noted(c.notes...), nil
}

// planned is the beginning of a query for SQLite's plan of a query.
var planned = regexp.MustCompile(`(?i)^\s*explain\s+query\s+plan\s`)

// plan returns an answer without rows, which has the names and types of the result, and SQLite's
// plan of the query.
func (c *connection) plan(ctx context.Context, query string, args []driver.NamedValue) (*answer, []string, error) {
	for _, id := range c.open {
		t, _ := frames.Load(id)
		t.(*table).empty = true
		defer func() { t.(*table).empty = false }()
	}
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	if err != nil {
		return nil, nil, err
	}
	a := newAnswer(rows, rows.Columns(), c.zone)
	if err := rows.Close(); err != nil {
		return nil, nil, err
	}
	rows, err = c.Conn.(driver.QueryerContext).QueryContext(ctx, "explain query plan "+query, args)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	var plan []string
	values := make([]driver.Value, 4)
	for {
		err := rows.Next(values)
		if err == io.EOF {
			return a, plan, nil
		}
		if err != nil {
			return nil, nil, err
		}
		plan = append(plan, fmt.Sprint(values[3]))
	}
}

// apply computes an expression over vectors with SQLite.
func apply(ctx context.Context, expression string, args []vector.Vector, n int) (vector.Vector, error) {
	columns := make([]*frame.Column, len(args), len(args)+1)
	for k, v := range args {
		columns[k] = v.Column(fmt.Sprintf("c%d", k), n)
	}
	f, err := frame.New(append(columns, frame.IntColumn("row", make([]int64, n)))...)
	if err != nil {
		return vector.Vector{}, err
	}
	text := "select " + expression + " from arguments"
	c, err := connect(map[string]*frame.Frame{"arguments": f}, text)
	if err != nil {
		return vector.Vector{}, err
	}
	defer c.close()
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, text, nil)
	if err != nil {
		return vector.Vector{}, err
	}
	defer rows.Close()
	list := make([]any, 0, n)
	row := make([]driver.Value, 1)
	for {
		err := rows.Next(row)
		if err == io.EOF {
			break
		}
		if err != nil {
			return vector.Vector{}, err
		}
		list = append(list, row[0])
	}
	v, ok := vector.Of(list)
	if !ok {
		return vector.Vector{}, fmt.Errorf("values of several types in %s", expression)
	}
	return v, nil
}

// vector returns a column of the result, of the kind that [answer.column] chooses.
func (a *answer) vector(j int, v vector.Vector, n int) *frame.Column {
	name := a.names[j]
	g := &a.values[j]
	a.rows = n
	gaps := make([]uint64, (n+63)/64)
	known := 0
	mark := func(i int, gone bool) {
		if gone {
			gaps[i>>6] |= 1 << (i & 63)
		} else {
			known++
		}
	}
	if ints, gone, ok := v.Ints(); ok {
		isBool := strings.HasPrefix(a.types[j], "BOOL")
		for i, x := range ints {
			missing := gone != nil && gone[i]
			mark(i, missing)
			isBool = isBool && (missing || x == 0 || x == 1)
		}
		switch {
		case known > 0 && isBool:
			bools := make([]bool, n)
			for i, x := range ints {
				bools[i] = x == 1
			}
			return frame.BoolColumn(name, bools).MarkMissing(gaps)
		case known > 0:
			return frame.IntColumn(name, ints).MarkMissing(gaps)
		}
	} else if floats, whole, ok := v.Floats(); ok {
		integers := 0
		for i, x := range floats {
			mark(i, x != x)
			if x == x && whole != nil && whole[i] {
				integers++
			}
		}
		switch {
		case known > 0 && integers == known:
			ints := make([]int64, n)
			for i, x := range floats {
				if x == x {
					ints[i] = int64(x)
				}
			}
			return frame.IntColumn(name, ints).MarkMissing(gaps)
		case known > 0:
			return frame.FloatColumn(name, floats)
		}
	} else if codes, list, ok := v.Texts(); ok && a.types[j] == "TEXT" && 2*len(list) < n {
		return frame.StringCodes(name, slices.Clone(codes), list)
	} else if ok {
		g.texts, g.sorts = make([]string, n), make([]byte, n)
		for i, c := range codes {
			if mark(i, c < 0); c >= 0 {
				g.texts[i], g.sorts[i] = list[c], aText
			}
		}
		if g.count[aText], g.count[missing] = known, n-known; known > 0 {
			return a.text(j, gaps)
		}
	}
	g.sorts, g.count[missing] = make([]byte, n), n
	g.floats = make([]float64, n)
	for i := range g.floats {
		g.floats[i] = math.NaN()
	}
	return a.column(j)
}
