package stream

import (
	"context"
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"
)

func tooLarge(op string, bytes int64) error {
	return model.Errorf(op, "rows with equal keys must fit into memory, but need %d MB", bytes>>20).
		WithHint("filter the rows first, or raise the memory limit")
}

// joiner joins batches of the left with rows of the right, which are in memory.
type joiner struct {
	*lazy.Joined
	names  []string // of the result
	floats []bool   // of each key, whether it is compared as a floating-point number
	keep   []string // columns of the right in the result
}

// index finds the rows of the right by their keys.
type index struct {
	right  *frame.Frame // the columns of the result
	table  *table
	unique bool    // the number of each key is its row
	start  []int32 // of each key, where its rows start in rows, and the end after the last
	rows   []int32
}

// index makes the index of rows of the right. Rows with a missing key have no partner.
func (j *joiner) index(ctx context.Context, right *frame.Frame) (*index, error) {
	k := keysOf(right, j.Others, j.floats)
	x := &index{right: right.Select(j.keep...), table: newTable(len(j.Others))}
	ids := make([]int32, right.Len())
	for i := range ids {
		if i&0xffff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		ids[i] = -1
		if !k.incomplete(i) {
			ids[i] = x.table.add(k, int32(i))
		}
	}
	if x.unique = len(x.table.hashes) == right.Len(); x.unique {
		return x, nil
	}
	x.start = make([]int32, len(x.table.hashes)+1)
	total := int32(0)
	for _, g := range ids {
		if g >= 0 {
			x.start[g+1]++
			total++
		}
	}
	for g := range x.table.hashes {
		x.start[g+1] += x.start[g]
	}
	at := slices.Clone(x.start)
	x.rows = make([]int32, total)
	for i, g := range ids {
		if g >= 0 {
			x.rows[at[g]] = int32(i)
			at[g]++
		}
	}
	return x, nil
}

// incomplete reports whether a key of the row is missing.
func (k *keys) incomplete(row int) bool {
	for j := range k.cols {
		if k.cols[j].IsMissing(row) {
			return true
		}
	}
	return false
}

// find returns the number of the key of each row of the left, or -1.
func (j *joiner) find(left *frame.Frame, x *index) []int32 {
	return x.table.find(keysOf(left, j.On, j.floats), true)
}

// probe joins a batch of the left.
func (j *joiner) probe(left *frame.Frame, x *index) *frame.Frame {
	return j.pair(left, x, j.find(left, x), 0, left.Len())
}

// divided calls do with ranges of rows of the left that have at most n pairs, or that are single
// rows.
func (j *joiner) divided(x *index, found []int32, n int, do func(lo, hi int) error) error {
	lo, pairs := 0, 0
	for i, g := range found {
		more := 1
		if g >= 0 && !x.unique && (j.Kind == "join" || j.Kind == "left join") {
			more = int(x.start[g+1] - x.start[g])
		}
		if pairs += more; pairs > n && i > lo {
			if err := do(lo, i); err != nil {
				return err
			}
			lo, pairs = i, more
		}
	}
	return do(lo, len(found))
}

// pair joins the rows of the left from lo to hi, whose keys have been found.
func (j *joiner) pair(left *frame.Frame, x *index, found []int32, lo, hi int) *frame.Frame {
	l := make([]int32, 0, hi-lo)
	r := make([]int32, 0, hi-lo)
	for i := lo; i < hi; i++ {
		g := found[i]
		switch {
		case j.Kind == "exists" || j.Kind == "not exists":
			if g >= 0 == (j.Kind == "exists") {
				l = append(l, int32(i))
			}
		case g < 0:
			if j.Kind == "left join" {
				l, r = append(l, int32(i)), append(r, -1)
			}
		case x.unique:
			l, r = append(l, int32(i)), append(r, g)
		default:
			for _, row := range x.rows[x.start[g]:x.start[g+1]] {
				l, r = append(l, int32(i)), append(r, row)
			}
		}
	}
	if j.Kind == "exists" || j.Kind == "not exists" {
		return take(left, l)
	}
	columns := take(left, l).Columns()
	if len(j.keep) > 0 {
		for i, c := range take(x.right, r).Columns() {
			columns = append(columns, c.Named(j.names[i]))
		}
	}
	return frameOf(columns)
}

