package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Schema records the names, kinds, levels and units of the columns and the target.
type Schema struct {
	// Features are the columns of x; nil for a plain matrix, whose columns have no names.
	Features []Column
	// Target describes the predicted quantity; it is the zero Column if x does not describe its
	// target. Its Levels name the classes 0, 1, 2 ...
	Target Column

	// outer is set for a model that contains other models and steps. Each of these decides itself
	// whether it accepts levels that Fit did not see.
	outer bool
}

// Fitted is embedded in types that learn from the columns of a matrix. It remembers the columns of
// x in Fit, and is saved with the model. Fit calls [NoteX], [NoteXY] or [NoteXYReal]. Every method
// that takes rows with the same columns must begin with [MustRead], which restores the order of the
// columns and the codes of the levels that Fit saw.
type Fitted struct {
	_ struct{} `snapshot:"added"` // models were saved without it
	s *Schema  // nil before Fit
}

// Schema returns the names, kinds and levels of the columns of x in Fit, and of the target if x
// describes it. It is the zero Schema for a model that is not fitted, or that was fitted to a plain
// matrix.
func (s *Fitted) Schema() Schema {
	if s.s == nil {
		return Schema{}
	}
	return Schema{Features: cloneColumns(s.s.Features), Target: cloneColumn(s.s.Target), outer: s.s.outer}
}

func cloneColumn(c Column) Column {
	c.Levels = slices.Clone(c.Levels)
	return c
}

func cloneColumns(columns []Column) []Column {
	if columns == nil {
		return nil
	}
	out := make([]Column, len(columns))
	for j, c := range columns {
		out[j] = cloneColumn(c)
	}
	return out
}

// SchemaOf returns the description of the columns and the target of x.
func SchemaOf(x mat.Matrix) Schema {
	var s Schema
	if Described(x) {
		s.Features = x.(*Table).Columns
	}
	if t, ok := x.(*Table); ok && t != nil {
		s.Target = t.Target
	}
	return s
}

// NoteX stores the columns of x in s. Fit must begin with it.
func NoteX(s *Fitted, x mat.Matrix) { s.note(Schema{Features: SchemaOf(x).Features}) }

// NoteXY is [NoteX] for examples with classes y. It stores the target of x if the target has a name
// for every class in y.
func NoteXY(s *Fitted, x mat.Matrix, y []int) {
	seen := SchemaOf(x)
	seen.Target = targetOf(seen.Target, y)
	s.note(seen)
}

// NoteXYReal is [NoteX] for the real-valued targets y.
func NoteXYReal(s *Fitted, x mat.Matrix, _ []float64) {
	seen := SchemaOf(x)
	if seen.Target.Kind != Numeric {
		seen.Target = Column{} // y was made of it
	}
	s.note(seen)
}

// NoteOuter is [NoteX] for a type that passes the rows to its own models and steps, as a pipeline
// does. These models and steps decide whether they accept levels that Fit did not see.
func NoteOuter(s *Fitted, x mat.Matrix) { s.noteOuter(x, Column{}) }

// NoteOuterXY is [NoteOuter] for examples with classes y.
func NoteOuterXY(s *Fitted, x mat.Matrix, y []int) { s.noteOuter(x, targetOf(SchemaOf(x).Target, y)) }

// NoteOuterXYReal is [NoteOuter] for the real-valued targets y.
func NoteOuterXYReal(s *Fitted, x mat.Matrix, _ []float64) {
	target := SchemaOf(x).Target
	if target.Kind != Numeric {
		target = Column{}
	}
	s.noteOuter(x, target)
}

// NoteStepsXY is [NoteOuterXY] for steps and the model after them. If unknown levels could reach a
// step or model that does not remember its levels, such as one that is declared in a cell, it is
// [NoteXY].
func NoteStepsXY(s *Fitted, steps []Transformer, last any, x mat.Matrix, y []int) {
	if levelsReach(steps, last) {
		NoteXY(s, x, y)
		return
	}
	NoteOuterXY(s, x, y)
}

