package csv

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Scanner reads texts of the same form in blocks. Unlike [Read], it takes the kinds of the columns
// from samples only, and a later value of another kind is an error.
type Scanner struct {
	o       Options
	names   []string
	recipes []infer.Recipe
	forced  []bool
	missing *infer.Missing
	Notes   []string
}

// NewScanner detects the form of a text and the kinds of its columns. The extra samples are pieces
// of whole lines from other places of the text, or from other texts of its form. It ignores a
// sample whose lines don't have the right number of fields.
func NewScanner(source Source, extra [][]byte, o Options) (*Scanner, error) {
	if err := CheckDialect(op, &o.Dialect); err != nil {
		return nil, err
	}
	r := &reader{o: &o, source: source, missing: infer.NewMissing(o.Missing)}
	head, err := r.prepare()
	if err != nil {
		return nil, err
	}
	if err := r.checkNames(); err != nil {
		return nil, err
	}
	sample := head[r.start:]
	if !r.small {
		sample = sample[:r.whole(sample, &r.scratch)]
	}
	sample = slices.Clone(sample)
	skipped := make([]*plan, len(r.names))
	for j := range skipped {
		skipped[j] = &plan{}
	}
	for _, piece := range extra {
		if r.blanks.on || r.encoding != utf8Text {
			break
		}
		p := newWorker(&r.layout, skipped, r.missing).parse(piece, 0, 0)
		if p.invalid || p.open > 0 || p.short > 0 || p.long > 0 {
			continue
		}
		if n := len(sample); n > 0 && sample[n-1] != '\n' {
			sample = append(sample, '\n')
		}
		sample = append(sample, piece...)
	}
	if len(bytes.TrimSpace(sample)) == 0 {
		return nil, r.noRows()
	}
	small := r.small
	r.small = true // the sample has whole lines
	r.misses = make([]map[string]int, len(r.names))
	plans := r.plans(sample)
	r.small = small
	s := &Scanner{o: o, names: r.names, missing: r.missing}
	s.o.Separator = string(r.separator)
	if r.blanks.on {
		s.o.Separator = " "
	}
	for _, p := range plans {
		s.recipes, s.forced = append(s.recipes, p.Recipe), append(s.forced, p.forced)
	}
	s.note(r)
	return s, nil
}

// note lists the decisions that the samples led to.
func (s *Scanner) note(r *reader) {
	if r.encoding != utf8Text {
		s.Notes = append(s.Notes, "the text is not UTF-8: read as "+r.encoding.String())
	}
	s.Notes = append(s.Notes, r.notes...)
	var commas []string
	for j, name := range s.names {
		if v := &r.verdicts[j]; s.wants(name) && v.Kind == infer.Float && v.Decimal == ',' {
			commas = append(commas, name)
		}
	}
	if commas != nil {
		s.Notes = append(s.Notes, "numbers have a decimal comma in "+quoted(commas))
	}
	for j, name := range s.names {
		if !s.wants(name) {
			continue
		}
		v := &r.verdicts[j]
		for _, note := range v.Notes {
			s.Notes = append(s.Notes, fmt.Sprintf("column %q %s", name, note))
		}
		if v.OddCount > 0 && v.Kind == infer.Text {
			s.Notes = append(s.Notes, fmt.Sprintf("column %q has %q among %d %v: read as text; set Kinds to read %v and make that value missing", name, v.Odd, v.Others, v.OddKind, v.OddKind))
		}
	}
}

// prepare reads the beginning of a text, and finds its form.
func (r *reader) prepare() ([]byte, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	head, err := r.sample()
	if err != nil {
		return nil, err
	}
	return head, r.sniff(head)
}

// Empty returns the columns without values.
func (s *Scanner) Empty() []*infer.Column {
	var out []*infer.Column
	for j, name := range s.names {
		if !s.wants(name) {
			continue
		}
		c := &infer.Column{Name: name, Kind: s.recipes[j].Kind, Unit: s.recipes[j].Unit}
		if c.Kind == infer.Time {
			c.Zone = s.recipes[j].Location()
		}
		out = append(out, c)
	}
	return out
}

func (s *Scanner) wants(name string) bool {
	return s.o.Columns == nil || slices.Contains(s.o.Columns, name)
}

// misfit is the first value of a block that is not of the kind of its column.
type misfit struct {
	column, row int
	line        int // from 1
	text        string
}

// Block is a piece of a text with whole records. Parse can be called from any goroutine, once.
type Block struct {
	s       *Scanner
	r       *reader
	b       block
	free    *sync.Pool
	columns []string
}

