package data

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/csv"
	parser "github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CSV determines how a table of comma-separated values is read into a data set. The
// zero value reads a header line and detects the rest. To read a file into a data
// frame, use ml.Read.
type CSV struct {
	// Dialect is how the values are written: separator, decimal sign, quoting, missing
	// values, header. ml.Read and ml.Write use the same options.
	csv.Dialect
	// Target names the column to predict; "" means the last column, and "-" means none.
	Target string
	// Kinds sets the kind of columns by name. By default, a column is numeric if all its
	// non-missing fields are numbers; a decimal comma, thousands separators and a unit such as %
	// are allowed. A column with a few other fields among many numbers is an error, because these
	// may be typing errors. Any other column is nominal.
	Kinds map[string]model.Kind
	// Levels sets the levels of ordinal and nominal columns by name, in ascending
	// order. By default, they are the fields that occur, sorted.
	Levels map[string][]string
	// Drop names the columns to leave out, such as identity numbers.
	Drop []string
	// DropMissing leaves out rows without a target. By default, such a row is an error.
	DropMissing bool
}

// LoadCSV reads a data set from a file with a header and the target in the last column;
// the data set has the name of the file. Use [CSV.Load] for anything else.
func LoadCSV(path string) (*Dataset, error) { return (&CSV{}).Load(path) }

// ReadCSV reads a data set with a header and the target in the last column.
func ReadCSV(r io.Reader) (*Dataset, error) { return (&CSV{}).Read(r) }

// Load reads a data set from a file and names it after the file.
func (c *CSV) Load(path string) (*Dataset, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := c.Read(f)
	if err != nil {
		var e *model.Error
		if errors.As(err, &e) {
			return nil, &model.Error{Op: e.Op + " " + path, What: e.What, Hint: e.Hint}
		}
		return nil, err
	}
	d.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	d.Source = path
	return d, nil
}

// Read reads a data set. Every line must have as many fields as the first line; an error reports
// the number of the line. A nominal target is stored in Y, and a numeric target in Target, which
// [Dataset.AsClasses] converts to classes. A missing target is an error unless DropMissing is set.
// Text that is not UTF-8 is read as UTF-16 if it begins with a byte order mark, and as Windows-1252
// otherwise. The Notes of the data set list these decisions.
func (c *CSV) Read(r io.Reader) (*Dataset, error) {
	const op = "CSV"
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	o := &parser.Options{Dialect: c.Dialect, Strict: true, Numbers: true, Kinds: map[string]infer.Kind{}, Size: int64(len(text))}
	for name, kind := range c.Kinds {
		o.Kinds[name] = infer.Text
		if kind == model.Numeric {
			o.Kinds[name] = infer.Float
		}
	}
	for name := range c.Levels {
		if kind, set := c.Kinds[name]; !set || kind != model.Numeric {
			o.Kinds[name] = infer.Text
		}
	}
	t, err := parser.Read(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }, o)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(t.Columns))
	for j, column := range t.Columns {
		names[j] = column.Name
	}
	for _, name := range c.named() {
		if !slices.Contains(names, name) {
			return nil, model.Errorf(op, "there is no column %q", name).WithHint("use one of %s", quoted(names))
		}
	}
	d, err := c.build(names, t)
	if err != nil {
		return nil, err
	}
	notes := slices.DeleteFunc(t.Notes, func(note string) bool {
		return strings.HasPrefix(note, "column ") && strings.Contains(note, ": read as text")
	})
	d.Notes = append(notes, d.Notes...)
	return d, nil
}