// NoteStepsXYReal is [NoteStepsXY] for the real-valued targets y.
func NoteStepsXYReal(s *Fitted, steps []Transformer, last any, x mat.Matrix, y []float64) {
	if levelsReach(steps, last) {
		NoteXYReal(s, x, y)
		return
	}
	NoteOuterXYReal(s, x, y)
}

// levelsReach reports whether unknown levels could reach a step or model without a Schema.
func levelsReach(steps []Transformer, last any) bool {
	remembers := func(m any) bool {
		_, ok := m.(interface{ Schema() Schema })
		return ok
	}
	for _, s := range steps {
		if !remembers(s) {
			return true
		}
		if _, ok := s.(KnownLeaver); ok {
			return false
		}
		if l, ok := s.(Leaver); ok && !l.Leaves().Nominal {
			return false
		}
	}
	return !remembers(last)
}

func (s *Fitted) noteOuter(x mat.Matrix, target Column) {
	columns := slices.Clone(SchemaOf(x).Features)
	for j, c := range columns {
		if n, _ := x.Dims(); c.Kind == Nominal && len(c.Levels) > max(mostLevels, n/2) {
			columns[j].Levels = nil
		}
	}
	s.note(Schema{Features: columns, Target: target, outer: true})
}

// If a nominal column has more levels and most of them occur once, its values are texts. The inner
// models remember what they need of them, so a saved pipeline has no copy of all texts.
const mostLevels = 100

// targetOf returns the target t if the classes y can be its levels. Otherwise y does not come from
// t, and it returns a zero Column.
func targetOf(t Column, y []int) Column {
	for _, c := range y {
		if c < 0 || c >= len(t.Levels) {
			return Column{}
		}
	}
	return t
}

func (s *Fitted) note(seen Schema) { s.s = interned(seen) }

// MustRead returns x with the columns to which the model of s was fitted. If they are the columns
// of x, it returns x itself. Otherwise it returns a table with the columns of Fit: it finds the
// columns by name, and restores the order of the columns and the codes of the levels that Fit saw.
// It panics with an [*Error] when a column is missing, has level names instead of numbers, has
// another unit, or has a level that Fit did not see. It also panics when x has a target of the same
// name whose classes have other numbers, because predictions would then be compared with the wrong
// classes.
//
// A matrix that is not a Table has no names; MustRead returns it unchanged. If s was set by
// [NoteOuter], it leaves unknown levels to the inner models and steps, as [MustReadAll] does.
func MustRead(op string, s *Fitted, x mat.Matrix) mat.Matrix { return must(s.read(op, x, refused)) }

// MustReadAll is [MustRead] for a type that can handle levels of nominal columns that Fit did not
// see, such as an encoder. These levels get codes after the codes of Fit.
func MustReadAll(op string, s *Fitted, x mat.Matrix) mat.Matrix { return must(s.read(op, x, added)) }

// MustReadKnown is [MustRead], but reads levels that Fit did not see as missing values (NaN).
func MustReadKnown(op string, s *Fitted, x mat.Matrix) mat.Matrix {
	return must(s.read(op, x, missing))
}

// unknown determines how levels that Fit did not see are read.
type unknown int

const (
	refused unknown = iota // they are an error
	added                  // those of nominal columns get codes after the codes of Fit
	missing                // they are read as NaN
)

func must(x mat.Matrix, err error) mat.Matrix {
	if err != nil {
		panic(err)
	}
	return x
}

// Read is [MustRead], but returns the error instead of panicking.
func Read(op string, s *Fitted, x mat.Matrix) (mat.Matrix, error) { return s.read(op, x, refused) }

// ReadBatch is [Read] for a batch of examples from which a model continues to learn. It stores the
// columns of the first batch, and the target if there are classes y.
func ReadBatch(op string, s *Fitted, x mat.Matrix, y []int) (mat.Matrix, error) {
	if s.s != nil {
		return s.read(op, x, refused)
	}
	if y == nil {
		NoteX(s, x)
	} else {
		NoteXY(s, x, y)
	}
	return x, nil
}

// Unread restores s if there is an error, so that a failed batch leaves the model unchanged.
func Unread(s *Fitted, was Fitted, err *error) {
	if *err != nil {
		*s = was
	}
}

