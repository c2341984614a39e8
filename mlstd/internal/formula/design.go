package formula

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// A Design describes how the columns of a model are computed from a frame. It is made from the
// frame that the model is fitted to.
type Design struct {
	Text    string
	Factors []Factor
	Blocks  []Block  // the columns of each term, in order
	Names   []string // names of all columns
	Offsets []*Node
	State   map[string][]float64 // state of stateful transforms
}

// Factor is a column of numbers or categories that occurs in one or more terms.
type Factor struct {
	Key       string
	Node      *Node
	Numeric   bool
	Column    string   // column of a category
	Kind      int      // kind of that column
	Levels    []string // levels of a category, including the reference
	Reference int
	Sum       bool // sum contrasts instead of treatment contrasts
}

// Block describes the columns of a term.
type Block struct {
	Term     string
	From, To int
	Codings  []Coding
}

// Coding is a product of factors. If Full is true for a factor, the factor has a column for each
// level. Otherwise it has no column for the reference level.
type Coding struct {
	Factors []int
	Full    []bool
}

// Data is the result of applying a design to a frame, with one row for each row of the frame listed
// in Rows.
type Data struct {
	X       *mat.Dense
	Y       []float64
	Offset  []float64 // offsets, or nil
	Rows    []int
	Dropped int // number of rows that lack a value
	Success string
}

// values holds the values of a factor on a frame.
type values struct {
	numbers []float64
	codes   []int32
}

// Response is the kind of response variable (the left side of a formula) that a model takes.
type Response int

const (
	Numeric Response = iota // numbers
	Binary                  // numbers, booleans or categories of two levels, of which the second is 1
	None                    // the caller reads the left side
)

// New learns a design from the complete rows of f: the rows without missing values in the formula's
// columns and in the columns in more.
func (s *Spec) New(f *frame.Frame, left Response, more ...[]bool) (*Design, *Data, error) {
	if f == nil || f.Len() == 0 {
		return nil, nil, model.Errorf(s.Op, "the frame has no rows").WithHint("read one with ml.Read")
	}
	s, err := s.dotted(f)
	if err != nil {
		return nil, nil, err
	}
	d := &Design{Text: s.Text, Offsets: s.Offsets, State: map[string][]float64{}}
	gone := make([]bool, f.Len())
	for _, m := range more {
		for i, g := range m {
			gone[i] = gone[i] || g
		}
	}
	data := &Data{}
	if left != None {
		if data.Y, data.Success, err = s.response(f, left); err != nil {
			return nil, nil, err
		}
		absent(gone, data.Y)
	}
	cols := map[string]*frame.Column{}
	for _, t := range s.Terms {
		for _, key := range t.Factors {
			if d.index(key) >= 0 {
				continue
			}
			fac, err := factorOf(s.Op, s.factors[key], f)
			if err != nil {
				return nil, nil, err
			}
			d.Factors = append(d.Factors, fac)
			if fac.Numeric {
				v, err := numbersWithout(s.Op, fac.Node, f)
				if err != nil {
					return nil, nil, err
				}
				absent(gone, v)
				continue
			}
			c := f.Col(fac.Column)
			cols[key] = c
			for i := range gone {
				gone[i] = gone[i] || c.IsMissing(i)
			}
		}
	}
	if data.Offset, err = d.offset(s.Op, f); err != nil {
		return nil, nil, err
	}
	absent(gone, data.Offset)
	for i, g := range gone {
		if !g {
			data.Rows = append(data.Rows, i)
		}
	}
	if data.Dropped = f.Len() - len(data.Rows); len(data.Rows) == 0 {
		return nil, nil, model.Errorf(s.Op, "at least one row must have all values that the formula needs, got none of %d rows", f.Len()).WithHint("count the missing values with Describe(f)")
	}
	for i := range d.Factors {
		if fac := &d.Factors[i]; !fac.Numeric {
			if err := fac.learn(s.Op, cols[fac.Key], data.Rows); err != nil {
				return nil, nil, err
			}
		}
	}
	d.columns(s)
	kept := f
	if data.Dropped > 0 {
		mask := make([]bool, f.Len())
		for i, g := range gone {
			mask[i] = !g
		}
		kept = f.Where(mask)
	}
	if data.X, err = d.matrix(s.Op, kept, true); err != nil {
		return nil, nil, err
	}
	data.Y, data.Offset = pickRows(data.Y, data.Rows), pickRows(data.Offset, data.Rows)
	return d, data, nil
}

