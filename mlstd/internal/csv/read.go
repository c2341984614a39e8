package csv

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	sampleSize = 1 << 20
	// largestSample is the maximum length of the sample, for texts with very long first lines.
	largestSample = 256 << 20
	blockSize     = 1 << 22
	// A longer record is treated as a quotation mark that is not closed.
	longestRecord = 1 << 26
)

// reader is one reading of a file.
type reader struct {
	layout
	o        *Options
	source   Source
	missing  *infer.Missing
	encoding encoding
	blanks   blanks
	names    []string
	twice    string // a name that occurs twice
	start    int    // start of the data, in bytes of the decoded text
	line     int    // first line of the data, from 1
	scratch  []byte
	context  infer.Context
	notes    []string
	small    bool // the sample is the whole text
	lines    int  // number of lines, estimated from the sample
	finished []*infer.Column
	verdicts []infer.Verdict
	misses   []map[string]int
}

func (r *reader) read() (*Table, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	for {
		parts, plans, again, err := r.all()
		if err != nil {
			return nil, err
		}
		if !again {
			return r.finish(parts, plans)
		}
	}
}

// begin determines the encoding.
func (r *reader) begin() error {
	in, err := r.source()
	if err != nil {
		return err
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 1<<16)
	head, err := b.Peek(1 << 16)
	if err != nil && err != io.EOF {
		return err
	}
	if r.o.Encoding != "" {
		if r.encoding, err = encodingNamed(r.o.Encoding); err != nil {
			return err
		}
		return r.lookForBlanks()
	}
	r.encoding = guessEncoding(head)
	return r.lookForBlanks()
}

// open returns the decoded text.
func (r *reader) open() (io.Reader, io.Closer, error) {
	in, err := r.source()
	if err != nil {
		return nil, nil, err
	}
	text, err := decode(bufio.NewReaderSize(in, 1<<16), r.encoding)
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	if r.blanks.on {
		b := &blankReader{in: text, quotes: !r.o.NoQuotes}
		if r.blanks.lacks {
			b.prefix = rowNames + "\t"
		}
		text = b
	}
	return text, in, nil
}

// all reads the whole file with plans from a sample. again reports whether the file must be read
// once more, because the encoding or the number of columns was wrong.
func (r *reader) all() (parts []*part, plans []*plan, again bool, err error) {
	head, err := r.sample()
	if err != nil {
		return nil, nil, false, err
	}
	names := r.names
	if err := r.sniff(head); err != nil {
		return nil, nil, false, err
	}
	for j := len(r.names); j < len(names); j++ { // more names were found in a longer record
		r.names = append(r.names, names[j])
	}
	if err := r.checkNames(); err != nil {
		return nil, nil, false, err
	}
	if r.o.Strict && r.twice != "" {
		return nil, nil, false, model.Errorf(op, "column names must be distinct, got %q twice", r.twice)
	}
	plans = r.plans(head[r.start:])
	r.misses = make([]map[string]int, len(plans))
	r.finished = make([]*infer.Column, len(plans))
	var rows int
	for {
		if parts, err = r.pass(plans); err != nil {
			return nil, nil, false, err
		}
		if again, err = r.check(parts); again || err != nil {
			return nil, nil, again, err
		}
		rows = 0
		for _, p := range parts {
			rows += p.rows
		}
		next, late := r.next(plans, parts, rows)
		if !late {
			return parts, plans, false, nil
		}
		plans = next
	}
}

// sample reads the beginning of the text.
func (r *reader) sample() ([]byte, error) {
	text, file, err := r.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, sampleSize)
	n, err := io.ReadFull(text, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	r.small = err != nil
	head = head[:n]
	// A sample without two complete lines could cut a name or a number in two.
	for !r.small && len(head) < largestSample && bytes.Count(head, newline) < 2 {
		more := make([]byte, 2*len(head))
		copy(more, head)
		n, err := io.ReadFull(text, more[len(head):])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, err
		}
		r.small = err != nil
		head = more[:len(head)+n]
	}
	return head, nil
}

