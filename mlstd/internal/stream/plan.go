package stream

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"
)

// node is a step of an optimized plan: filters are next to the sources, and only columns that a
// later step uses are read.
type node struct {
	step    any // the step of the lazy frame
	in      []*node
	columns []string       // of a source or a projection
	tests   []Test         // of a source
	mask    *lazy.Column   // of a filter
	exprs   []*lazy.Column // of a projection
	limit   int            // of the first rows in an order
}

// plan returns the optimized plan of a lazy frame.
func plan(f *lazy.Frame) (p *node, err error) {
	defer rescue(&err)
	names := f.Names()
	p = optimize(f, names, nil)
	p = &node{step: &lazy.Project{}, in: []*node{p}, columns: names}
	return p.merged(), nil
}

// optimize returns the plan for the needed columns of the rows that pass the masks.
func optimize(f *lazy.Frame, need []string, masks []*lazy.Column) *node {
	switch n := lazy.Plan(f).(type) {
	case *lazy.Source:
		return optimizeSource(n, need, masks)
	case *lazy.Filter:
		return optimize(n.In, need, append(conjuncts(n.Mask, nil), masks...))
	case *lazy.Project:
		return optimizeProject(f, n, need, masks)
	case *lazy.Sorted:
		for _, name := range n.By {
			if rest, ok := strings.CutPrefix(name, "-"); ok && !f.Has(name) {
				name = rest
			}
			need = with(need, name)
		}
		return &node{step: n, in: []*node{optimize(n.In, need, masks)}}
	case *lazy.Limited:
		in := optimize(n.In, withAll(need, masks), nil)
		out := &node{step: n, in: []*node{in}}
		if s, ok := in.step.(*lazy.Sorted); ok && in.limit == 0 && n.N <= topRows {
			out = &node{step: s, in: in.in, limit: n.N + 1}
		}
		return filtered(out, masks)
	case *lazy.Distinct:
		names := n.Names
		if len(names) == 0 {
			names = f.Names()
		}
		below, above := divide(masks, func(c string) bool { return slices.Contains(names, c) })
		for _, name := range names {
			need = with(need, name)
		}
		return filtered(&node{step: n, columns: names, in: []*node{optimize(n.In, withAll(need, above), below)}}, above)
	case *lazy.Grouped:
		below, above := divide(masks, func(c string) bool { return slices.Contains(n.Keys, c) && !n.Share })
		need := slices.Clone(n.Keys)
		for _, a := range n.Aggs {
			for _, c := range []string{a.Parts().Column, a.Parts().Second} {
				if c != "" {
					need = with(need, c)
				}
			}
		}
		return filtered(&node{step: n, in: []*node{optimize(n.In, need, below)}}, above)
	case *lazy.Joined:
		return optimizeJoin(n, need, masks)
	case *lazy.Concatenated:
		return optimizeConcat(f, n, need, masks)
	}
	misuse("Scan", "a step of type %T cannot be run on files", lazy.Plan(f))
	return nil
}

// topRows is the maximum n for which Sort and Head(n) keep only n rows in memory.
const topRows = 1 << 17

func optimizeSource(n *lazy.Source, need []string, masks []*lazy.Column) *node {
	source := n.Origin.(Source)
	read := withAll(need, masks)
	var columns []string
	empty := source.Empty()
	for _, name := range empty.Names() {
		if slices.Contains(read, name) {
			columns = append(columns, name)
		}
	}
	if len(columns) == 0 { // to count the rows
		columns = []string{narrow(empty)}
	}
	p := &node{step: n, columns: columns}
	for _, m := range masks {
		if t, ok := testOf(m); ok {
			p.tests = append(p.tests, t)
		}
	}
	p = filtered(p, masks)
	if len(need) > 0 && len(need) < len(columns) {
		p = &node{step: &lazy.Project{}, in: []*node{p}, columns: need}
	}
	return p
}

// narrow returns the column that is read fastest.
func narrow(empty *frame.Frame) string {
	columns := empty.Columns()
	for _, kind := range []frame.Kind{frame.BoolKind, frame.IntKind, frame.FloatKind} {
		for _, c := range columns {
			if c.Kind() == kind {
				return c.Name()
			}
		}
	}
	return columns[0].Name()
}