func (s *Fitted) read(op string, x mat.Matrix, levels unknown) (mat.Matrix, error) {
	t, ok := x.(*Table)
	if s.s == nil || !ok || isNil(x) {
		return x, nil // a plain matrix has no names, and the model has none before Fit
	}
	if err := s.s.sameClasses(op, t.Target); err != nil {
		return nil, err
	}
	if len(t.Columns) == 0 {
		return x, nil
	}
	if s.s.outer && levels == refused {
		levels = added
	}
	u, err := s.s.arrange(op, t, levels)
	if err != nil {
		return nil, err
	}
	return u, nil
}

// sameClasses returns an error if the target has the same name but its classes have other numbers.
func (s *Schema) sameClasses(op string, target Column) error {
	if target.Name != s.Target.Name {
		return nil
	}
	for k := range min(len(target.Levels), len(s.Target.Levels)) {
		if is, was := target.Levels[k], s.Target.Levels[k]; is != was {
			return Errorf(op, "class %d of the target %q must be %q, as when the model was fitted, got %q", k, target.Name, was, is).
				WithHint("number the classes as the model does, with d.Like(m); ml.Score does it itself")
		}
	}
	return nil
}

// Arrange returns t with the columns of s, in their order and with the codes of their levels. If
// they are the same, it returns t itself. Arrange returns an error for levels that s does not have.
// If all is set, it accepts such levels in nominal columns and assigns them codes after the levels
// of s.
func (s *Schema) Arrange(op string, t *Table, all bool) (*Table, error) {
	if all {
		return s.arrange(op, t, added)
	}
	return s.arrange(op, t, refused)
}

func (s *Schema) arrange(op string, t *Table, levels unknown) (*Table, error) {
	n, c := t.Dims()
	if c != len(t.Columns) {
		return nil, Errorf(op, "x must have %d entries in Columns (one per column), got %d", c, len(t.Columns))
	}
	if len(s.Features) == 0 {
		return t, s.unnamed(op, t)
	}
	if s.same(t.Columns) {
		return t, nil
	}
	from, err := s.find(op, t)
	if err != nil {
		return nil, err
	}
	columns := make([]Column, len(from))
	out := mat.NewDense(n, len(from), nil)
	for j, k := range from {
		change, err := s.match(op, j, t, k, levels == added)
		if err != nil {
			return nil, err
		}
		columns[j] = change.column
		for i := range n {
			v := t.At(i, k)
			if change.code != nil && v == v {
				l := int(v)
				if float64(l) != v || l < 0 || l >= len(change.code) {
					return nil, Errorf(op, "x[%d][%d] must be the index of one of the %d levels of %q, got %v",
						i, k, len(change.code), t.Columns[k].Name, v)
				}
				v = change.code[l]
				if l = int(v); l >= change.known {
					if levels == missing {
						out.Set(i, j, math.NaN())
						continue
					}
					return nil, unknownLevel(op, s.Features[j], i, t.Columns[k].Levels[int(t.At(i, k))])
				}
			}
			out.Set(i, j, v)
		}
	}
	return &Table{Dense: out, Columns: columns, Target: t.Target}, nil
}

// same reports whether columns equal those of s, so that their numbers have the same meaning.
func (s *Schema) same(columns []Column) bool {
	if len(columns) != len(s.Features) {
		return false
	}
	for j := range columns {
		a, b := &s.Features[j], &columns[j]
		if a.Name != b.Name || a.Kind != b.Kind || a.Unit != b.Unit || !s.leaves(a) && !slices.Equal(a.Levels, b.Levels) {
			return false
		}
	}
	return true
}

// leaves reports whether c is a column of texts, which are left to the inner models.
func (s *Schema) leaves(c *Column) bool {
	return s.outer && c.Kind == Nominal && len(c.Levels) == 0
}