// named returns all the column names that the options mention.
func (c *CSV) named() []string {
	list := slices.Clone(c.Drop)
	if c.Target != "" && c.Target != "-" {
		list = append(list, c.Target)
	}
	for name := range c.Kinds {
		list = append(list, name)
	}
	for name := range c.Levels {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func (c *CSV) build(names []string, t *parser.Table) (*Dataset, error) {
	const op = "CSV"
	target := len(names) - 1
	switch c.Target {
	case "":
	case "-":
		target = -1
	default:
		target = slices.Index(names, c.Target)
	}
	if target >= 0 && slices.Contains(c.Drop, names[target]) {
		return nil, model.Errorf(op, "Drop must not name the target, got %q", names[target])
	}
	d := &Dataset{Name: "CSV", X: &model.Table{}}
	rows := make([]int, 0, t.Rows)
	for i := range t.Rows {
		if target < 0 || !c.DropMissing || !t.Columns[target].IsGap(i) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, model.Errorf(op, "the target column %q must have at least one non-missing value, got none", names[target])
	}
	if left := t.Rows - len(rows); left > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d of %d rows have no value in the target column %q and were left out", left, t.Rows, names[target]))
	}
	var columns [][]float64
	for j, name := range names {
		if slices.Contains(c.Drop, name) {
			continue
		}
		column, values, note, err := c.column(t.Columns[j], rows, t.Odd[name])
		if err != nil {
			return nil, err
		}
		if note != "" {
			d.Notes = append(d.Notes, note)
		}
		if j != target {
			d.X.Columns = append(d.X.Columns, column)
			columns = append(columns, values)
			continue
		}
		d.X.Target = column
		if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
			return nil, model.Errorf(op, "the target column %[2]q must have a value in every row, got none in row %[1]d", i+1, name).
				WithHint("set DropMissing to leave out such rows, or name another column as Target")
		}
		if column.Kind == model.Numeric {
			d.Target = values
			if isBinary(values) {
				d.Notes = append(d.Notes, fmt.Sprintf("the target %q is 0 or 1, read as numbers: call AsClasses for two classes", name))
			}
			continue
		}
		for _, v := range values {
			d.Y = append(d.Y, int(v))
		}
	}
	if len(columns) == 0 {
		return nil, model.Errorf(op, "there must be a column besides the target").WithHint(`set Target to "-" if there is nothing to predict`)
	}
	d.X.Dense = mat.NewDense(len(rows), len(columns), nil)
	for j, values := range columns {
		d.X.SetCol(j, values)
	}
	return d, nil
}

// isBinary reports whether all values are 0 or 1.
func isBinary(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != 0 && v != 1 })
}

// column converts the fields of a column to a column of the data set. note describes what had to be
// decided.
func (c *CSV) column(read *infer.Column, rows []int, odd infer.Verdict) (column model.Column, values []float64, note string, err error) {
	const op = "CSV"
	name := read.Name
	kind, set := c.Kinds[name]
	levels := c.Levels[name]
	others := ""
	if odd.OddCount > 1 {
		others = fmt.Sprintf(" and %d more such fields", odd.OddCount-1)
	}
	switch {
	case set && kind == model.Numeric && levels != nil:
		return column, nil, "", model.Errorf(op, "Levels must name nominal or ordinal columns only, got the numeric column %q", name)
	case set && kind != model.Numeric && kind != model.Nominal && kind != model.Ordinal:
		return column, nil, "", model.Errorf(op, "the kind of column %[2]q must be ml.Numeric, ml.Nominal or ml.Ordinal, got %[1]d", kind, name)
	case set && kind == model.Numeric && odd.OddCount > 0:
		return column, nil, "", model.Errorf(op, "the numeric column %[3]q must have numbers only, got %[2]q in row %[1]d", odd.OddRow+1, odd.Odd, name).
			WithHint("add it to Missing, or set the column's kind to ml.Nominal in Kinds")
	case !set && levels == nil && odd.OddCount > 0 && (odd.OddKind == infer.Float || odd.OddKind == infer.Int):
		return column, nil, "", model.Errorf(op, "column %[3]q has %[4]d numbers, but %[2]q in row %[1]d%[5]s", odd.OddRow+1, odd.Odd, name, odd.Others, others).
			WithHint("correct it, add it to Missing, or set the column's kind to ml.Nominal in Kinds")
	}
	if read.Kind != infer.Text {
		values, note = numbersOf(read, rows)
		return model.Column{Name: name, Unit: read.Unit}, values, note, nil
	}
	if !set {
		kind = model.Nominal
		if levels == nil {
			note = mixed(read)
		}
	}
	if levels == nil {
		levels = levelsOf(read, rows)
	}
	values, err = positions(read, rows, levels)
	return model.Column{Name: name, Kind: kind, Levels: slices.Clone(levels)}, values, note, err
}