func optimizeProject(f *lazy.Frame, n *lazy.Project, need []string, masks []*lazy.Column) *node {
	exprs := map[string]*lazy.Column{}
	for j, name := range f.Names() {
		exprs[name] = n.Exprs[j]
	}
	var below, above []*lazy.Column
	for _, m := range masks {
		if pushed := lazy.Substitute(m, func(name string) *lazy.Column { return exprs[name] }); cheap(pushed) {
			below = append(below, pushed)
		} else {
			above = append(above, m)
		}
	}
	wanted := need
	need = withAll(need, above)
	p := &node{step: n}
	var read []string
	plain := true
	for _, name := range f.Names() {
		if !slices.Contains(need, name) {
			continue
		}
		p.columns, p.exprs = append(p.columns, name), append(p.exprs, exprs[name])
		read = columnsOf(exprs[name], read)
		x := lazy.ExprOf(exprs[name])
		plain = plain && x.Op == "column" && x.Name == name
	}
	in := optimize(n.In, read, below)
	if plain {
		if len(p.columns) == 0 {
			return in
		}
		p.exprs = nil
	}
	p.in = []*node{in}
	if p = filtered(p, above); len(need) > len(wanted) {
		p = &node{step: &lazy.Project{}, in: []*node{p}, columns: wanted}
	}
	return p
}

func optimizeJoin(n *lazy.Joined, need []string, masks []*lazy.Column) *node {
	right := map[string]string{} // names of the result
	if n.Kind == "join" || n.Kind == "left join" {
		for _, name := range n.Right.Names() {
			if slices.Contains(n.Others, name) {
				continue
			}
			if n.Left.Has(name) {
				right[name+"_right"] = name
			} else {
				right[name] = name
			}
		}
	}
	ofRight := func(c string) bool { _, ok := right[c]; return ok }
	left, rest := divide(masks, func(c string) bool { return !ofRight(c) })
	var rights []*lazy.Column
	above := rest
	if n.Kind == "join" {
		rights, above = divide(rest, ofRight)
		for i, m := range rights {
			rights[i] = lazy.Substitute(m, func(name string) *lazy.Column { return n.Right.Col(right[name]) })
		}
	}
	var leftNeed, rightNeed []string
	for _, name := range withAll(need, above) {
		if ofRight(name) {
			rightNeed = with(rightNeed, right[name])
		} else {
			leftNeed = with(leftNeed, name)
		}
	}
	for i := range n.On {
		leftNeed, rightNeed = with(leftNeed, n.On[i]), with(rightNeed, n.Others[i])
	}
	return filtered(&node{step: n, in: []*node{optimize(n.Left, leftNeed, left), optimize(n.Right, rightNeed, rights)}}, above)
}

// merged joins projections that only choose columns.
func (p *node) merged() *node {
	for i, in := range p.in {
		p.in[i] = in.merged()
	}
	if _, ok := p.step.(*lazy.Project); ok && p.exprs == nil {
		in := p.in[0]
		if _, ok := in.step.(*lazy.Project); ok && slices.Equal(in.columns, p.columns) {
			return in
		}
		if _, ok := in.step.(*lazy.Source); ok && slices.Equal(in.columns, p.columns) {
			return in
		}
	}
	return p
}

// with returns the list with a name in it.
func with(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(slices.Clip(list), name)
}

// withAll returns the list with the columns of the masks in it.
func withAll(list []string, masks []*lazy.Column) []string {
	list = slices.Clone(list)
	for _, m := range masks {
		list = columnsOf(m, list)
	}
	return list
}

// divide separates the masks whose columns all pass a test.
func divide(masks []*lazy.Column, test func(string) bool) (yes, no []*lazy.Column) {
	for _, m := range masks {
		if slices.ContainsFunc(columnsOf(m, nil), func(c string) bool { return !test(c) }) {
			no = append(no, m)
		} else {
			yes = append(yes, m)
		}
	}
	return yes, no
}

// filtered returns the plan of the rows that pass the masks.
func filtered(p *node, masks []*lazy.Column) *node {
	if len(masks) == 0 {
		return p
	}
	all := masks[0]
	for _, m := range masks[1:] {
		all = all.And(m)
	}
	return &node{step: &lazy.Filter{}, in: []*node{p}, mask: all}
}

// conjuncts adds the parts of a mask that are joined by "and" to a list.
func conjuncts(c *lazy.Column, list []*lazy.Column) []*lazy.Column {
	x := lazy.ExprOf(c)
	if x.Op != "and" {
		return append(list, c)
	}
	return conjuncts(x.Args[1], conjuncts(x.Args[0], list))
}

var flipped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}

// testOf returns a mask as a test of one column, if it is one.
func testOf(c *lazy.Column) (Test, bool) {
	x := lazy.ExprOf(c)
	if _, ok := flipped[x.Op]; !ok || len(x.Args) != 2 {
		return Test{}, false
	}
	a, b := lazy.ExprOf(x.Args[0]), lazy.ExprOf(x.Args[1])
	switch {
	case a.Op == "column" && b.Op == "literal" && b.Value != nil:
		return Test{a.Name, x.Op, b.Value}, true
	case b.Op == "column" && a.Op == "literal" && a.Value != nil:
		return Test{b.Name, flipped[x.Op], a.Value}, true
	}
	return Test{}, false
}

