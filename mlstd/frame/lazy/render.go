package lazy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// query is a SELECT that is being written.
type query struct {
	names []string // of the columns
	texts []string // their expressions
	plain bool     // whether the expressions are the columns of from
	from  string
	where []string
	group []string
	order []order
	limit int // -1 if there is none
}

// order is an expression by which rows are sorted.
type order struct {
	text string
	kind frame.Kind
	desc bool
}

// writer writes the queries of a frame.
type writer struct {
	d *Dialect
	n int // names of subqueries
}

// SQLFor returns the query in another dialect: PostgreSQL, MySQL, MariaDB, SQLite, Spark, Trino or
// ClickHouse.
func (f *Frame) SQLFor(dialect string) (string, error) {
	d := DialectOf(dialect)
	if d == nil {
		return "", model.Errorf("LazyFrame.SQLFor", "the dialect must be PostgreSQL, MySQL, MariaDB, SQLite, Spark, Trino or ClickHouse, got %q", dialect)
	}
	return f.render(d)
}

func (f *Frame) render(d *Dialect) (string, error) {
	w := &writer{d: d}
	q, err := w.query(f)
	if err != nil {
		return "", err
	}
	if len(q.names) > len(f.fields) { // columns for the order
		q = w.wrap(q)
		q.names, q.texts = q.names[:len(f.fields)], q.texts[:len(f.fields)]
	}
	return w.text(q, true), nil
}

func (w *writer) alias() string {
	w.n++
	return "q" + strconv.Itoa(w.n)
}

// column returns a column of a subquery.
func (w *writer) column(alias, name string) string { return alias + "." + w.d.Quote(name) }

// wrap makes a query the source of another one. The order goes outward, for which the inner query
// can get further columns.
func (w *writer) wrap(q *query) *query {
	alias := w.alias()
	out := &query{plain: true, limit: -1}
	for _, o := range q.order {
		j := slices.Index(q.texts, o.text)
		if j < 0 {
			j = len(q.names)
			q.names, q.texts = append(q.names, "order "+strconv.Itoa(w.n)+" "+strconv.Itoa(j)), append(q.texts, o.text)
		}
		out.order = append(out.order, order{w.column(alias, q.names[j]), o.kind, o.desc})
	}
	for _, name := range q.names {
		out.names, out.texts = append(out.names, name), append(out.texts, w.column(alias, name))
	}
	out.from = "(" + w.text(q, q.limit >= 0) + ") as " + alias
	return out
}

// text writes a query.
func (w *writer) text(q *query, sorted bool) string {
	var b strings.Builder
	b.WriteString("select ")
	for j, name := range q.names {
		if j > 0 {
			b.WriteString(", ")
		}
		b.WriteString(q.texts[j])
		quoted := w.d.Quote(name)
		if strings.TrimLeft(strings.TrimPrefix(q.texts[j], "q"), "0123456789") != "."+quoted {
			b.WriteString(" as " + quoted)
		}
	}
	b.WriteString(" from " + q.from)
	if len(q.where) > 0 {
		b.WriteString(" where " + strings.Join(q.where, " and "))
	}
	if len(q.group) > 0 {
		b.WriteString(" group by " + strings.Join(q.group, ", "))
	}
	if sorted && len(q.order) > 0 {
		b.WriteString(" order by " + strings.Join(w.sortedBy(q.order), ", "))
	}
	if q.limit >= 0 {
		b.WriteString(" limit " + strconv.Itoa(q.limit))
	}
	return b.String()
}

// named returns the expression of a column by name.
func (q *query) named(name string) string { return q.texts[slices.Index(q.names, name)] }

// query returns the query of a frame.
func (w *writer) query(f *Frame) (*query, error) {
	switch n := f.node.(type) {
	case *Table:
		alias := w.alias()
		q := &query{plain: true, from: n.From + " as " + alias, limit: -1}
		for _, x := range f.fields {
			q.names, q.texts = append(q.names, x.Name), append(q.texts, w.column(alias, x.Name))
		}
		return q, nil
	case *Filter:
		q, err := w.input(n.In)
		if err != nil {
			return nil, err
		}
		text, err := w.d.expr(n.Mask, q.named)
		q.where = append(q.where, text)
		return q, err
	case *Project:
		q, err := w.input(n.In)
		if err != nil {
			return nil, err
		}
		texts, plain := make([]string, len(n.Exprs)), true
		for j, c := range n.Exprs {
			if texts[j], err = w.d.expr(c, q.named); err != nil {
				return nil, err
			}
			plain = plain && c.op == "column"
		}
		q.names, q.texts, q.plain = f.Names(), texts, plain
		return q, nil
	case *Sorted:
		q, err := w.input(n.In)
		if err != nil {
			return nil, err
		}
		var by []order
		for _, name := range n.By {
			x, desc := f.direction("LazyFrame.Sort", name)
			by = append(by, order{q.named(x.Name), x.Kind, desc})
		}
		q.order = append(by, q.order...) // equal rows keep their order
		return q, nil
	case *Limited:
		q, err := w.query(n.In)
		if err != nil {
			return nil, err
		}
		if q.limit < 0 || n.N < q.limit {
			q.limit = n.N
		}
		return q, nil
	case *Distinct:
		return w.distinct(n, f)
	case *Grouped:
		return w.grouped(n)
	case *Joined:
		return w.joined(n, f)
	case *Concatenated:
		return w.concatenated(n, f)
	}
	return nil, fmt.Errorf("a step of type %T", f.node)
}