// dotted returns the formula with its dot replaced by the other columns of f.
func (s *Spec) dotted(f *frame.Frame) (*Spec, error) {
	if !s.dots {
		return s, nil
	}
	used := map[string]bool{}
	if s.Response != nil {
		s.Response.names(used)
	}
	for _, r := range s.Random {
		r.Group.names(used)
	}
	for _, o := range s.Offsets {
		o.names(used)
	}
	var rest []string
	for _, n := range f.Names() {
		if !used[n] {
			rest = append(rest, n)
		}
	}
	if len(rest) == 0 {
		return nil, model.Errorf(s.Op, "the frame must have a column for the dot in formula %q", s.Text)
	}
	return parse(s.Op, s.Text, rest)
}

// names collects the columns of an expression.
func (n *Node) names(to map[string]bool) {
	if n.Op == "name" {
		to[n.Text] = true
	}
	for _, a := range n.Args {
		a.names(to)
	}
}

func absent(gone []bool, v []float64) {
	for i, a := range v {
		gone[i] = gone[i] || math.IsNaN(a)
	}
}

func pickRows(v []float64, rows []int) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = v[r]
	}
	return out
}

// numbersWithout computes a factor to find missing values. It does not keep the state that it
// learns from all rows.
func numbersWithout(op string, n *Node, f *frame.Frame) ([]float64, error) {
	v, err := (&evaluator{op: op, f: f, state: map[string][]float64{}, learn: true}).numbers(n)
	if err != nil {
		return nil, err
	}
	return v, finite(op, n, v)
}

// finite returns an error if a value is infinite.
func finite(op string, n *Node, v []float64) error {
	for i, a := range v {
		if math.IsInf(a, 0) {
			return model.Errorf(op, "%s must be finite, got %v in row %d", n, a, i).WithHint("leave such rows out with Where")
		}
	}
	return nil
}

func (s *Spec) response(f *frame.Frame, left Response) ([]float64, string, error) {
	if s.Response == nil {
		return nil, "", model.Errorf(s.Op, "formula %q must have a left side", s.Text).WithHint("write the response before the ~: \"y ~ x\"")
	}
	if s.Response.Op == "name" && f.Has(s.Response.Text) && left == Binary {
		c := f.Col(s.Response.Text)
		if k := c.Kind(); k == frame.StringKind || k == frame.CategoryKind {
			levels := used(c, nil)
			if len(levels) != 2 {
				return nil, "", model.Errorf(s.Op, "column %q must have 2 levels, got %d", c.Name(), len(levels)).
					WithHint("choose one with a comparison: \"I(%s == 'level') ~ ...\"", s.Response)
			}
			y := make([]float64, c.Len())
			for i := range y {
				switch {
				case c.IsMissing(i):
					y[i] = math.NaN()
				case c.Text(i) == levels[1]:
					y[i] = 1
				}
			}
			return y, levels[1], nil
		}
	}
	y, err := Numbers(s.Op, s.Response, f)
	if err != nil {
		return nil, "", err
	}
	return y, "", finite(s.Op, s.Response, y)
}

func (d *Design) index(key string) int {
	return slices.IndexFunc(d.Factors, func(f Factor) bool { return f.Key == key })
}