// unnamed returns an error for a column of names if the model was fitted to a plain matrix of
// numbers.
func (s *Schema) unnamed(op string, t *Table) error {
	for _, c := range t.Columns {
		if coded(c) {
			return Errorf(op, "column %q must be numbers, since the model was fitted to a matrix without names, got levels such as %q", c.Name, c.Levels[0]).
				WithHint("fit the model to the data set: ml.Fit(m, d), or m.Fit(d.X, d.Y)")
		}
	}
	return nil
}

// coded reports whether the numbers of a column are codes of its levels, rather than the names of
// the levels.
func coded(c Column) bool {
	return c.Kind != Numeric && len(c.Levels) > 0 && !slices.Equal(c.Levels, bits)
}

// find returns the position in t of each column of s.
func (s *Schema) find(op string, t *Table) ([]int, error) {
	at := make(map[string]int, len(t.Columns))
	twice := map[string]bool{}
	for k, c := range t.Columns {
		if _, ok := at[c.Name]; ok {
			twice[c.Name] = true
		}
		at[c.Name] = k
	}
	from := make([]int, len(s.Features))
	named := make(map[string]bool, len(from))
	var missing []string
	for j, c := range s.Features {
		k, ok := at[c.Name]
		if named[c.Name] || twice[c.Name] || c.Name == "" {
			return s.inPlace(op, t)
		}
		named[c.Name] = true
		if !ok {
			missing = append(missing, c.Name)
		}
		from[j] = k
	}
	if len(missing) > 0 {
		what := "column"
		if len(missing) > 1 {
			what = "columns"
		}
		return nil, Errorf(op, "x must have the %s %s that the model was fitted on, got %s", what, namesOf(missing), namesOf(t.ColumnNames())).
			WithHint("pass the columns of the training data under the same names; use Rename of a frame to change one")
	}
	return from, nil
}

// inPlace is find for columns whose names are not unique.
func (s *Schema) inPlace(op string, t *Table) ([]int, error) {
	from := make([]int, len(s.Features))
	for j, c := range s.Features {
		if j >= len(t.Columns) || t.Columns[j].Name != c.Name || len(t.Columns) != len(from) {
			return nil, Errorf(op, "x must have the columns %s, as the model was fitted on, got %s", namesOf((&Table{Columns: s.Features}).ColumnNames()), namesOf(t.ColumnNames())).
				WithHint("give each column a distinct name")
		}
		from[j] = j
	}
	return from, nil
}

// change describes how one column is converted.
type change struct {
	column Column
	code   []float64 // the new code of each level; nil when numbers stay
	known  int       // codes from this one on are an error
}

// match compares column k of t with feature j of s.
func (s *Schema) match(op string, j int, t *Table, k int, all bool) (change, error) {
	was, is := s.Features[j], t.Columns[k]
	if was.Unit != "" && is.Unit != "" && was.Unit != is.Unit {
		return change{}, Errorf(op, "column %q must be in %q, as when the model was fitted, got %q", was.Name, was.Unit, is.Unit).
			WithHint("convert the values, and set the unit with WithUnit")
	}
	all = all && (was.Kind == Nominal || s.outer)
	if s.leaves(&was) {
		if is.Kind == Numeric && !blank(t, k) {
			return change{}, otherKind(op, was, is)
		}
		if is.Kind != Numeric {
			is.Kind = Nominal
		}
		return change{column: is}, nil
	}
	switch named := is.Kind != Numeric && len(is.Levels) > 0; {
	case !coded(was) && !coded(is) || named && slices.Equal(was.Levels, is.Levels):
		return change{column: was}, nil
	case !coded(was) && len(is.Levels) <= 2 && !slices.ContainsFunc(is.Levels, func(l string) bool { return l != "0" && l != "1" }):
		c := change{column: was, known: len(bits)} // 0 and 1 in another order, or one of them
		for _, name := range is.Levels {
			c.code = append(c.code, float64(slices.Index(bits, name)))
		}
		return c, nil
	case !coded(was) || !named:
		if blank(t, k) {
			return change{column: was}, nil
		}
		return change{}, otherKind(op, was, is)
	}
	c := change{column: was, code: make([]float64, len(is.Levels)), known: len(was.Levels)}
	if all {
		c.column.Levels = slices.Clone(was.Levels)
	}
	at := make(map[string]int, len(was.Levels))
	for l, name := range was.Levels {
		at[name] = l
	}
	for l, name := range is.Levels {
		code, ok := at[name]
		if !ok {
			code = max(len(c.column.Levels), c.known)
			if all {
				c.column.Levels = append(c.column.Levels, name)
				c.known = len(c.column.Levels)
				at[name] = code
			}
		}
		c.code[l] = float64(code)
	}
	return c, nil
}