// join joins two flows. If the right does not fit into memory, both sides are dealt by a hash of
// their keys to the temporary file and joined part by part; then the order of the left is restored.
func (e *exec) join(n *lazy.Joined, left, right *flow) (*flow, error) {
	j := &joiner{Joined: n, floats: make([]bool, len(n.On))}
	for i, name := range n.On {
		a, b := left.empty.Col(name).Kind(), right.empty.Col(n.Others[i]).Kind()
		j.floats[i] = a != b
	}
	if n.Kind == "join" || n.Kind == "left join" {
		for _, name := range right.empty.Names() {
			if slices.Contains(n.Others, name) {
				continue
			}
			j.keep = append(j.keep, name)
			if n.Left.Has(name) {
				name += "_right"
			}
			j.names = append(j.names, name)
		}
	}
	empty, err := safely(left.empty, func(b *frame.Frame) (*frame.Frame, error) {
		x, err := j.index(e.ctx, right.empty)
		if err != nil {
			return nil, err
		}
		return j.probe(b, x), nil
	})
	if err != nil {
		return nil, err
	}
	return &flow{empty, func(yield func(task) error) error {
		var held []*frame.Frame
		var p *parts
		bytes := int64(0)
		deal := func(b *frame.Frame) error { return p.add(b, keysOf(b, n.Others, j.floats).hashes) }
		err := e.ordered(right, func(b *frame.Frame) error {
			if p != nil {
				return deal(b)
			}
			held = append(held, b)
			if bytes += bytesOf(b); bytes <= e.memory/3 {
				return nil
			}
			p = &parts{e: e, empty: right.empty, shift: 64 - fanBits, limit: e.memory / 4}
			for _, b := range held {
				if err := deal(b); err != nil {
					return err
				}
			}
			held = nil
			return nil
		})
		if err != nil {
			return err
		}
		if p == nil {
			x, err := j.index(e.ctx, stack(right.empty, held))
			if err != nil {
				return err
			}
			if !x.unique && (n.Kind == "join" || n.Kind == "left join") {
				return e.paired(j, left, x, yield)
			}
			return left.tasks(func(t task) error {
				return yield(func() (*frame.Frame, error) {
					b, err := t()
					if err != nil {
						return nil, err
					}
					return j.probe(b, x), nil
				})
			})
		}
		return e.grace(j, left, p, numbered(empty, 0), yield)
	}}, nil
}

// paired joins the left with rows in memory of which several can have the same key.
func (e *exec) paired(j *joiner, left *flow, x *index, yield func(task) error) error {
	type keyed struct {
		b     *frame.Frame
		found []int32
	}
	return each(e, left, func(_ int, b *frame.Frame) (keyed, error) {
		return keyed{b, j.find(b, x)}, nil
	}, func(k keyed) error {
		return j.divided(x, k.found, e.rows, func(lo, hi int) error {
			return yield(func() (*frame.Frame, error) { return j.pair(k.b, x, k.found, lo, hi), nil })
		})
	})
}

// grace joins part by part.
func (e *exec) grace(j *joiner, left *flow, right *parts, empty *frame.Frame, yield func(task) error) error {
	rows := e.numbers(left, func(b *frame.Frame) *frame.Frame { return b })
	lefts := &parts{e: e, empty: rows.empty, shift: right.shift, limit: e.memory / 4}
	err := e.ordered(rows, func(b *frame.Frame) error { return lefts.add(b, keysOf(b, j.On, j.floats).hashes) })
	if err != nil {
		return err
	}
	// Each part has its rows in the order of the left, so that its result is a sorted run.
	s := e.newSorter(nil, []string{rowColumn}, e.memory/4)
	s.hidden = rowColumn
	if err := e.joinParts(j, lefts, right, s); err != nil {
		return err
	}
	if s.empty == nil {
		return nil
	}
	return s.finish(yield)
}

// joinParts joins the parts of both sides, and adds the results to the sorter.
func (e *exec) joinParts(j *joiner, lefts, right *parts, s *sorter) error {
	for k := range right.list {
		if lefts.size(k) == 0 {
			right.drop(k)
			continue
		}
		if right.size(k) > e.memory/3 && right.shift >= fanBits {
			l := &parts{e: e, empty: lefts.empty, shift: lefts.shift - fanBits, limit: e.memory / 8}
			r := &parts{e: e, empty: right.empty, shift: right.shift - fanBits, limit: e.memory / 8}
			if err := lefts.read(k, func(b *frame.Frame) error { return l.add(b, keysOf(b, j.On, j.floats).hashes) }); err != nil {
				return err
			}
			if err := right.read(k, func(b *frame.Frame) error { return r.add(b, keysOf(b, j.Others, j.floats).hashes) }); err != nil {
				return err
			}
			lefts.drop(k)
			right.drop(k)
			if err := e.joinParts(j, l, r, s); err != nil {
				return err
			}
			continue
		}
		b, err := right.whole(k, "Join")
		if err != nil {
			return err
		}
		x, err := j.index(e.ctx, b)
		if err != nil {
			return err
		}
		right.drop(k)
		err = lefts.read(k, func(b *frame.Frame) error {
			found := j.find(b, x)
			return j.divided(x, found, e.rows, func(lo, hi int) error {
				out := j.pair(b, x, found, lo, hi)
				if s.empty == nil {
					s.empty = out.Slice(0, 0)
				}
				return s.add(out)
			})
		})
		if err != nil {
			return err
		}
		lefts.drop(k)
	}
	return nil
}
