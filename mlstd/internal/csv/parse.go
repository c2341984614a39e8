package csv

import (
	"bytes"
	"math"
	"sync/atomic"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// plan is how a column is read in one pass.
type plan struct {
	infer.Recipe
	skip   bool
	forced bool // the user asked for this kind
	// late is set if a text does not fit the recipe; then the column is read again.
	late atomic.Int32
	// room holds the values of all blocks, if their maximum number is known.
	room piece
}

// reserve allocates space for n values.
func (p *plan) reserve(n int) {
	switch {
	case p.skip:
	case p.Kind == infer.Float:
		p.room.floats = make([]float64, n)
	case p.Kind == infer.Int || p.Kind == infer.Time:
		p.room.ints = make([]int64, n)
	case p.Kind == infer.Text:
		p.room.codes = make([]int32, n)
	}
}

const (
	fits     = iota
	asFloats // some whole numbers turned out to have decimals
	asText   // anything else
)

// later sets how the column is read in the next pass.
func (p *plan) later(as int32) {
	for {
		old := p.late.Load()
		if old >= as || p.late.CompareAndSwap(old, as) {
			return
		}
	}
}

// piece holds the values of a column in one block.
type piece struct {
	floats []float64
	ints   []int64
	bools  []bool
	codes  []int32  // numbers in the worker's dictionary
	texts  []string // instead of codes, if most are distinct
	flat   bool
	gaps   []int32 // rows that are missing
	// clashes are local times that a clock change skips or repeats.
	clashes []infer.Clash
	lost    int // values that are not of the kind that the user set
}

// part is the result of reading one block.
type part struct {
	worker  *worker
	first   int // row of the first value, if each earlier line is a row
	rows    int
	bytes   int // length of its text
	columns []piece
	uneven
	invalid bool // the text is not UTF-8
	open    int  // line of a quotation mark that was not closed, from 1; 0 if none
	misfit  *misfit
}

// uneven counts the records with fewer or more fields than names.
type uneven struct {
	short, long         int // number of such records
	lacking             int // fields that the short records lack
	shortLine, longLine int // the first such lines, counted from 1
	longFields, widest  int
	shortFields         int
}

// hollow reports whether so many fields are missing that the table would be far larger than its
// text.
func (p *part) hollow() bool { return p.lacking > 1<<16+32*p.bytes }

// worker reads blocks, one after the other.
type worker struct {
	*layout
	plans   []*plan
	missing *infer.Missing
	dicts   []*Dictionary
	misses  []map[string]int // per column: texts other than "" that stood for missing values
	rows    []int            // per text column: number of rows so far
	arena   arena
	scratch []byte
	strict  bool // a value that is not of the kind of its column is kept as the misfit of the part
}

func newWorker(l *layout, plans []*plan, missing *infer.Missing) *worker {
	w := &worker{layout: l, plans: plans, missing: missing}
	w.dicts, w.misses, w.rows = make([]*Dictionary, len(plans)), make([]map[string]int, len(plans)), make([]int, len(plans))
	return w
}

// A dictionary is abandoned if it has more than flatWords words, and more than half as many words
// as rows.
const flatWords = 1 << 16

// begin allocates space for the values of a block with the given number of lines. The space is part
// of the whole column, at the position where the block starts if every line is a row. If the column
// is too short, the space is separate, for the likely number of rows.
func (w *worker) begin(row, likely, lines int) *part {
	p := &part{worker: w, first: row, columns: make([]piece, len(w.plans))}
	for j, plan := range w.plans {
		if plan.skip {
			continue
		}
		c := &p.columns[j]
		switch plan.Kind {
		case infer.Float:
			c.floats = within(plan.room.floats, row, likely, lines)
		case infer.Int, infer.Time:
			c.ints = within(plan.room.ints, row, likely, lines)
		case infer.Bool:
			c.bools = make([]bool, 0, likely)
		default:
			if w.dicts[j] == nil {
				w.dicts[j] = NewDictionary()
			}
			n := len(w.dicts[j].words)
			if c.flat = n > flatWords && 2*n > w.rows[j]; c.flat {
				c.texts = make([]string, 0, likely)
			} else {
				c.codes = within(plan.room.codes, row, likely, lines)
			}
		}
	}
	return p
}

// within returns an empty slice with space for the values of the lines: the part of room that
// starts at at, or a separate slice if room is too short.
func within[T any](room []T, at, likely, lines int) []T {
	if at+lines > len(room) {
		return make([]T, 0, likely)
	}
	return room[at : at : at+lines]
}

// gather joins the values of the parts. Values in room are moved to their final positions; most are
// already there.
func gather[T any](room []T, parts []*part, rows int, of func(*part) []T) []T {
	out := room
	if len(out) < rows {
		out = make([]T, rows)
	}
	at := 0
	for _, p := range parts {
		v := of(p)
		if len(v) > 0 && (at >= len(out) || &out[at] != &v[0]) {
			copy(out[at:], v)
		}
		at += p.rows
	}
	return out[:rows:rows]
}

// parse reads the records of a block. line is its first line, and row its first row if each earlier
// line is a row.
func (w *worker) parse(b []byte, line, row int) *part {
	lines := bytes.Count(b, newline)
	if n := len(b); n > 0 && b[n-1] != '\n' {
		lines++
	}
	p := w.begin(row, min(lines, len(b)/max(1, len(w.plans))+1), lines)
	p.bytes = len(b)
	if p.invalid = !utf8.Valid(b); p.invalid {
		return p
	}
	width := len(w.plans)
	for i := 0; i < len(b); {
		if next, skip := w.line(b, i); skip && (width > 1 || b[i] != '\n' && b[i] != '\r') {
			i = next
			continue
		}
		start := i
		j, extra := 0, 0
		for {
			text, end, quoted, open := w.next(b, i, p, j)
			if open {
				p.open = line + bytes.Count(b[:start], newline)
				return p
			}
			if end >= 0 {
				if j >= width {
					if len(text) > 0 {
						extra = j + 1
					}
				} else if !w.plans[j].skip {
					w.put(p, j, text, quoted)
				}
			} else {
				end = -end // next has appended the value
			}
			j++
			if i = end + 1; end >= len(b) || b[end] == '\n' {
				break
			}
		}
		if j < width || extra > 0 {
			w.note(p, j, extra, line, b[:start])
		}
		if p.misfit != nil && p.misfit.line == 0 {
			p.misfit.line = line + bytes.Count(b[:start], newline)
		}
		if p.rows++; p.hollow() {
			break
		}
	}
	for j := range w.plans {
		w.rows[j] += p.rows
	}
	return p
}

var newline = []byte{'\n'}

// note records that a record has j fields but there are more or fewer names, and fills the missing
// fields.
func (w *worker) note(p *part, j, extra, line int, before []byte) {
	if j < len(w.plans) {
		if p.short++; p.short == 1 {
			p.shortLine, p.shortFields = line+bytes.Count(before, newline), j
		}
		p.lacking += len(w.plans) - j
		for ; j < len(w.plans); j++ {
			if !w.plans[j].skip {
				w.gap(p, j, nil)
			}
		}
		return
	}
	if p.long++; p.long == 1 {
		p.longLine, p.longFields = line+bytes.Count(before, newline), extra
	}
	p.widest = max(p.widest, extra)
}

// next finds the field that begins at b[i]. If the field is a plain number, next also appends its
// value to the column, and returns the negative of the field's end.
func (w *worker) next(b []byte, i int, p *part, j int) (text []byte, end int, quoted, open bool) {
	if j < len(w.plans) && !w.plans[j].skip && !w.plans[j].Dressed && !w.missing.Numbers {
		switch w.plans[j].Kind {
		case infer.Int:
			if v, end := w.plainInt(b, i); end > 0 {
				p.columns[j].ints = append(p.columns[j].ints, v)
				return nil, -end, false, false
			}
		case infer.Float:
			if v, end := w.plainFloat(b, i, w.plans[j].Decimal); end > 0 {
				p.columns[j].floats = append(p.columns[j].floats, v)
				return nil, -end, false, false
			}
		}
	}
	return w.field(b, i, &w.scratch)
}

// plainInt reads a field of up to 18 digits; end is 0 if the field is anything else.
func (w *worker) plainInt(b []byte, i int) (v int64, end int) {
	neg := false
	if i < len(b) && b[i] == '-' {
		neg = true
		i++
	}
	from := i
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		v = v*10 + int64(d)
	}
	if i == from || i-from > 18 || b[from] == '0' && i-from > 1 || i == len(b) || b[i] != w.separator && b[i] != '\n' {
		return 0, 0
	}
	if neg {
		v = -v
	}
	return v, i
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// plainFloat reads a field whose digits, without the decimal sign, are a number below 2^53, so that
// one division rounds correctly. end is 0 if the field is anything else.
func (w *worker) plainFloat(b []byte, i int, decimal byte) (f float64, end int) {
	neg := false
	if i < len(b) && b[i] == '-' {
		neg = true
		i++
	}
	from, point := i, 0
	var v uint64
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d <= 9 {
			v = v*10 + uint64(d)
			continue
		}
		if b[i] != decimal || point > 0 {
			break
		}
		point = i + 1
	}
	digits, decimals := i-from, 0
	if point > 0 {
		digits, decimals = digits-1, i-point
	}
	if digits == 0 || digits > 18 || v >= 1<<53 || i == len(b) || b[i] != w.separator && b[i] != '\n' {
		return 0, 0
	}
	f = float64(v) / powers[decimals]
	if neg {
		f = -f
	}
	return f, i
}