// factorOf returns the factor for an expression on the frame.
func factorOf(op string, n *Node, f *frame.Frame) (Factor, error) {
	fac := Factor{Key: n.String(), Node: n, Numeric: true, Reference: -1}
	name := n
	if n.Op == "call" && n.Text == "C" {
		if len(n.Args) == 0 || n.Args[0].Op != "name" {
			return fac, model.Errorf(op, "%s must name a column", n).WithHint("write C(column)")
		}
		name = n.Args[0]
		fac.Numeric = false
		for _, a := range n.Args[1:] {
			switch {
			case a.Op == "=" && a.Text == "ref" && (a.Args[0].Op == "string" || a.Args[0].Op == "number" || a.Args[0].Op == "name"):
			case a.Op == "name" && (a.Text == "Sum" || a.Text == "Treatment"):
				fac.Sum = a.Text == "Sum"
			default:
				return fac, model.Errorf(op, "%s is not an argument of C, got %s", a, n).WithHint("write C(column), C(column, ref=\"level\") or C(column, Sum)")
			}
		}
	}
	if name.Op != "name" {
		return fac, nil
	}
	if !f.Has(name.Text) {
		return fac, model.Errorf(op, "the frame has no column %q", name.Text).WithHint("its columns are %s", list(f.Names()))
	}
	c := f.Col(name.Text)
	switch c.Kind() {
	case frame.StringKind, frame.CategoryKind, frame.BoolKind:
		fac.Numeric = false
	case frame.TimeKind:
		if fac.Numeric {
			return fac, model.Errorf(op, "column %q must hold numbers or categories, got times", name.Text).
				WithHint("derive a number or a category from it first, such as f[\"month\"]")
		}
	}
	if !fac.Numeric {
		fac.Column, fac.Kind = name.Text, int(c.Kind())
	}
	return fac, nil
}

// used returns the levels that occur in the rows, or all levels if rows is nil. Levels of a
// category column keep their order; other values are in ascending order.
func used(c *frame.Column, rows []int) []string {
	if rows == nil {
		rows = make([]int, c.Len())
		for i := range rows {
			rows[i] = i
		}
	}
	seen := map[string]float64{}
	for _, i := range rows {
		if c.IsMissing(i) {
			continue
		}
		t := c.Text(i)
		if _, ok := seen[t]; !ok {
			seen[t] = order(c.At(i))
		}
	}
	var out []string
	if c.Kind() == frame.CategoryKind {
		for _, l := range c.Levels() {
			if _, ok := seen[l]; ok {
				out = append(out, l)
			}
		}
		return out
	}
	for l := range seen {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b string) int {
		switch x, y := seen[a], seen[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return strings.Compare(a, b)
	})
	return out
}