// plans makes a recipe for each column from the sample.
func (r *reader) plans(sample []byte) []*plan {
	plans := make([]*plan, len(r.names))
	for j, name := range r.names {
		plans[j] = &plan{skip: !r.wanted(name)}
	}
	if !r.small {
		sample = sample[:r.whole(sample, &r.scratch)]
	}
	r.lines = 0
	if n := bytes.Count(sample, newline); n > 0 && !r.small {
		r.lines = int(float64(n)*float64(r.o.Size)/float64(len(sample))*1.03) + 1000
	}
	p := newWorker(&r.layout, plans, r.missing).parse(sample, r.line, 0)
	r.context = r.o.Context
	if r.o.Decimal != "" {
		r.context.Decimal = r.o.Decimal[0]
	}
	r.context.Semicolons, r.context.Commas = r.separator == ';', r.separator == ','
	tallies := make([]*infer.Tally, len(plans))
	seen := map[byte]int{}
	orders := map[infer.Order]int{}
	for j, plan := range plans {
		if plan.skip {
			continue
		}
		tallies[j], _ = joinText(plan, []*part{p}, j, p.rows).Tally(r.missing)
		seen[tallies[j].Decimal()]++
		if order, sure := tallies[j].Order(); sure {
			orders[order]++
		}
	}
	switch {
	case seen['.'] > 0 && seen[','] == 0:
		r.context.Likely = '.'
	case seen[','] > 0 && seen['.'] == 0:
		r.context.Likely = ','
	}
	if !r.context.Ordered && len(orders) == 1 {
		r.context.Ordered, r.context.Order = true, infer.DayFirst
		if orders[infer.MonthFirst] > 0 {
			r.context.Order = infer.MonthFirst
		}
	}
	r.verdicts = make([]infer.Verdict, len(plans))
	for j, plan := range plans {
		if !plan.skip {
			r.verdicts[j] = r.judge(j, tallies[j])
			plan.Recipe = r.verdicts[j].Recipe
			_, plan.forced = r.o.Kinds[r.names[j]]
		}
	}
	return plans
}

// judge determines the kind of a column, unless the user has set it.
func (r *reader) judge(j int, t *infer.Tally) infer.Verdict {
	if kind, asked := r.o.Kinds[r.names[j]]; asked {
		return t.Forced(kind, &r.context)
	}
	v := t.Verdict(&r.context)
	if r.o.Numbers && (v.Kind == infer.Bool || v.Kind == infer.Time) {
		return infer.Verdict{}
	}
	return v
}

// block is a piece of the text that contains whole records.
type block struct {
	number int
	text   []byte
	line   int
	buffer *[]byte
}

// pass reads all blocks by the plans.
func (r *reader) pass(plans []*plan) ([]*part, error) {
	text, file, err := r.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := io.CopyN(io.Discard, text, int64(r.start)); err != nil {
		return nil, err
	}
	for _, p := range plans {
		if int64(r.lines)*int64(len(plans)) <= r.o.Size+r.o.Size/8 {
			p.reserve(r.lines)
		}
	}
	run := (&model.Control{}).Begin("reading", int(r.o.Size>>20))
	defer run.End()
	var (
		parts []*part
		mu    sync.Mutex
		stop  atomic.Bool
		wait  sync.WaitGroup
	)
	free := sync.Pool{New: func() any { b := make([]byte, 0); return &b }}
	blocks := make(chan block)
	for range min(runtime.GOMAXPROCS(0), 16) {
		wait.Go(func() {
			w := newWorker(&r.layout, plans, r.missing)
			for b := range blocks {
				p := w.parse(b.text, b.line, b.line-r.line)
				free.Put(b.buffer)
				if p.invalid || p.open > 0 || p.hollow() || p.long > 0 && !r.o.Ragged {
					stop.Store(true)
				}
				mu.Lock()
				for len(parts) <= b.number {
					parts = append(parts, nil)
				}
				parts[b.number] = p
				mu.Unlock()
			}
		})
	}
	err = r.cut(text, &free, func(b block, read int64) bool {
		if err := run.Err(); err != nil {
			return false
		}
		if r.o.Size > 1<<25 && run.Step(int(read>>20), math.NaN()) != nil {
			return false
		}
		blocks <- b
		return !stop.Load()
	})
	close(blocks)
	wait.Wait()
	if err == nil {
		err = run.Err()
	}
	return parts, err
}

// cut divides the text into blocks until yield returns false.
func (r *reader) cut(in io.Reader, free *sync.Pool, yield func(b block, read int64) bool) error {
	size := r.o.block
	if size == 0 {
		size = blockSize
	}
	var rest, scratch []byte
	line, read := r.line, int64(r.start)
	for number := 0; ; {
		buffer := free.Get().(*[]byte)
		b := append((*buffer)[:0], rest...)
		if cap(b) < size+len(rest) {
			b = append(make([]byte, 0, size+len(rest)+size/8), rest...)
		}
		n, err := io.ReadFull(in, b[len(rest):size+len(rest)])
		b = b[:len(rest)+n]
		*buffer = b
		read += int64(n)
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		whole := len(b)
		if !end {
			if whole = r.whole(b, &scratch); whole == 0 && len(b) > longestRecord {
				return model.Errorf(op, "the record in line %d must have at most %d MB; a quotation mark in it may not be closed", line, longestRecord>>20).
					WithHint("set NoQuotes of the Dialect if quotation marks are ordinary characters")
			}
		}
		rest = append(rest[:0], b[whole:]...)
		if whole > 0 {
			next := line + bytes.Count(b[:whole], newline)
			if !yield(block{number, b[:whole], line, buffer}, read) {
				return nil
			}
			line = next
			number++
		}
		if end {
			return nil
		}
	}
}