// blank reports whether column k of t has no value.
func blank(t *Table, k int) bool {
	n, _ := t.Dims()
	for i := range n {
		if v := t.At(i, k); v == v {
			return false
		}
	}
	return true
}

func otherKind(op string, was, is Column) error {
	if was.Kind == Numeric {
		got := "levels"
		if len(is.Levels) > 0 {
			got = "levels such as " + strconv.Quote(is.Levels[0])
		}
		return Errorf(op, "column %q must be numeric, as when the model was fitted, got %s", was.Name, got).
			WithHint("read it as numbers, or convert it first")
	}
	got := "numbers"
	if is.Kind != Numeric {
		got = "indices of levels without names"
	}
	levels := ""
	if len(was.Levels) > 0 {
		levels = " such as " + strconv.Quote(was.Levels[0])
	}
	return Errorf(op, "column %q must have names%s, as when the model was fitted, got %s", was.Name, levels, got).
		WithHint("read it as strings")
}

func unknownLevel(op string, c Column, row int, level string) error {
	return Errorf(op, "column %q must be one of %s, as when the model was fitted, got %q in row %d", c.Name, namesOf(c.Levels), level, row).
		WithHint("leave such rows out, encode the column with ml.OneHotEncoder, which encodes an unknown level as zeros, or read unknown levels as missing with ml.UnknownAsMissing")
}

// classes returns the levels of the target of s followed by the levels that only other has, and for
// each level of other its number in the result.
func (s *Schema) classes(other Column) (levels []string, number []int) {
	levels = slices.Clone(s.Target.Levels)
	number = make([]int, len(other.Levels))
	for l, name := range other.Levels {
		k := slices.Index(levels, name)
		if k < 0 {
			k, levels = len(levels), append(levels, name)
		}
		number[l] = k
	}
	return levels, number
}

// Renumber converts the classes y from the numbers of another target, is, to the numbers of the
// target of s. It also returns the target with the levels of s, followed by the levels that only
// the other target has. It returns an [*Error] if the targets have different names.
func (s *Schema) Renumber(op string, y []int, is Column) ([]int, Column, error) {
	if s.Target.Name == "" && len(s.Target.Levels) == 0 {
		return y, is, nil // the model does not know what it was fitted to
	}
	if err := s.SameTarget(op, is); err != nil {
		return nil, Column{}, err
	}
	if slices.Equal(is.Levels, s.Target.Levels) || len(is.Levels) == 0 {
		return y, is, nil
	}
	levels, number := s.classes(is)
	out := make([]int, len(y))
	for i, c := range y {
		if c < 0 || c >= len(number) {
			return nil, Column{}, Errorf(op, "y[%d] must be a class from 0 to %d, got %d", i, len(number)-1, c)
		}
		out[i] = number[c]
	}
	is.Levels = levels
	return out, is, nil
}

// SameTarget returns an error if the target has another name or unit than the target of s.
func (s *Schema) SameTarget(op string, is Column) error {
	was := s.Target
	if was.Name != "" && is.Name != "" && was.Name != is.Name {
		return Errorf(op, "the target must be %q, which the model was fitted to predict, got %q", was.Name, is.Name).
			WithHint("use that column as the target, or rename it")
	}
	if was.Unit != "" && is.Unit != "" && was.Unit != is.Unit {
		return Errorf(op, "the target %q must be in %q, as when the model was fitted, got %q", was.Name, was.Unit, is.Unit).
			WithHint("convert the values, and set the unit with WithUnit")
	}
	return nil
}

// namesOf lists names in quotes; of many names, only the first ones.
func namesOf(names []string) string {
	const most = 8
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(name))
	}
	return b.String()
}