// numbersOf returns the rows of a column of numbers, NaN where missing.
func numbersOf(read *infer.Column, rows []int) (values []float64, note string) {
	values = make([]float64, len(rows))
	for k, i := range rows {
		switch {
		case read.IsGap(i):
			values[k] = math.NaN()
		case read.Kind == infer.Int:
			v := read.Ints[i]
			values[k] = float64(v)
			if note == "" && (v > 1<<53 || v < -1<<53) && strconv.FormatFloat(values[k], 'f', 0, 64) != strconv.FormatInt(v, 10) {
				note = fmt.Sprintf("the column %q has integers such as %d, which float64 cannot hold exactly: set its Kinds to ml.Nominal, or Drop it if it only identifies the rows", read.Name, v)
			}
		default:
			values[k] = read.Floats[i]
		}
	}
	return values, note
}

// mixed returns a note if a column of names also has numbers.
func mixed(read *infer.Column) string {
	count := 0
	first := ""
	for _, word := range read.Words {
		if _, ok := number(word); ok {
			count++
		} else if first == "" {
			first = word
		}
	}
	switch {
	case count == 0:
		return ""
	case first == "":
		return fmt.Sprintf("the column %q has numbers that may be codes, such as %q: read as nominal; set Kinds to ml.Numeric if they are numbers", read.Name, read.Words[0])
	}
	k := int32(slices.Index(read.Words, first))
	return fmt.Sprintf("the column %q has numbers and names (row %d: %q): read as nominal", read.Name, slices.Index(read.Codes, k)+1, first)
}

// levelsOf returns the words that occur in the rows, sorted.
func levelsOf(read *infer.Column, rows []int) []string {
	there := make([]bool, len(read.Words))
	for _, i := range rows {
		if k := read.Codes[i]; k >= 0 {
			there[k] = true
		}
	}
	var levels []string
	for k, word := range read.Words {
		if there[k] {
			levels = append(levels, word)
		}
	}
	slices.SortFunc(levels, byNumber)
	return levels
}

// positions returns the position of each word among the levels.
func positions(read *infer.Column, rows []int, levels []string) ([]float64, error) {
	position := make(map[string]int, len(levels))
	for l, level := range levels {
		if _, again := position[level]; again {
			return nil, model.Errorf("CSV", "the levels of column %q must be distinct, got %q twice", read.Name, level)
		}
		position[level] = l
	}
	values := make([]float64, len(rows))
	for n, i := range rows {
		values[n] = math.NaN()
		k := read.Codes[i]
		if k < 0 {
			continue
		}
		l, ok := position[read.Words[k]]
		if !ok {
			return nil, model.Errorf("CSV", "column %[3]q must have only its levels, got %[2]q in row %[1]d", i+1, read.Words[k], read.Name).WithHint("add it to Levels, or use one of %s", quoted(levels))
		}
		values[n] = float64(l)
	}
	return values, nil
}

// byNumber sorts numbers by value, and before all other strings, so that "10" comes after "9".
func byNumber(a, b string) int {
	x, numberA := number(a)
	y, numberB := number(b)
	switch {
	case numberA != numberB:
		if numberA {
			return -1
		}
		return 1
	case numberA && x < y:
		return -1
	case numberA && x > y:
		return 1
	}
	return strings.Compare(a, b)
}

// number reads a finite number.
func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// WriteCSV writes the data set with a header, the target last; [ReadCSV] reads it
// back.
func (d *Dataset) WriteCSV(w io.Writer) error {
	out := stdcsv.NewWriter(w)
	labelled := d.Y != nil || d.Target != nil
	head := d.FeatureNames()
	if labelled {
		head = append(head, d.X.Target.Name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range d.Len() {
		row := make([]string, 0, len(head))
		for j, c := range d.X.Columns {
			row = append(row, exact(d.X.At(i, j), c))
		}
		if d.Y != nil {
			row = append(row, exact(float64(d.Y[i]), d.X.Target))
		} else if d.Target != nil {
			row = append(row, exact(d.Target[i], d.X.Target))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// exact is like cell, with all digits.
func exact(v float64, c model.Column) string {
	if c.Kind == model.Numeric && !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return cell(v, c)
}