// Possible reports whether a value between low and high can pass the test. The bounds are int64,
// float64 or string, and nanoseconds since 1970 for times.
func (t Test) Possible(low, high any) bool {
	var below, above int // order of the bounds and the value
	value := t.Value
	if at, ok := value.(time.Time); ok {
		if at.Year() < 1678 || at.Year() > 2261 {
			return true
		}
		value = at.UnixNano()
	}
	switch v := value.(type) {
	case string:
		a, ok := low.(string)
		b, ok2 := high.(string)
		if !ok || !ok2 {
			return true
		}
		below, above = order(a, v), order(b, v)
	case int64:
		a, ok := low.(int64)
		b, ok2 := high.(int64)
		if !ok || !ok2 {
			return t.floats(low, high, float64(v))
		}
		below, above = order(a, v), order(b, v)
	case float64:
		return t.floats(low, high, v)
	default:
		return true
	}
	return t.fits(below, above)
}

// floats is Possible for a floating-point number. Integers that float64 cannot represent exactly
// are within one rounding of it, so that equality counts as both.
func (t Test) floats(low, high any, v float64) bool {
	number := func(x any) (float64, bool) {
		switch x := x.(type) {
		case float64:
			return x, true
		case int64:
			return float64(x), x > -1<<53 && x < 1<<53
		}
		return 0, false
	}
	a, ok := number(low)
	b, ok2 := number(high)
	if !ok || !ok2 || v != v {
		return true
	}
	return t.fits(order(a, v), order(b, v))
}

func (t Test) fits(below, above int) bool {
	switch t.Op {
	case "<":
		return below < 0
	case "<=":
		return below <= 0
	case ">":
		return above > 0
	case ">=":
		return above >= 0
	}
	return below <= 0 && above >= 0
}

// size returns the number of bytes that the sources read.
func (p *node) size() int64 {
	sum := int64(0)
	if n, ok := p.step.(*lazy.Source); ok {
		sum = n.Origin.(Source).Size(p.columns, p.tests)
	}
	for _, in := range p.in {
		sum += in.size()
	}
	return sum
}

// build makes the flow of a plan.
func (e *exec) build(p *node) (*flow, error) {
	in := make([]*flow, len(p.in))
	for i, q := range p.in {
		var err error
		if in[i], err = e.build(q); err != nil {
			return nil, err
		}
	}
	switch n := p.step.(type) {
	case *lazy.Source:
		return e.source(p, n.Origin.(Source)), nil
	case *lazy.Filter:
		return in[0].then(func(b *frame.Frame) (*frame.Frame, error) { return where(b, p.mask), nil })
	case *lazy.Project:
		return in[0].then(func(b *frame.Frame) (*frame.Frame, error) { return p.project(b), nil })
	case *lazy.Sorted:
		if p.limit > 0 {
			return e.top(in[0], n.By, p.limit-1), nil
		}
		return e.sort(in[0], n.By), nil
	case *lazy.Limited:
		return e.limit(in[0], n.N), nil
	case *lazy.Distinct:
		return e.distinct(in[0], p.columns), nil
	case *lazy.Grouped:
		if n.Share {
			return e.shares(in[0], n)
		}
		return e.group(in[0], n.Keys, n.Aggs)
	case *lazy.Concatenated:
		return e.concat(in), nil
	}
	j := p.step.(*lazy.Joined)
	if j.AsOf != nil {
		return e.asOf(j, in[0], in[1])
	}
	return e.join(j, in[0], in[1])
}

func (e *exec) source(p *node, s Source) *flow {
	empty := Plain(s.Empty().Select(p.columns...))
	return &flow{empty, func(yield func(task) error) error {
		return s.Tasks(p.columns, p.tests, e.lost.counter(p), func(t Task) error {
			return yield(func() (*frame.Frame, error) {
				if err := e.ctx.Err(); err != nil {
					return nil, err
				}
				b, err := t.Read()
				e.read(t.Bytes)
				if err != nil {
					return nil, err
				}
				return b, alike(b, empty)
			})
		})
	}}
}

// project computes the columns of a projection.
func (p *node) project(b *frame.Frame) *frame.Frame {
	columns := make([]*frame.Column, len(p.columns))
	for j, name := range p.columns {
		if p.exprs == nil {
			columns[j] = b.Col(name)
		} else {
			columns[j] = column(p.exprs[j], b).Named(name)
		}
	}
	return frameOf(columns)
}