// trim removes the spaces around a text that was not in quotation marks.
func trim(b []byte) []byte {
	if n := len(b); n > 0 && (b[0] <= ' ' || b[n-1] <= ' ') {
		return bytes.Trim(b, " \t")
	}
	return b
}

// put adds a value to a column.
func (w *worker) put(p *part, j int, text []byte, quoted bool) {
	if !quoted {
		text = trim(text)
	}
	plan, c := w.plans[j], &p.columns[j]
	if plan.Kind == infer.Text {
		if c.flat {
			c.texts = append(c.texts, w.arena.keep(text))
		} else {
			c.codes = append(c.codes, w.dicts[j].Number(text))
		}
		return
	}
	if len(text) == 0 || w.missing.Numbers {
		if w.missing.Has(text) {
			w.gap(p, j, text)
			return
		}
	}
	ok := false
	switch plan.Kind {
	case infer.Int:
		var v int64
		if v, ok = plan.Int(text); ok && (plan.forced || plan.Unit != "" || !zeros(text)) {
			c.ints = append(c.ints, v)
		} else {
			ok = false
		}
	case infer.Float:
		var v float64
		if v, ok = plan.Float(text); ok {
			c.floats = append(c.floats, v)
		}
	case infer.Time:
		var v int64
		var sense wallclock.Sense
		if v, sense, ok = plan.Time(text); ok {
			c.ints = append(c.ints, v)
			if sense != wallclock.Once {
				c.clashes = append(c.clashes, infer.Clash{Row: p.rows, Sense: sense})
			}
		}
	case infer.Bool:
		var v bool
		if v, ok = plan.Bool(text); ok {
			c.bools = append(c.bools, v)
		}
	}
	if ok {
		return
	}
	if !w.missing.Has(text) {
		if w.strict {
			w.reject(p, j, text)
			return
		}
		as := int32(asText)
		if plan.Kind == infer.Int {
			if _, number := plan.Float(text); number && !zeros(text) {
				as = asFloats
			}
		}
		plan.later(as)
	}
	w.gap(p, j, text)
}