// check looks for reasons to start reading again, and for errors that end it.
func (r *reader) check(parts []*part) (again bool, err error) {
	widest := 0
	for _, p := range parts {
		switch {
		case p == nil:
			continue
		case p.invalid:
			if r.o.Encoding != "" {
				return false, model.Errorf(op, "the text must be %v, as Encoding says", r.encoding).WithHint("leave Encoding out, or set another one")
			}
			r.encoding = windows1252Text
			return true, nil
		case p.hollow():
			return false, model.Errorf(op, "most lines have far fewer fields than the %d columns, such as line %d, which has %d", len(r.names), p.shortLine, p.shortFields).
				WithHint("set Separator if it is not %q, or Skip if the header is further down", r.separator)
		case p.open > 0:
			return false, model.Errorf(op, "the quotation mark in line %d is not closed", p.open).WithHint("set NoQuotes of the Dialect if quotation marks are ordinary characters")
		case p.short > 0 && r.o.Strict:
			return false, model.Errorf(op, "line %d must have %[3]d fields, as the header has, got %[2]d", p.shortLine, p.shortFields, len(r.names)).
				WithHint("complete the line, or set Separator if it is not %q", r.separator)
		case p.long > 0 && !r.o.Ragged:
			return false, model.Errorf(op, "line %d must have at most %[3]d fields, as the header has, got %[2]d", p.longLine, p.longFields, len(r.names)).
				WithHint("set Ragged to put extra fields into columns of their own, or Separator if it is not %q", r.separator)
		}
		widest = max(widest, p.widest)
	}
	if widest <= len(r.names) {
		return false, nil
	}
	for j := len(r.names); j < widest; j++ {
		r.names = append(r.names, "column "+strconv.Itoa(j+1))
	}
	return true, nil
}

// next finishes the columns that fit their recipes, and plans another pass for those
// that do not.
func (r *reader) next(plans []*plan, parts []*part, rows int) (next []*plan, late bool) {
	next = make([]*plan, len(plans))
	par.Range(len(plans), 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			p := plans[j]
			n := &plan{Recipe: p.Recipe, skip: true, forced: p.forced}
			next[j] = n
			switch {
			case p.skip:
			case p.late.Load() == asFloats:
				n.skip, n.Kind = false, infer.Float
				r.verdicts[j].Kind = infer.Float
			case p.late.Load() == asText:
				n.skip, n.Kind = false, infer.Text
			default:
				r.finished[j] = r.column(j, p, parts, rows)
			}
		}
	})
	for _, n := range next {
		late = late || !n.skip
	}
	return next, late
}

// column joins the pieces of a column. A column of text is inspected as a whole, because it can be
// of another kind than the sample suggested.
func (r *reader) column(j int, p *plan, parts []*part, rows int) *infer.Column {
	if p.Kind == infer.Text {
		x := joinText(p, parts, j, rows)
		t, misses := x.Tally(r.missing)
		r.misses[j] = misses
		r.verdicts[j] = r.judge(j, t)
		return x.Column(r.names[j], &r.verdicts[j].Recipe, r.missing)
	}
	c := &infer.Column{Name: r.names[j], Kind: p.Kind, Unit: p.Unit}
	r.misses[j] = map[string]int{}
	switch p.Kind {
	case infer.Float:
		c.Floats = gather(p.room.floats, parts, rows, func(p *part) []float64 { return p.columns[j].floats })
	case infer.Bool:
		c.Bools = gather(nil, parts, rows, func(p *part) []bool { return p.columns[j].bools })
	default:
		c.Ints = gather(p.room.ints, parts, rows, func(p *part) []int64 { return p.columns[j].ints })
	}
	if p.Kind == infer.Time {
		c.Zone = p.Location()
	}
	at := 0
	workers := map[*worker]bool{}
	for _, part := range parts {
		q := &part.columns[j]
		for _, i := range q.gaps {
			c.Gap(at+int(i), rows)
		}
		for _, x := range q.clashes {
			c.Clashes = append(c.Clashes, infer.Clash{Row: at + x.Row, Sense: x.Sense})
		}
		at += part.rows
		*q = piece{}
		if !workers[part.worker] {
			workers[part.worker] = true
			for text, n := range part.worker.misses[j] {
				r.misses[j][text] += n
			}
		}
	}
	p.room = piece{}
	return c
}
