package vector

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// Query is what a statement needs to run.
type Query struct {
	Context    context.Context
	Tables     map[string]*frame.Frame
	Parameters map[string]any // nil, int64, float64 or string
	Zone       *time.Location
	Moment     func(time.Time) string // formats a time
	Plan       []string               // the lines of SQLite's query plan
	// Apply computes an expression over vectors, which are the columns c0, c1, ... of n rows.
	Apply func(expression string, args []Vector, n int) (Vector, error)
}

// query is a running query.
type query struct {
	*Query
	st      *Statement
	tables  []*table
	columns map[int]Vector
	aliases map[string]*expr
	plain   bool // the statement only selects rows
	calls   int  // of functions of many rows
}

// table is a table of the from clause.
type table struct {
	source
	frame *frame.Frame
	index int      // the column by which SQLite looks up rows, or -1
	hide  []string // columns that using has merged into those of a table before
}

const tableColumns = 1 << 16 // column j of table i is i*tableColumns + j

func (q *query) check() {
	if q.Context.Err() != nil {
		panic(interrupted{})
	}
}

type interrupted struct{}

func (q *query) apply(expression string, args []Vector, n int) Vector {
	v, err := q.Apply(expression, args, n)
	if err != nil {
		q.check()
		leave("%v", err)
	}
	return v
}

// Run executes the statement. It returns a vector for each column of the result, and the number of
// rows. The error is a [*Left] if the statement must be left to SQLite, or the cause if the context
// is canceled.
func (st *Statement) Run(in *Query) (columns []Vector, n int, err error) {
	defer recoverLeft(&err)
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(interrupted); !is {
				panic(r)
			}
			err = context.Cause(in.Context)
		}
	}()
	q := &query{Query: in, st: st, columns: map[int]Vector{}}
	columns, n = q.run()
	return columns, n, nil
}