// shares counts the rows of each group, most frequent first, and adds their fraction.
func (e *exec) shares(in *flow, n *lazy.Grouped) (*flow, error) {
	counted, err := e.group(in, n.Keys, n.Aggs)
	if err != nil {
		return nil, err
	}
	total := int64(0)
	by := append([]string{"-count"}, n.Keys...)
	sorted := &flow{counted.empty, func(yield func(task) error) error {
		s := e.newSorter(counted.empty, by, e.memory/4)
		err := e.ordered(counted, func(b *frame.Frame) error {
			for _, x := range b.Col("count").Ints() {
				total += x
			}
			return s.add(b)
		})
		if err != nil {
			return err
		}
		return s.finish(yield)
	}}
	return sorted.then(func(b *frame.Frame) (*frame.Frame, error) {
		return b.With("share", b.Col("count").Over(float64(total))), nil
	})
}

// Explain describes the optimized plan.
func Explain(f *lazy.Frame) (string, error) {
	p, err := plan(f)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	p.write(&b, 0)
	fmt.Fprintf(&b, "memory for steps: %d MB; then a temporary file\n", allowed()>>20)
	return b.String(), nil
}

func (p *node) write(b *strings.Builder, depth int) {
	line := func(format string, args ...any) {
		fmt.Fprintf(b, strings.Repeat("  ", depth)+format+"\n", args...)
	}
	switch n := p.step.(type) {
	case *lazy.Source:
		s := n.Origin.(Source)
		line("read %s", s.Describe(p.columns, p.tests))
		line("  columns %s of %d", quoted(p.columns), s.Empty().Width())
		for _, t := range p.tests {
			line("  skip parts without %s %s %v", t.Column, t.Op, show(t.Value))
		}
	case *lazy.Filter:
		line("filter %s", text(p.mask))
	case *lazy.Project:
		if p.exprs == nil {
			line("select %s", quoted(p.columns))
			break
		}
		var list []string
		for j, c := range p.exprs {
			if x := lazy.ExprOf(c); x.Op == "column" && x.Name == p.columns[j] {
				list = append(list, x.Name)
			} else {
				list = append(list, p.columns[j]+" = "+text(c))
			}
		}
		line("compute %s", strings.Join(list, ", "))
	case *lazy.Sorted:
		if p.limit > 0 {
			line("first %d by %s", p.limit-1, quoted(n.By))
		} else {
			line("sort by %s", quoted(n.By))
		}
	case *lazy.Limited:
		line("head %d", n.N)
	case *lazy.Distinct:
		line("distinct %s", quoted(p.columns))
	case *lazy.Grouped:
		how := "merge partial results"
		if !all(n.Aggs, mergeable) {
			how = "bring the rows of a group together"
		}
		var names []string
		for _, a := range n.Aggs {
			names = append(names, a.Parts().Name)
		}
		line("group by %s: %s (%s)", quoted(n.Keys), strings.Join(names, ", "), how)
	case *lazy.Concatenated:
		line("one after the other")
	case *lazy.Joined:
		if n.AsOf != nil {
			line("as-of join on %s; both sides are sorted", quoted(n.On))
			break
		}
		line("%s on %s; the right side in memory if it fits", n.Kind, quoted(n.On))
	}
	for _, in := range p.in {
		in.write(b, depth+1)
	}
}

func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case nil:
		return "missing"
	}
	return fmt.Sprint(v)
}

// text writes an expression.
func text(c *lazy.Column) string {
	x := lazy.ExprOf(c)
	switch x.Op {
	case "column":
		return x.Name
	case "literal":
		return show(x.Value)
	}
	if chooses(x.Op) {
		return described(x)
	}
	a := text(x.Args[0])
	if x.Op == "call" {
		return a + "." + lazy.Call(c)
	}
	if len(x.Args) == 1 {
		return x.Op + "(" + a + ")"
	}
	return "(" + a + " " + x.Op + " " + text(x.Args[1]) + ")"
}

// Collect returns all rows of a plan.
func Collect(f *lazy.Frame, o Options) (*frame.Frame, error) {
	var parts []*frame.Frame
	o.lost = &lost{counts: map[string]int64{}, read: map[*node]map[string]int{}}
	if err := run(f, o, func(_ context.Context, b *frame.Frame) error { parts = append(parts, b); return nil }); err != nil {
		return nil, err
	}
	n := 0
	for _, p := range parts {
		if n += p.Len(); n > 1<<31-1 {
			return nil, model.Errorf("Collect", "the result must have at most %d rows", 1<<31-1).WithHint("filter or aggregate the rows, or write them to a file with Write")
		}
	}
	return stack(parts[0], parts).Noted(append(o.lost.sources(o.lost.plan, nil), o.lost.notes()...)...), nil
}