// zeros reports whether a whole number has a leading 0, so that it may be a code.
func zeros(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// gap adds a missing value to a column; text is what stood for it.
func (w *worker) gap(p *part, j int, text []byte) {
	c := &p.columns[j]
	row := int32(p.rows)
	switch w.plans[j].Kind {
	case infer.Float:
		c.floats = append(c.floats, math.NaN())
	case infer.Int, infer.Time:
		c.ints = append(c.ints, 0)
	case infer.Bool:
		c.bools = append(c.bools, false)
	default:
		if c.flat {
			c.texts = append(c.texts, "")
		} else {
			c.codes = append(c.codes, -1)
		}
	}
	c.gaps = append(c.gaps, row)
	if len(text) > 0 {
		if w.misses[j] == nil {
			w.misses[j] = map[string]int{}
		}
		w.misses[j][string(text)]++
	}
}

// joinText returns a column of text from the pieces of all parts, in order. Its codes replace the
// codes of the pieces.
func joinText(p *plan, parts []*part, j, rows int) *infer.Texts {
	index := NewDictionary()
	renumber := map[*worker][]int32{}
	for _, p := range parts {
		c := &p.columns[j]
		if c.flat {
			c.codes = make([]int32, len(c.texts))
			for i, s := range c.texts {
				c.codes[i] = index.Number(asBytes(s))
			}
			for _, i := range c.gaps {
				c.codes[i] = -1
			}
			c.texts = nil
			continue
		}
		words := p.worker.dicts[j].words
		to := renumber[p.worker]
		for len(to) < len(words) {
			to = append(to, -1)
		}
		renumber[p.worker] = to
		for i, k := range c.codes {
			if k < 0 {
				continue
			}
			if to[k] < 0 {
				to[k] = index.Number(asBytes(words[k]))
			}
			c.codes[i] = to[k]
		}
	}
	codes := gather(p.room.codes, parts, rows, func(p *part) []int32 { return p.columns[j].codes })
	return &infer.Texts{Codes: codes, Words: index.words}
}
