package stream

import (
	"container/heap"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// sorter sorts batches. It keeps them in memory as long as they fit, and otherwise writes sorted
// runs to the temporary file, which it merges at the end.
type sorter struct {
	e      *exec
	empty  *frame.Frame
	by     []string
	held   []*frame.Frame
	bytes  int64
	limit  int64
	runs   [][]block
	hidden string // a column that the result leaves out
}

func (e *exec) newSorter(empty *frame.Frame, by []string, limit int64) *sorter {
	return &sorter{e: e, empty: empty, by: by, limit: limit}
}

// add takes a batch.
func (s *sorter) add(b *frame.Frame) error {
	if b.Len() == 0 {
		return nil
	}
	s.held = append(s.held, b)
	if s.bytes += bytesOf(b); s.bytes > s.limit {
		return s.flush()
	}
	return nil
}

// sorted returns the rows in memory in order, and forgets them.
func (s *sorter) sorted() *frame.Frame {
	b := stack(s.empty, s.held)
	s.held, s.bytes = nil, 0
	return b.Sort(s.by...)
}

const (
	// runBytes is the size of the blocks of a run; one of each run is in memory while runs are
	// merged.
	runBytes = 1 << 20
	// mergeBytes is the memory that a run needs while it is merged: a block and its keys.
	mergeBytes = 2 * runBytes
)

// flush writes a run.
func (s *sorter) flush() error {
	bytes := s.bytes
	b := s.sorted()
	rows := s.blockRows(b.Len(), bytes)
	n := (b.Len() + rows - 1) / rows
	blocks, errs := make([]block, n), make([]error, n)
	par.Range(n, 1, func(k, _ int) {
		blocks[k], errs[k] = s.e.spill(b.Slice(k*rows, min((k+1)*rows, b.Len())))
	})
	s.runs = append(s.runs, blocks)
	for _, err := range errs { // a full disk fails them all alike
		if err != nil {
			return err
		}
	}
	return nil
}

// finish yields the rows in order.
func (s *sorter) finish(yield func(task) error) error {
	if len(s.runs) == 0 {
		return s.e.pieces(s.visible(s.sorted()), func(b *frame.Frame) error { return yield(ready(b)) })
	}
	if len(s.held) > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if err := s.shorten(max(4, int(s.e.memory/2/mergeBytes))); err != nil {
		return err
	}
	return s.merge(s.runs, s.e.rows, func(from []*frame.Frame, rows []pick) error {
		return yield(func() (*frame.Frame, error) { return s.visible(gather(s.empty, from, rows)), nil })
	})
}

// shorten merges neighboring runs until there are at most n, since the memory must have a block of
// each run.
func (s *sorter) shorten(n int) error {
	for len(s.runs) > n {
		var longer [][]block
		for group := range slices.Chunk(s.runs, n) {
			rows, bytes := 0, int64(0)
			for _, run := range group {
				for _, b := range run {
					rows += b.rows
					bytes += b.bytes
				}
			}
			var run []block
			err := s.merge(group, s.blockRows(rows, bytes), func(from []*frame.Frame, rows []pick) error {
				b, err := s.e.spill(gather(s.empty, from, rows))
				run = append(run, b)
				return err
			})
			if err != nil {
				return err
			}
			longer = append(longer, run)
		}
		s.runs = longer
	}
	return nil
}

// blockRows returns the number of rows of the blocks of a run.
func (s *sorter) blockRows(rows int, bytes int64) int {
	return max(16, min(s.e.rows, int(int64(rows)/max(1, bytes/runBytes))))
}

func (s *sorter) visible(b *frame.Frame) *frame.Frame {
	if s.hidden == "" {
		return b
	}
	return b.Drop(s.hidden)
}

// cursor is a position in a run.
type cursor struct {
	run    int
	blocks []block // those that follow
	chunk  *frame.Frame
	number int32 // of the chunk among those that the output refers to; -1 if it is not among them
	row    int
	cols   []orderColumn
}

// orderColumn has a column to sort by: numbers in the order of the values, or strings.
type orderColumn struct {
	raw.Column
	text    bool
	falling bool
	nums    []uint64
}

// merging is the heap of the runs that are being merged.
type merging struct {
	list []*cursor
}

func (m *merging) Len() int           { return len(m.list) }
func (m *merging) Swap(a, b int)      { m.list[a], m.list[b] = m.list[b], m.list[a] }
func (m *merging) Push(x any)         { m.list = append(m.list, x.(*cursor)) }
func (m *merging) Pop() any           { x := m.list[len(m.list)-1]; m.list = m.list[:len(m.list)-1]; return x }
func (m *merging) Less(a, b int) bool { return m.list[a].before(m.list[b]) }

// before reports whether the row of c comes before the row of d; equal rows keep the order of the
// runs.
func (c *cursor) before(d *cursor) bool {
	for j := range c.cols {
		p, q := &c.cols[j], &d.cols[j]
		if p.Missing != nil || q.Missing != nil {
			x, y := p.IsMissing(c.row), q.IsMissing(d.row)
			if x != y {
				return y
			}
			if x {
				continue
			}
		}
		if p.text {
			if o := strings.Compare(p.Text(c.row), q.Text(d.row)); o != 0 {
				return o < 0 != p.falling
			}
		} else if x, y := p.nums[c.row], q.nums[d.row]; x != y {
			return x < y
		}
	}
	return c.run < d.run
}

// open loads the next chunk of a run. It returns false if there is none.
func (s *sorter) open(c *cursor) (bool, error) {
	if len(c.blocks) == 0 {
		return false, nil
	}
	var err error
	if c.chunk, err = s.e.load(c.blocks[0], s.empty); err != nil {
		return false, err
	}
	c.blocks, c.row, c.number = c.blocks[1:], 0, -1
	c.cols = c.cols[:0]
	for _, name := range s.by {
		x, falling := direction(c.chunk, name)
		c.cols = append(c.cols, orderOf(x, falling))
	}
	return true, nil
}

// direction returns the column of a name that can have a minus in front, and whether it has.
func direction(b *frame.Frame, name string) (*frame.Column, bool) {
	if rest, ok := strings.CutPrefix(name, "-"); ok && !b.Has(name) {
		return b.Col(rest), true
	}
	return b.Col(name), false
}

func orderOf(c *frame.Column, falling bool) orderColumn {
	o := orderColumn{Column: raw.Of(c), falling: falling}
	n := c.Len()
	switch c.Kind() {
	case frame.FloatKind:
		o.nums = make([]uint64, n)
		for i, x := range o.Floats {
			b := math.Float64bits(x + 0)
			if b>>63 == 1 {
				b = ^b
			} else {
				b |= 1 << 63
			}
			o.nums[i] = b
		}
	case frame.IntKind, frame.TimeKind:
		o.nums = make([]uint64, n)
		for i, x := range o.Ints {
			o.nums[i] = uint64(x) ^ 1<<63
		}
	case frame.BoolKind:
		o.nums = make([]uint64, n)
		for i, x := range o.Bools {
			if x {
				o.nums[i] = 1
			}
		}
	default:
		o.text = true
	}
	if falling {
		for i := range o.nums {
			o.nums[i] = ^o.nums[i]
		}
	}
	return o
}

// merge calls emit with the rows of runs in order, at most n rows at a time.
func (s *sorter) merge(runs [][]block, n int, emit func(from []*frame.Frame, rows []pick) error) error {
	m := &merging{}
	for k, run := range runs {
		c := &cursor{run: k, blocks: run}
		some, err := s.open(c)
		if err != nil {
			return err
		}
		if some {
			m.list = append(m.list, c)
		}
	}
	heap.Init(m)
	var chunks []*frame.Frame
	var picks []pick
	flush := func() error {
		from, rows := chunks, picks
		chunks, picks = nil, nil
		for _, c := range m.list {
			c.number = -1
		}
		return emit(from, rows)
	}
	for len(m.list) > 0 {
		c := m.list[0]
		if c.number < 0 {
			c.number = int32(len(chunks))
			chunks = append(chunks, c.chunk)
		}
		picks = append(picks, pick{c.number, int32(c.row)})
		c.row++
		if c.row == c.chunk.Len() {
			some, err := s.open(c)
			if err != nil {
				return err
			}
			if !some {
				heap.Pop(m)
			} else {
				heap.Fix(m, 0)
			}
		} else {
			heap.Fix(m, 0)
		}
		if len(picks) >= n {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(picks) > 0 {
		return flush()
	}
	return nil
}

// sort returns the rows in the order of the columns.
func (e *exec) sort(in *flow, by []string) *flow {
	return &flow{in.empty, func(yield func(task) error) error {
		s := e.newSorter(in.empty, by, e.memory/4)
		if err := e.ordered(in, s.add); err != nil {
			return err
		}
		return s.finish(yield)
	}}
}

// top returns the first n rows in the order of the columns. It keeps only few rows.
func (e *exec) top(in *flow, by []string, n int) *flow {
	return &flow{in.empty, func(yield func(task) error) error {
		var held []*frame.Frame
		rows := 0
		var last atomic.Pointer[cursor] // the last of n rows: later ones are not in the result
		// first returns a copy, so that the memory of the other rows is free.
		first := func(b *frame.Frame) *frame.Frame { return take(b.Sort(by...), upTo(min(n, b.Len()))) }
		shorten := func() {
			b := first(stack(in.empty, held))
			held, rows = []*frame.Frame{b}, b.Len()
			if n > 0 && rows == n {
				c, falling := direction(b, by[0])
				last.Store(&cursor{row: n - 1, cols: []orderColumn{orderOf(c, falling)}})
			}
		}
		err := each(e, in, func(_ int, b *frame.Frame) (*frame.Frame, error) {
			if c := last.Load(); c != nil {
				b = c.upTo(b, by[0])
			}
			if b.Len() > n {
				b = first(b)
			}
			return b, nil
		}, func(b *frame.Frame) error {
			held = append(held, b)
			if rows += b.Len(); rows > 4*n+1000 || last.Load() == nil && rows >= n {
				shorten()
			}
			return nil
		})
		if err != nil {
			return err
		}
		shorten()
		return yield(ready(held[0]))
	}}
}

// upTo returns the rows of a batch that do not come after the row of c, by the first column only.
func (c *cursor) upTo(b *frame.Frame, by string) *frame.Frame {
	x, falling := direction(b, by)
	d := cursor{run: c.run, cols: []orderColumn{orderOf(x, falling)}}
	rows := make([]int32, 0, 1024)
	for d.row = range b.Len() {
		if !c.before(&d) {
			rows = append(rows, int32(d.row))
		}
	}
	return take(b, rows)
}

// upTo returns the numbers below n.
func upTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// rowColumn is the name of a hidden column with the number of each row.
const rowColumn = "\x00row"

// numbered returns the batches with the numbers of their rows.
func numbered(b *frame.Frame, from int64) *frame.Frame {
	v := make([]int64, b.Len())
	for i := range v {
		v[i] = from + int64(i)
	}
	return frameOf(append(slices.Clip(b.Columns()), frame.IntColumn(rowColumn, v)))
}

// dealt aggregates groups whose rows must be together, such as for a median. It deals the rows by a
// hash of their keys, and runs the verb of the frame on each part.
func (e *exec) dealt(in *flow, empty *frame.Frame, names []string, aggs []frame.Agg) *flow {
	need := slices.Clone(names)
	for _, a := range aggs {
		p := a.Parts()
		for _, c := range []string{p.Column, p.Second} {
			if c != "" && !slices.Contains(need, c) {
				need = append(need, c)
			}
		}
	}
	return &flow{empty, func(yield func(task) error) error {
		slim, err := in.then(func(b *frame.Frame) (*frame.Frame, error) {
			e.lost.add(b, aggs)
			return b.Select(need...), nil
		})
		if err != nil {
			return err
		}
		p, err := e.partition(slim, names, nil)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			rows, err := p.whole(0, "Agg")
			if err != nil {
				return err
			}
			return yield(ready(aggregated(rows, nil, aggs)))
		}
		s := e.newSorter(empty, names, e.memory/4)
		if err := e.perPart(p, names, func(b *frame.Frame) error { return s.add(aggregated(b, names, aggs)) }); err != nil {
			return err
		}
		return s.finish(yield)
	}}
}

// partition deals the rows of a flow by a hash of columns. reduce shortens a part; it may be nil.
func (e *exec) partition(in *flow, names []string, reduce func(*frame.Frame) *frame.Frame) (*parts, error) {
	p := &parts{e: e, empty: in.empty, shift: 64 - fanBits, limit: e.memory / 2, reduce: reduce}
	type hashed struct {
		b *frame.Frame
		h []uint64
	}
	err := each(e, in, func(_ int, b *frame.Frame) (hashed, error) {
		return hashed{b, keysOf(b, names, nil).hashes}, nil
	}, func(x hashed) error { return p.add(x.b, x.h) })
	return p, err
}

// perPart calls do with rows of all keys: the rows of each part, divided further if they don't fit.
func (e *exec) perPart(p *parts, names []string, do func(*frame.Frame) error) error {
	for k := range p.list {
		if p.size(k) == 0 {
			continue
		}
		if p.size(k) <= e.memory/2 || p.shift < fanBits {
			b, err := p.whole(k, "Agg")
			if err != nil {
				return err
			}
			p.drop(k)
			if err := do(b); err != nil {
				return err
			}
			continue
		}
		sub := &parts{e: e, empty: p.empty, shift: p.shift - fanBits, limit: e.memory / 4, reduce: p.reduce}
		if err := p.read(k, func(b *frame.Frame) error { return sub.add(b, keysOf(b, names, nil).hashes) }); err != nil {
			return err
		}
		p.drop(k)
		if err := e.perPart(sub, names, do); err != nil {
			return err
		}
	}
	return nil
}

// whole returns the rows of a part that cannot be divided.
func (p *parts) whole(k int, op string) (*frame.Frame, error) {
	if p.size(k) > 2*p.e.memory {
		return nil, tooLarge(op, p.size(k))
	}
	return p.all(k)
}

// distinct returns the first row of each set of rows that are equal in the columns.
func (e *exec) distinct(in *flow, names []string) *flow {
	if len(names) == 0 {
		names = in.empty.Names()
	}
	first := func(b *frame.Frame) *frame.Frame {
		_, rows := keysOf(b, names, nil).groups()
		return take(b, rows)
	}
	return &flow{in.empty, func(yield func(task) error) error {
		rows := e.numbers(in, func(b *frame.Frame) *frame.Frame { return first(b) })
		p, err := e.partition(rows, names, first)
		if err != nil {
			return err
		}
		s := e.newSorter(rows.empty, []string{rowColumn}, e.memory/4)
		s.hidden = rowColumn
		if err := e.perPart(p, names, func(b *frame.Frame) error { return s.add(first(b)) }); err != nil {
			return err
		}
		return s.finish(yield)
	}}
}

// numbers adds the number of its row to each row, and then applies a function to each batch.
func (e *exec) numbers(in *flow, do func(*frame.Frame) *frame.Frame) *flow {
	return &flow{do(numbered(in.empty, 0)), func(yield func(task) error) error {
		at := int64(0)
		return e.ordered(in, func(b *frame.Frame) error {
			from := at
			at += int64(b.Len())
			return yield(func() (*frame.Frame, error) { return do(numbered(b, from)), nil })
		})
	}}
}