// Check returns an error unless a text has the columns of the sample.
func (s *Scanner) Check(source Source) error {
	o := s.o
	r := &reader{o: &o, source: source, missing: s.missing}
	if _, err := r.prepare(); err != nil {
		return err
	}
	return s.same(r.names)
}

func (s *Scanner) same(names []string) error {
	if s.o.NoHeader && len(names) == len(s.names) || slices.Equal(names, s.names) {
		return nil
	}
	return model.Errorf(op, "the columns must be those of the first file, %q, got %q", s.names, names).
		WithHint("scan the files with other columns separately, select the columns of the first file with Select in the same order, write the result to new files, and scan these files instead")
}

// Blocks calls yield with the blocks of a text, which must have the columns of the sample. bytes is
// the length of a block.
func (s *Scanner) Blocks(source Source, columns []string, yield func(b *Block, bytes int) error) error {
	o := s.o
	r := &reader{o: &o, source: source, missing: s.missing}
	if _, err := r.prepare(); err != nil {
		return err
	}
	if err := s.same(r.names); err != nil {
		return err
	}
	text, file, err := r.open()
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.CopyN(io.Discard, text, int64(r.start)); err != nil {
		return err
	}
	free := &sync.Pool{New: func() any { b := make([]byte, 0); return &b }}
	var stopped error
	err = r.cut(text, free, func(b block, _ int64) bool {
		stopped = yield(&Block{s, r, b, free, columns}, len(b.text))
		return stopped == nil
	})
	if stopped != nil {
		return stopped
	}
	return err
}

// Parse returns the values of the columns. It calls lost with the number of values of a column that
// became missing, because they are not of the kind that the user set. For the name "", the number
// is that of lines with fewer fields than there are columns.
func (b *Block) Parse(lost func(column string, n int)) ([]*infer.Column, error) {
	s := b.s
	plans := make([]*plan, len(s.names))
	for j, name := range s.names {
		plans[j] = &plan{Recipe: s.recipes[j], skip: !slices.Contains(b.columns, name), forced: s.forced[j]}
	}
	w := newWorker(&b.r.layout, plans, s.missing)
	w.strict = true
	p := w.parse(b.b.text, b.b.line, 0)
	b.free.Put(b.b.buffer)
	switch {
	case p.invalid:
		return nil, model.Errorf(op, "the text after line %d is not UTF-8", b.b.line).WithHint("set Encoding of the Dialect")
	case p.misfit != nil:
		m := p.misfit
		return nil, model.Errorf(op, "line %d has %q in column %q, but a sample of the column has only values of kind %v", m.line, m.text, s.names[m.column], s.recipes[m.column].Kind).
			WithHint("set Kinds of the Format for this column")
	}
	if p.widest > len(s.names) && s.o.Ragged {
		return nil, model.Errorf(op, "line %d must have at most %d fields (the number of columns of the scan), got %d", p.longLine, len(s.names), p.longFields)
	}
	if _, err := b.r.check([]*part{p}); err != nil {
		return nil, err
	}
	if p.short > 0 {
		lost("", p.short)
	}
	out := make([]*infer.Column, 0, len(b.columns))
	for _, name := range b.columns {
		j := slices.Index(s.names, name)
		if n := p.columns[j].lost; n > 0 {
			lost(name, n)
		}
		out = append(out, b.column(p, j))
	}
	return out, nil
}

// column returns a column of a block that has been parsed.
func (b *Block) column(p *part, j int) *infer.Column {
	recipe, q := &b.s.recipes[j], &p.columns[j]
	if recipe.Kind == infer.Text {
		c := joinText(&plan{}, []*part{p}, j, p.rows).Column(b.s.names[j], recipe, b.s.missing)
		return c
	}
	c := &infer.Column{Name: b.s.names[j], Kind: recipe.Kind, Unit: recipe.Unit, Floats: q.floats, Ints: q.ints, Bools: q.bools}
	if c.Kind == infer.Time {
		c.Zone = recipe.Location()
	}
	for _, i := range q.gaps {
		c.Gap(int(i), p.rows)
	}
	return c
}

// reject marks a value that is not of the kind of its column, and remembers the first such value of
// a block unless the user has set the kind.
func (w *worker) reject(p *part, j int, text []byte) {
	if w.plans[j].forced {
		p.columns[j].lost++
	} else if p.misfit == nil {
		p.misfit = &misfit{column: j, row: p.rows, text: string(text)}
	}
	w.gap(p, j, text)
}