// key returns a text that is equal for equal expressions.
func (e *expr) key() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *expr) write(b *strings.Builder) {
	switch e.op {
	case "column":
		b.WriteString("@" + strconv.Itoa(e.column))
		return
	case "lit":
		fmt.Fprintf(b, "%d %d %x %q", e.value.kind, e.value.i, math.Float64bits(e.value.f), e.value.s)
		return
	}
	fmt.Fprintf(b, "%s %s %t%t%t%t(", e.op, e.text, e.star, e.distinct, e.operand, e.other)
	for _, a := range e.args {
		a.write(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
	if e.over != nil {
		b.WriteString(e.over.key())
	}
}

func (w *window) key() string {
	var b strings.Builder
	b.WriteString(" over ")
	for _, e := range w.partition {
		e.write(&b)
		b.WriteByte(',')
	}
	b.WriteByte(';')
	for _, t := range w.order {
		t.expr.write(&b)
		fmt.Fprintf(&b, " %t %d,", t.desc, t.nulls)
	}
	return b.String()
}

// The clauses in which a name is resolved.
const (
	byColumn = iota // a column, or else an alias
	byAlias         // an alias, or else a column: a term of order by that is a name
)

// resolve replaces names by columns and by the expressions of aliases.
func (q *query) resolve(e *expr, how int) *expr {
	if e == nil {
		return nil
	}
	switch e.op {
	case "name":
		alias := q.aliases[lower(e.text)]
		if how == byAlias && e.table == "" && alias != nil {
			return alias
		}
		if id := q.find(e.table, e.text); id >= 0 {
			return &expr{op: "column", column: id}
		}
		if e.table == "" && alias != nil {
			return alias
		}
		leave("the name %s", e.text)
	case "param":
		v, ok := q.Parameters[e.text]
		if !ok {
			leave("the parameter %s", e.text)
		}
		switch v := v.(type) {
		case nil:
			return &expr{op: "lit"}
		case int64:
			return &expr{op: "lit", value: value{kind: integer, i: v}}
		case float64:
			return &expr{op: "lit", value: value{kind: float, f: v}}
		case string:
			if strings.IndexByte(v, 0) < 0 {
				return &expr{op: "lit", value: value{kind: text, s: v}}
			}
		}
		leave("the parameter %s", e.text)
	}
	out := *e
	out.args = make([]*expr, len(e.args))
	for i, a := range e.args {
		out.args[i] = q.resolve(a, byColumn)
	}
	if e.over != nil {
		w := &window{}
		for _, p := range e.over.partition {
			w.partition = append(w.partition, q.resolve(p, byColumn))
		}
		for _, t := range e.over.order {
			t.expr = q.resolve(t.expr, byColumn)
			w.order = append(w.order, t)
		}
		out.over = w
	}
	return &out
}

// find returns the number of a column, or -1.
func (q *query) find(tableName, name string) int {
	id := -1
	for i, t := range q.tables {
		if tableName != "" && !same(tableName, t.alias) {
			continue
		}
		for j, c := range t.frame.Columns() {
			if !same(c.Name(), name) || tableName == "" && slices.Contains(t.hide, lower(name)) {
				continue
			}
			if id >= 0 {
				leave("the name %s of two columns", name)
			}
			id = i*tableColumns + j
		}
	}
	return id
}

// loops is a line of SQLite's query plan for a table.
var loops = regexp.MustCompile(`^(?:SCAN|SEARCH) (.+) VIRTUAL TABLE INDEX (\d+):( LEFT-JOIN)?$`)

// nested reads the plan: it returns the tables in the order in which SQLite nests their loops.
func (q *query) nested(windows bool) []int {
	var order []int
	for _, line := range q.Plan {
		m := loops.FindStringSubmatch(line)
		switch {
		case m != nil:
			at := slices.IndexFunc(q.tables, func(t *table) bool { return same(t.alias, m[1]) })
			if at < 0 || slices.Contains(order, at) {
				leave("the plan %q", line)
			}
			index, err := strconv.Atoi(m[2])
			if err != nil {
				leave("the plan %q", line)
			}
			q.tables[at].index = index - 1
			order = append(order, at)
		case strings.HasPrefix(line, "USE TEMP B-TREE FOR "):
		case windows && (strings.HasPrefix(line, "CO-ROUTINE (subquery-") || strings.HasPrefix(line, "SCAN (subquery-")):
		default:
			leave("the plan %q", line)
		}
	}
	if len(order) != len(q.tables) {
		leave("a plan without all tables")
	}
	for k, i := range order {
		if k != i && slices.ContainsFunc(q.tables, func(t *table) bool { return t.left }) {
			leave("a left join in another order")
		}
	}
	return order
}

// open finds the tables of the from clause.
func (q *query) open() {
	for _, s := range q.st.from {
		t := &table{source: s, index: -1}
		for name, f := range q.Tables {
			if same(name, s.name) {
				t.frame = f
			}
		}
		if t.frame == nil || t.frame.Width() >= tableColumns || t.frame.Len() > math.MaxInt32/2 {
			leave("the table %s", s.name)
		}
		for _, other := range q.tables {
			if same(other.alias, t.alias) {
				leave("two tables named %s", t.alias)
			}
		}
		for _, name := range s.using {
			a, b := q.find("", name), -1
			for j, c := range t.frame.Columns() {
				if same(c.Name(), name) {
					b = len(q.tables)*tableColumns + j
				}
			}
			if a < 0 || b < 0 {
				leave("the column %s of using", name)
			}
			on := &expr{op: "=", args: []*expr{{op: "column", column: a}, {op: "column", column: b}}}
			if t.on != nil {
				on = &expr{op: "and", args: []*expr{t.on, on}}
			}
			t.on = on
			t.hide = append(t.hide, lower(name))
		}
		q.tables = append(q.tables, t)
	}
}

// items resolves the expressions of the result.
func (q *query) items() []*expr {
	var list []*expr
	aliases := map[string]*expr{}
	for _, it := range q.st.items {
		if it.star {
			found := false
			for i, t := range q.tables {
				if it.table != "" && !same(it.table, t.alias) {
					continue
				}
				found = true
				for j, c := range t.frame.Columns() {
					if it.table == "" && slices.Contains(t.hide, lower(c.Name())) {
						continue
					}
					list = append(list, &expr{op: "column", column: i*tableColumns + j})
				}
			}
			if !found {
				leave("the table %s", it.table)
			}
			continue
		}
		e := q.resolve(it.expr, byColumn)
		list = append(list, e)
		if name := lower(it.alias); name != "" && aliases[name] == nil {
			aliases[name] = e
		}
	}
	q.aliases = aliases // an expression of the result doesn't know the names of others
	return list
}

// sortKey resolves an expression of group by or order by. A number that is written there means an
// expression of the result; a name or a parameter of the same value doesn't.
func (q *query) sortKey(e *expr, how int, items []*expr) *expr {
	for e.op == "plus" {
		e = e.args[0]
	}
	if e.op != "lit" {
		if e = q.resolve(e, how); e.constant() {
			leave("a constant in group by or order by")
		}
		return e
	}
	if e.value.kind != integer || e.value.i < 1 || int(e.value.i) > len(items) {
		leave("a constant in group by or order by")
	}
	return items[e.value.i-1]
}

// constant reports whether the expression has no columns and no calls.
func (e *expr) constant() bool {
	if e.op == "column" || e.op == "call" {
		return false
	}
	for _, a := range e.args {
		if !a.constant() {
			return false
		}
	}
	return true
}

func (q *query) run() ([]Vector, int) {
	q.open()
	items := q.items()
	where := q.resolve(q.st.where, byColumn)
	having := q.resolve(q.st.having, byColumn)
	var group []*expr
	for _, e := range q.st.group {
		group = append(group, q.sortKey(e, byColumn, items))
	}
	var terms []term
	for _, t := range q.st.order {
		how := byColumn
		if t.expr.op == "name" {
			how = byAlias
		}
		t.expr = q.sortKey(t.expr, how, items)
		terms = append(terms, t)
	}
	var aggs, windows []*expr
	for _, e := range items {
		e.calls(&aggs, &windows)
	}
	for _, t := range terms {
		t.expr.calls(&aggs, &windows)
	}
	having.calls(&aggs, &windows)
	for _, e := range append([]*expr{where}, group...) {
		var inner []*expr
		if e.calls(&inner, &inner); len(inner) > 0 {
			leave("an aggregate in where or group by")
		}
	}
	q.plain = !q.st.distinct && len(aggs)+len(windows)+len(group)+len(terms) == 0
	if q.plain && q.st.limit != nil && where == nil {
		leave("SQLite reads no more rows than its limit")
	}
	rel := q.source(where, q.nested(len(windows) > 0))
	if len(aggs) > 0 || len(group) > 0 || having != nil {
		if having != nil && len(aggs) == 0 && len(group) == 0 {
			leave("having without a group")
		}
		sort := terms
		if len(windows) > 0 {
			sort = windows[0].over.terms()
		}
		rel = rel.aggregate(group, aggs, sort)
		if having != nil {
			rel = rel.filter(having)
		}
	}
	if len(windows) > 0 {
		rel = rel.windows(windows)
	}
	if q.st.distinct {
		rel = rel.distinct(items, terms)
	}
	if len(terms) > 0 {
		rel = rel.sorted(terms, q.bounds())
	}
	if lo, hi := q.bounds().of(rel.n); hi-lo < rel.n {
		rows := make([]int32, hi-lo)
		for i := range rows {
			rows[i] = int32(lo + i)
		}
		rel = rel.take(rows)
	}
	columns := make([]Vector, len(items))
	for j, e := range items {
		q.check()
		n := rel.compile(e)
		columns[j] = rel.values(n).full(rel.n)
		if n.kind == null {
			columns[j] = Vector{n: rel.n}
		}
	}
	return columns, rel.n
}

// bounds are the values of limit and offset; a limit of -1 is none.
type bounds struct{ limit, offset int }

func (q *query) bounds() bounds {
	read := func(e *expr, none int) int {
		if e = q.resolve(e, byColumn); e == nil {
			return none
		}
		minus := e.op == "neg"
		if minus {
			e = e.args[0]
		}
		if e.op != "lit" || e.value.kind != integer {
			leave("a limit that is not an integer")
		}
		if minus || e.value.i < 0 {
			return none
		}
		return int(min(e.value.i, math.MaxInt32))
	}
	return bounds{read(q.st.limit, -1), read(q.st.offset, 0)}
}

// of returns the range of n rows that are in the result.
func (b bounds) of(n int) (lo, hi int) {
	lo, hi = min(b.offset, n), n
	if b.limit >= 0 {
		hi = min(n, lo+b.limit)
	}
	return lo, hi
}

// aggregates are the aggregate functions.
var aggregates = map[string]bool{"count": true, "sum": true, "total": true, "avg": true, "min": true, "max": true,
	"group_concat": true, "string_agg": true, "median": true, "percentile": true, "json_group_array": true}

// calls collects the calls of aggregates and of window functions, each once.
func (e *expr) calls(aggs, windows *[]*expr) {
	if e == nil {
		return
	}
	add := func(list *[]*expr) {
		if !slices.ContainsFunc(*list, func(o *expr) bool { return o.key() == e.key() }) {
			*list = append(*list, e)
		}
	}
	if e.over != nil {
		add(windows)
		for _, p := range e.over.partition {
			p.calls(aggs, windows)
		}
		for _, t := range e.over.order {
			t.expr.calls(aggs, windows)
		}
		for _, a := range e.args {
			a.calls(aggs, windows)
		}
		return
	}
	if e.op == "call" && aggregates[e.text] && (e.star || len(e.args) < 2) {
		add(aggs)
		return
	}
	for _, a := range e.args {
		a.calls(aggs, windows)
	}
}