func order(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// mostLevels is the maximum number of levels of a category.
const mostLevels = 2000

func (fac *Factor) learn(op string, c *frame.Column, rows []int) error {
	fac.Levels = used(c, rows)
	if len(fac.Levels) > mostLevels {
		return model.Errorf(op, "column %q must have at most %d levels, got %d", fac.Column, mostLevels, len(fac.Levels)).WithHint("join rare levels first")
	}
	if fac.Reference = 0; fac.Sum {
		fac.Reference = len(fac.Levels) - 1
	}
	for _, a := range fac.Node.Args {
		if a.Op != "=" {
			continue
		}
		want := a.Args[0].Text
		if a.Args[0].Op == "number" {
			want = a.Args[0].String()
		}
		if fac.Reference = slices.Index(fac.Levels, want); fac.Reference < 0 {
			return model.Errorf(op, "column %q has no level %q", fac.Column, want).WithHint("its levels are %s", list(fac.Levels))
		}
	}
	return nil
}

// columns decides which columns each term has, as patsy does. Among terms with the same numeric
// factors, a category has columns for all its levels unless they would be linear combinations of
// earlier columns.
func (d *Design) columns(s *Spec) {
	seen := map[string]map[string]bool{}
	terms := s.Terms
	if s.Intercept {
		terms = append([]Term{{}}, terms...)
	}
	for _, t := range terms {
		var numeric, nominal []int
		var bucket []string
		for _, key := range t.Factors {
			i := d.index(key)
			if d.Factors[i].Numeric {
				numeric, bucket = append(numeric, i), append(bucket, key)
			} else {
				nominal = append(nominal, i)
			}
		}
		slices.Sort(bucket)
		b := strings.Join(bucket, "\x00")
		if seen[b] == nil {
			seen[b] = map[string]bool{}
		}
		block := Block{Term: t.String(), From: len(d.Names)}
		for _, full := range codings(nominal, seen[b]) {
			var c Coding
			for _, key := range t.Factors { // in the order of the term
				i := d.index(key)
				if all, ok := full[i]; ok || slices.Contains(numeric, i) {
					c.Factors, c.Full = append(c.Factors, i), append(c.Full, all)
				}
			}
			block.Codings = append(block.Codings, c)
			d.Names = append(d.Names, d.namesOf(c)...)
		}
		block.To = len(d.Names)
		d.Blocks = append(d.Blocks, block)
	}
}

// codings returns the products that a term adds to the products already seen. For each category in
// a product, the result says whether all levels have a column.
func codings(nominal []int, seen map[string]bool) []map[int]bool {
	var parts []map[int]bool
	for size := range len(nominal) + 1 {
		for _, set := range subsets(nominal, size) {
			sorted := slices.Clone(set)
			slices.Sort(sorted)
			key := fmt.Sprint(sorted)
			if seen[key] {
				continue
			}
			seen[key] = true
			part := map[int]bool{}
			for _, i := range set {
				part[i] = false
			}
			parts = append(parts, part)
		}
	}
	for absorb(&parts) {
	}
	return parts
}

// absorb merges a product with a product that has one more factor, which then has all levels.
func absorb(parts *[]map[int]bool) bool {
	p := *parts
	for i := range p {
		for j := i + 1; j < len(p); j++ {
			if len(p[j]) != len(p[i])+1 {
				continue
			}
			extra, ok := -1, true
			for k, full := range p[j] {
				if was, in := p[i][k]; !in {
					ok = ok && extra < 0 && !full
					extra = k
				} else {
					ok = ok && was == full
				}
			}
			if ok && extra >= 0 {
				p[j][extra] = true
				*parts = slices.Delete(p, i, i+1)
				return true
			}
		}
	}
	return false
}

// subsets returns the subsets of the given size, in lexicographic order.
func subsets(of []int, size int) [][]int {
	if size == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for i := range of {
		for _, rest := range subsets(of[i+1:], size-1) {
			out = append(out, append([]int{of[i]}, rest...))
		}
	}
	return out
}

// label returns the name of a factor as used in column names, without the options of C.
func (fac *Factor) label() string {
	if fac.Node.Op == "call" && fac.Node.Text == "C" {
		return "C(" + fac.Node.Args[0].String() + ")"
	}
	return fac.Key
}

// partNames returns the names of the columns of one factor.
func (fac *Factor) partNames(full bool) []string {
	if fac.Numeric {
		return []string{fac.Key}
	}
	var out []string
	for k, l := range fac.Levels {
		switch {
		case full:
			out = append(out, fac.label()+"["+l+"]")
		case k != fac.Reference && fac.Sum:
			out = append(out, fac.label()+"[S."+l+"]")
		case k != fac.Reference:
			out = append(out, fac.label()+"[T."+l+"]")
		}
	}
	return out
}

func (d *Design) namesOf(c Coding) []string {
	if len(c.Factors) == 0 {
		return []string{"Intercept"}
	}
	out := []string{""}
	for k, i := range c.Factors {
		parts := d.Factors[i].partNames(c.Full[k])
		var next []string
		for _, p := range parts { // the first factor varies fastest
			for _, o := range out {
				if k > 0 {
					o += ":"
				}
				next = append(next, o+p)
			}
		}
		out = next
	}
	return out
}

// Apply computes the columns of the design from another frame, with NaN for missing values. It also
// returns the sum of the offsets, or nil if the formula has no offsets. It returns an error if the
// frame lacks a column, or if a category has a level that was not in the frame that the model was
// fitted to.
func (d *Design) Apply(op string, f *frame.Frame) (x *mat.Dense, offset []float64, err error) {
	if f == nil || f.Len() == 0 {
		return nil, nil, model.Errorf(op, "the frame has no rows")
	}
	if x, err = d.matrix(op, f, false); err != nil {
		return nil, nil, err
	}
	offset, err = d.offset(op, f)
	return x, offset, err
}

func (d *Design) offset(op string, f *frame.Frame) ([]float64, error) {
	var sum []float64
	for _, o := range d.Offsets {
		v, err := Numbers(op, o, f)
		if err != nil {
			return nil, err
		}
		if err := finite(op, o, v); err != nil {
			return nil, err
		}
		if sum == nil {
			sum = make([]float64, len(v))
		}
		for i := range v {
			sum[i] += v[i]
		}
	}
	return sum, nil
}

func (d *Design) matrix(op string, f *frame.Frame, learn bool) (*mat.Dense, error) {
	of := make([]values, len(d.Factors))
	for i := range d.Factors {
		v, err := d.factorValues(op, &d.Factors[i], f, learn)
		if err != nil {
			return nil, err
		}
		of[i] = v
	}
	n := f.Len()
	if len(d.Names) == 0 {
		return nil, model.Errorf(op, "formula %q must have a term or an intercept", d.Text)
	}
	x := mat.NewDense(n, len(d.Names), nil)
	at := 0
	for _, b := range d.Blocks {
		for _, c := range b.Codings {
			w := 1
			for k, i := range c.Factors {
				w *= len(d.Factors[i].partNames(c.Full[k]))
			}
			row, next := make([]float64, w), make([]float64, w)
			for r := range n {
				row = append(row[:0], 1)
				for k, i := range c.Factors {
					next = d.Factors[i].multiply(next[:0], row, of[i], r, c.Full[k])
					row, next = next, row
				}
				copy(x.RawRowView(r)[at:], row)
			}
			at += w
		}
	}
	return x, nil
}

// multiply appends the products of the factor's columns in row r with the columns so far.
func (fac *Factor) multiply(to, sofar []float64, v values, r int, full bool) []float64 {
	if fac.Numeric {
		for _, s := range sofar {
			to = append(to, s*v.numbers[r])
		}
		return to
	}
	code := int(v.codes[r])
	for k := range fac.Levels {
		if !full && k == fac.Reference {
			continue
		}
		a := 0.0
		switch {
		case code < 0:
			a = math.NaN()
		case code == k:
			a = 1
		case !full && fac.Sum && code == fac.Reference:
			a = -1
		}
		for _, s := range sofar {
			to = append(to, s*a)
		}
	}
	return to
}

func (d *Design) factorValues(op string, fac *Factor, f *frame.Frame, learn bool) (values, error) {
	if fac.Numeric {
		v, err := (&evaluator{op: op, f: f, state: d.State, learn: learn}).numbers(fac.Node)
		if err != nil {
			return values{}, err
		}
		return values{numbers: v}, finite(op, fac.Node, v)
	}
	if !f.Has(fac.Column) {
		return values{}, model.Errorf(op, "the frame has no column %q", fac.Column).WithHint("the formula %q needs it; the columns are %s", d.Text, list(f.Names()))
	}
	c := f.Col(fac.Column)
	known := make(map[string]int32, len(fac.Levels))
	for k, l := range fac.Levels {
		known[l] = int32(k)
	}
	codes := make([]int32, c.Len())
	for i := range codes {
		if c.IsMissing(i) {
			codes[i] = -1
			continue
		}
		k, ok := known[c.Text(i)]
		if !ok {
			return values{}, model.Errorf(op, "level %q of column %q in row %d must occur in the rows of the fit", c.Text(i), fac.Column, i).
				WithHint("the model knows %s; leave such rows out with Where", list(fac.Levels))
		}
		codes[i] = k
	}
	return values{codes: codes}, nil
}
