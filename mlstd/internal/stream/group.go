package stream

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/model"
)

// grouper aggregates batches. Groups are dealt by a hash of their keys to parts, each of which
// takes the batches in order, so that sums don't depend on the number of goroutines.
type grouper struct {
	e     *exec
	names []string
	keys  []*frame.Column // the kinds of the keys
	aggs  []aggregate
	out   []*frame.Column // the kinds of the results
	shift uint
	limit int64 // memory of a part
	parts [fanout]groupPart
}

// groupPart has the groups of one part.
type groupPart struct {
	mu     sync.Mutex
	turn   sync.Cond
	next   int // number of the next batch
	failed bool
	table  *table
	states []state
	blocks []block
	sum    int64
}

func (e *exec) newGrouper(empty, out *frame.Frame, names []string, aggs []aggregate, shift uint, memory int64) *grouper {
	g := &grouper{e: e, names: names, aggs: aggs, shift: shift, limit: max(memory/fanout, 1<<10)}
	for _, name := range names {
		g.keys = append(g.keys, empty.Col(name))
	}
	g.out = out.Columns()[len(names):]
	for p := range g.parts {
		q := &g.parts[p]
		q.turn.L = &q.mu
		q.reset(g)
	}
	return g
}

func (q *groupPart) reset(g *grouper) {
	q.table = newTable(len(g.names))
	q.states = make([]state, len(g.aggs))
}

// piece is a batch with its groups and partial results.
type piece struct {
	keys   *keys
	first  []int32 // of each group, its first row
	states []*state
}

// prepare aggregates a batch on its own.
func (g *grouper) prepare(b *frame.Frame) *piece {
	k := unhashed(b, g.names, nil)
	ids, first := k.groups()
	p := &piece{keys: k, first: first}
	if len(g.names) > 0 && 2*len(first) < b.Len() {
		p.keys, p.first = unhashed(take(b.Select(g.names...), first), g.names, nil), upTo(len(first))
	}
	if p.keys.hashes == nil {
		p.keys.hash()
	}
	for j := range g.aggs {
		p.states = append(p.states, g.aggs[j].partial(b, ids, len(first)))
	}
	return p
}

// deal returns the groups of a piece that belong to each part.
func (g *grouper) deal(p *piece) (list [fanout][]int32) {
	var counts [fanout]int
	for _, r := range p.first {
		counts[p.keys.hashes[r]>>g.shift&(fanout-1)]++
	}
	all := make([]int32, len(p.first))
	at := 0
	for k, n := range counts {
		list[k] = all[at : at : at+n]
		at += n
	}
	for i, r := range p.first {
		k := p.keys.hashes[r] >> g.shift & (fanout - 1)
		list[k] = append(list[k], int32(i))
	}
	return list
}

// merge adds the groups of a piece to a part.
func (g *grouper) merge(q *groupPart, p *piece, groups []int32) error {
	to := q.table.addAll(p.keys, p.first, groups)
	n := len(q.table.hashes)
	for j := range g.aggs {
		a, s, from := &g.aggs[j], &q.states[j], p.states[j]
		s.grow(a, n)
		switch {
		case a.Op == "count":
			for i, l := range groups {
				s.n[to[i]] += from.n[l]
			}
		case a.Op == "sum" && s.x != nil:
			for i, l := range groups {
				s.x[to[i]] += from.x[l]
			}
		case a.Op == "mean":
			for i, l := range groups {
				s.x[to[i]] += from.x[l]
				s.n[to[i]] += from.n[l]
			}
		default:
			for i, l := range groups {
				a.merge(s, int(to[i]), from, int(l))
			}
		}
	}
	if q.bytes() > g.limit {
		return g.flush(q)
	}
	return nil
}

func (q *groupPart) bytes() int64 {
	sum := q.table.bytes()
	for j := range q.states {
		sum += q.states[j].bytes()
	}
	return sum
}

// flush writes the partial results of a part to the temporary file.
func (g *grouper) flush(q *groupPart) error {
	err := g.e.pieces(g.pack(q), func(f *frame.Frame) error {
		b, err := g.e.spill(f)
		q.blocks = append(q.blocks, b)
		q.sum += b.bytes
		return err
	})
	q.reset(g)
	return err
}