// input returns the query of a frame in a form to which a step can add its parts.
func (w *writer) input(f *Frame) (*query, error) {
	q, err := w.query(f)
	if err != nil || q.plain && q.limit < 0 && q.group == nil {
		return q, err
	}
	return w.wrap(q), nil
}

func (w *writer) distinct(n *Distinct, f *Frame) (*query, error) {
	q, err := w.input(n.In)
	if err != nil {
		return nil, err
	}
	key := func(name string) string { return w.d.binary(q.named(name), f.field("", name).Kind) }
	names := n.Names
	if len(names) == 0 {
		names = f.Names()
	}
	by := make([]string, len(names))
	for i, name := range names {
		by[i] = key(name)
	}
	first := strings.Join(w.sortedBy(q.order), ", ")
	if first == "" {
		first = by[0]
	}
	visible := f.Names()
	q.texts = append(w.all(q, visible), "row_number() over (partition by "+strings.Join(by, ", ")+" order by "+first+")")
	q.names = append(visible, "row number")
	q.plain = false
	q = w.wrap(q)
	q.where = []string{q.named("row number") + " = 1"}
	q.names, q.texts = q.names[:len(f.fields)], q.texts[:len(f.fields)]
	return q, nil
}

// sortedBy writes an order, with missing values last.
func (w *writer) sortedBy(list []order) (by []string) {
	for _, o := range list {
		text := w.d.binary(o.text, o.kind)
		if o.desc {
			text += " desc"
		}
		if w.d == MySQL {
			by = append(by, o.text+" is null", text)
		} else {
			by = append(by, text+" nulls last")
		}
	}
	return by
}

// all returns the expressions of columns.
func (w *writer) all(q *query, names []string) []string {
	texts := make([]string, len(names))
	for j, name := range names {
		texts[j] = q.named(name)
	}
	return texts
}