// pack returns the partial results as a frame.
func (g *grouper) pack(q *groupPart) *frame.Frame {
	n := len(q.table.hashes)
	var columns []*frame.Column
	for j, like := range g.keys {
		columns = append(columns, q.table.column(j, like.Named("k"+strconv.Itoa(j))))
	}
	for j := range g.aggs {
		s, u, name := &q.states[j], g.aggs[j].slots(), "a"+strconv.Itoa(j)
		s.grow(&g.aggs[j], n)
		if u.n {
			columns = append(columns, frame.IntColumn(name+"n", s.n))
		}
		if u.low {
			v := make([]int64, n)
			for i, x := range s.low {
				v[i] = int64(x)
			}
			columns = append(columns, frame.IntColumn(name+"low", v))
		}
		if u.high {
			columns = append(columns, frame.IntColumn(name+"high", s.high))
		}
		if u.x {
			columns = append(columns, frame.FloatColumn(name+"x", s.x))
		}
		if u.m2 {
			columns = append(columns, frame.FloatColumn(name+"m2", s.m2))
		}
		if u.s {
			columns = append(columns, raw.Strings(name+"s", s.s, nil).(*frame.Column))
		}
	}
	if len(columns) == 0 {
		return &frame.Frame{}
	}
	return frameOf(columns)
}

// unpack is the inverse of pack: each row is a group of the piece.
func (g *grouper) unpack(f *frame.Frame) *piece {
	names := make([]string, len(g.names))
	for j := range names {
		names[j] = "k" + strconv.Itoa(j)
	}
	p := &piece{keys: keysOf(f, names, nil), first: make([]int32, f.Len())}
	for i := range p.first {
		p.first[i] = int32(i)
	}
	for j := range g.aggs {
		s, u, name := &state{}, g.aggs[j].slots(), "a"+strconv.Itoa(j)
		if u.n {
			s.n = raw.Of(f.Col(name + "n")).Ints
		}
		if u.low {
			for _, x := range raw.Of(f.Col(name + "low")).Ints {
				s.low = append(s.low, uint64(x))
			}
		}
		if u.high {
			s.high = raw.Of(f.Col(name + "high")).Ints
		}
		if u.x {
			s.x = raw.Of(f.Col(name + "x")).Floats
		}
		if u.m2 {
			s.m2 = raw.Of(f.Col(name + "m2")).Floats
		}
		if u.s {
			v := raw.Of(f.Col(name + "s"))
			for i := range f.Len() {
				s.s = append(s.s, v.Text(i))
			}
		}
		p.states = append(p.states, s)
	}
	return p
}

// add merges the pieces of batch n, after all earlier batches.
func (g *grouper) add(n int, pieces []*piece) error {
	lists := make([][fanout][]int32, len(pieces))
	for i, p := range pieces {
		lists[i] = g.deal(p)
	}
	var first error
	for k := range g.parts {
		q := &g.parts[k]
		q.mu.Lock()
		for q.next != n && !q.failed {
			q.turn.Wait()
		}
		err := func() (err error) {
			defer rescue(&err)
			for i, p := range pieces {
				if first != nil || q.failed {
					break
				}
				if err := g.merge(q, p, lists[i][k]); err != nil {
					return err
				}
			}
			return nil
		}()
		q.next++
		q.turn.Broadcast()
		q.mu.Unlock()
		if err != nil {
			first = err
		}
	}
	return first
}

// fail ends the waiting of goroutines for batches that do not come.
func (g *grouper) fail() {
	for k := range g.parts {
		q := &g.parts[k]
		q.mu.Lock()
		q.failed = true
		q.turn.Broadcast()
		q.mu.Unlock()
	}
}

// finish calls emit with the groups of each part.
func (g *grouper) finish(emit func(*frame.Frame) error) error {
	for k := range g.parts {
		q := &g.parts[k]
		if len(q.blocks) == 0 {
			if err := emit(g.result(q)); err != nil {
				return err
			}
			q.reset(g)
			continue
		}
		if err := g.flush(q); err != nil {
			return err
		}
		if err := g.again(q, emit); err != nil {
			return err
		}
	}
	return nil
}