func (w *writer) joined(n *Joined, f *Frame) (*query, error) {
	if n.AsOf != nil {
		return nil, noAsOf(w.d)
	}
	left, err := w.source(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := w.source(n.Right)
	if err != nil {
		return nil, err
	}
	var on []string
	for i, name := range n.On {
		a := left.named(name)
		if w.d == MySQL {
			a = w.d.binary(a, n.Left.field("", name).Kind)
		}
		on = append(on, a+" = "+right.named(n.Others[i]))
	}
	match := strings.Join(on, " and ")
	if strings.HasSuffix(n.Kind, "exists") {
		left.where = append(left.where, n.Kind+" (select 1 from "+right.from+" where "+match+")")
		return left, nil
	}
	q := &query{names: f.Names(), limit: -1, order: left.order, from: left.from + " " + n.Kind + " " + right.from + " on " + match}
	q.texts = w.all(left, n.Left.Names())
	for _, name := range n.Right.Names() {
		if !slices.Contains(n.Others, name) {
			q.texts = append(q.texts, right.named(name))
		}
	}
	return q, nil
}

// source returns a query without conditions, whose source can be joined.
func (w *writer) source(f *Frame) (*query, error) {
	q, err := w.query(f)
	if err != nil {
		return nil, err
	}
	if _, ok := f.node.(*Table); ok {
		return q, nil
	}
	return w.wrap(q), nil
}

func (w *writer) grouped(n *Grouped) (*query, error) {
	q, err := w.input(n.In)
	if err != nil {
		return nil, err
	}
	q.order = nil
	if slices.ContainsFunc(n.Aggs, w.ranked) {
		q = w.prepared(q, n)
	}
	out := &query{from: q.from, where: q.where, group: []string{}, limit: -1}
	for _, name := range n.Keys {
		kind, text := n.In.field("", name).Kind, q.named(name)
		if w.d == MySQL && kind == frame.StringKind {
			text, kind = w.d.binary(text, kind), frame.IntKind
		}
		out.names, out.texts, out.group = append(out.names, name), append(out.texts, text), append(out.group, text)
		out.order = append(out.order, order{text, kind, false})
	}
	for j, a := range n.Aggs {
		text, err := w.aggregate(a.Parts(), n.In, q, j)
		if err != nil {
			return nil, err
		}
		out.names, out.texts = append(out.names, a.Parts().Name), append(out.texts, text)
	}
	if n.Share {
		out.order = append([]order{{"count(*)", frame.IntKind, true}}, out.order...)
		out = w.wrap(out)
		count := out.named("count")
		out.plain = false
		out.names = append(out.names, "share")
		out.texts = append(out.texts, w.d.asFloat(count, frame.IntKind)+" / "+w.d.asFloat("sum("+count+") over ()", frame.IntKind))
	}
	return out, nil
}

// ranked reports whether an aggregate needs the ranks or the mean of its values, because the
// dialect has no function for it.
func (w *writer) ranked(a frame.Agg) bool {
	switch a.Parts().Op {
	case "median", "quantile":
		return w.d != PostgreSQL && w.d != Spark
	case "sd", "variance":
		return w.d == SQLite
	}
	return false
}

// prepared adds columns with the ranks, counts and means that aggregates need.
func (w *writer) prepared(q *query, n *Grouped) *query {
	names := n.In.Names()
	texts := w.all(q, names)
	keys := make([]string, len(n.Keys))
	for i, name := range n.Keys {
		keys[i] = q.named(name)
		if w.d == MySQL {
			keys[i] = w.d.binary(keys[i], n.In.field("", name).Kind)
		}
	}
	whole := ""
	if len(keys) > 0 {
		whole = "partition by " + strings.Join(keys, ", ")
	}
	for j, a := range n.Aggs {
		p := a.Parts()
		if !w.ranked(a) {
			continue
		}
		x, k := q.named(p.Column), strconv.Itoa(j)
		if p.Op == "sd" || p.Op == "variance" {
			names, texts = append(names, "mean "+k), append(texts, "avg("+x+") over ("+whole+")")
			continue
		}
		names = append(names, "rank "+k, "size "+k)
		texts = append(texts, "row_number() over (partition by "+strings.Join(append(slices.Clone(keys), x+" is null"), ", ")+" order by "+x+")", "count("+x+") over ("+whole+")")
	}
	q.names, q.texts, q.plain = names, texts, false
	return w.wrap(q)
}

// aggregate writes the aggregate at position j.
func (w *writer) aggregate(p frame.Parts, in *Frame, q *query, j int) (string, error) {
	if p.Op == "count" && p.Column == "" {
		return "count(*)", nil
	}
	x, kind, k := q.named(p.Column), in.field("", p.Column).Kind, strconv.Itoa(j)
	number := x
	if kind == frame.BoolKind && p.Op != "count" && p.Op != "unique" {
		number = "case when " + x + " then 1 when not " + x + " then 0 end"
	}
	float := w.d.asFloat(number, frame.FloatKind)
	switch p.Op {
	case "count":
		return "count(" + x + ")", nil
	case "unique":
		if w.d == MySQL {
			x = w.d.binary(x, kind)
		}
		return "count(distinct " + x + ")", nil
	case "sum":
		return "coalesce(sum(" + number + "), 0)", nil
	case "min", "max":
		if kind == frame.BoolKind {
			return p.Op + "(" + number + ") = 1", nil
		}
		return p.Op + "(" + w.d.binary(x, kind) + ")", nil
	case "mean":
		return "avg(" + float + ")", nil
	case "sd", "variance":
		text := "var_samp(" + float + ")"
		if w.ranked(frame.SD("")) {
			d := "(" + float + " - " + q.named("mean "+k) + ")"
			text = "case when count(" + x + ") > 1 then sum(" + d + " * " + d + ") / (count(" + x + ") - 1) end"
		}
		if w.d == ClickHouse {
			text = "case when count(" + x + ") > 1 then varSamp(" + float + ") end"
		}
		if p.Op == "sd" {
			return "sqrt(" + text + ")", nil
		}
		return text, nil
	}
	at, err := w.d.float(p.Q)
	if err != nil {
		return "", err
	}
	switch w.d {
	case PostgreSQL:
		return "percentile_cont(" + at + ") within group (order by " + float + ")", nil
	case Spark:
		return "percentile(" + float + ", " + at + ")", nil
	}
	// Interpolate: the weight of a value falls with the distance of its rank from the wanted rank.
	distance := "abs(" + q.named("rank "+k) + " - 1 - " + at + " * (" + q.named("size "+k) + " - 1))"
	return "sum(case when " + x + " is not null and " + distance + " < 1 then " + float + " * (1 - " + distance + ") end)", nil
}