// again merges the blocks of a part, divided further by the next bits of the hash if they may
// exceed the memory together.
func (g *grouper) again(q *groupPart, emit func(*frame.Frame) error) error {
	empty := g.pack(q)
	if q.sum <= g.e.memory/2 || g.shift < fanBits {
		for _, b := range q.blocks {
			f, err := g.e.load(b, empty)
			if err != nil {
				return err
			}
			p := g.unpack(f)
			limit := g.limit
			g.limit = math.MaxInt64
			err = g.merge(q, p, p.first)
			g.limit = limit
			if err != nil {
				return err
			}
		}
		err := emit(g.result(q))
		q.reset(g)
		q.blocks = nil
		return err
	}
	sub := &grouper{e: g.e, names: g.names, keys: g.keys, aggs: g.aggs, out: g.out, shift: g.shift - fanBits, limit: g.limit}
	for k := range sub.parts {
		sub.parts[k].turn.L = &sub.parts[k].mu
		sub.parts[k].reset(sub)
	}
	for n, b := range q.blocks {
		f, err := g.e.load(b, empty)
		if err != nil {
			return err
		}
		if err := sub.add(n, []*piece{sub.unpack(f)}); err != nil {
			return err
		}
	}
	q.blocks = nil
	return sub.finish(emit)
}

// result returns the groups of a part with their aggregates.
func (g *grouper) result(q *groupPart) *frame.Frame {
	n := len(q.table.hashes)
	var columns []*frame.Column
	for j, like := range g.keys {
		columns = append(columns, q.table.column(j, like))
	}
	for j := range g.aggs {
		q.states[j].grow(&g.aggs[j], n)
		columns = append(columns, g.aggs[j].column(&q.states[j], n, g.out[j]))
	}
	return frameOf(columns)
}

// group returns the aggregates of groups, in ascending order of the keys.
func (e *exec) group(in *flow, names []string, aggs []frame.Agg) (*flow, error) {
	empty, err := safely(in.empty, func(b *frame.Frame) (*frame.Frame, error) { return aggregated(b, names, aggs).Slice(0, 0), nil })
	if err != nil {
		return nil, err
	}
	if !all(aggs, mergeable) {
		return e.dealt(in, empty, names, aggs), nil
	}
	list := make([]aggregate, len(aggs))
	for j, a := range aggs {
		list[j] = aggregate{Parts: a.Parts()}
		if c := list[j].Column; c != "" {
			list[j].kind = in.empty.Col(c).Kind()
		}
	}
	return &flow{empty, func(yield func(task) error) error {
		g := e.newGrouper(in.empty, empty, names, list, 64-fanBits, e.memory/2)
		err := each(e, in, func(n int, b *frame.Frame) (done struct{}, err error) {
			e.lost.add(b, aggs)
			var pieces []*piece
			e.pieces(b, func(f *frame.Frame) error { pieces = append(pieces, g.prepare(f)); return nil })
			return done, g.add(n, pieces)
		}, func(struct{}) error { return nil }, g.fail)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			return whole(g, aggs, in.empty, yield)
		}
		s := e.newSorter(empty, names, e.memory/4)
		if err := g.finish(s.add); err != nil {
			return err
		}
		return s.finish(yield)
	}}, nil
}

// whole yields the aggregates of all rows; there may be no rows.
func whole(g *grouper, aggs []frame.Agg, empty *frame.Frame, yield func(task) error) error {
	one := empty.Agg(aggs...)
	err := g.finish(func(f *frame.Frame) error {
		if f.Len() > 0 {
			one = f
		}
		return nil
	})
	if err != nil {
		return err
	}
	return yield(ready(one))
}

func all(aggs []frame.Agg, test func(frame.Agg) bool) bool {
	return !slices.ContainsFunc(aggs, func(a frame.Agg) bool { return !test(a) })
}

// aggregated runs the verbs of the frame.
func aggregated(b *frame.Frame, names []string, aggs []frame.Agg) *frame.Frame {
	var out *frame.Frame
	if len(names) == 0 {
		out = b.Agg(aggs...)
	} else {
		out = Plain(b.By(names...).Agg(aggs...))
	}
	for _, a := range aggs {
		if p := a.Parts(); p.Op == "own" {
			out = out.With(p.Name, numbers(out.Col(p.Name), p.Name))
		}
	}
	return out
}

// numbers returns the results of a function of the user. Groups in different parts of the data must
// have results of one kind.
func numbers(c *frame.Column, name string) *frame.Column {
	switch c.Kind() {
	case frame.FloatKind:
		return c
	case frame.IntKind:
		return frame.FloatColumn(name, c.Floats())
	}
	if c.Missing() < c.Len() {
		panic(model.Errorf("Agg", "the function of %q must return numbers for a lazy frame, got values of kind %v", name, c.Kind()).
			WithHint("call Collect first, and then Agg of the frame"))
	}
	return frame.FloatColumn(name, slices.Repeat([]float64{math.NaN()}, c.Len()))
}
