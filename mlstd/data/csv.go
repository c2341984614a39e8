package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CSV says how a table of comma-separated values is read. The zero value reads
// commas, a header line, and finds out the rest.
type CSV struct {
	// Comma separates the fields; 0 means ',' unless the first line has tabs or
	// semicolons and no comma.
	Comma rune
	// NoHeader says that the first line is data; columns are called x0, x1 ...
	NoHeader bool
	// Target names the column to be predicted; "" means the last, "-" none.
	Target string
	// Missing are the fields that stand for a missing value; nil means "", "?",
	// "NA", "N/A", "NaN", "nan", "null".
	Missing []string
	// Kinds sets the kind of columns by name. Without it a column whose known
	// fields all are numbers is numeric; one with other fields among many numbers
	// is an error, since those may be slips; any other is nominal.
	Kinds map[string]model.Kind
	// Levels sets the levels of ordinal and nominal columns by name, ascending.
	// Without it they are the fields that occur, sorted.
	Levels map[string][]string
	// Drop names columns that are left out, such as identity numbers.
	Drop []string
	// DropMissing leaves out rows without a target, which are an error otherwise.
	DropMissing bool
}

// LoadCSV reads a data set from a file with a header and the target in the last
// column; the data set is called after the file. Use [CSV.Load] for anything
// else.
func LoadCSV(path string) (*Dataset, error) { return (&CSV{}).Load(path) }

// ReadCSV reads a data set with a header and the target in the last column.
func ReadCSV(r io.Reader) (*Dataset, error) { return (&CSV{}).Read(r) }

// Load reads a data set from a file and calls it after the file.
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

// Read reads a data set. Every line must have as many fields as the first; errors
// name the line. A nominal target gives Y, a numeric one Target, of which
// [Dataset.AsClasses] makes classes; a missing target is an error unless
// DropMissing is set. Text that is not UTF-8 is read as UTF-16 if it begins with its
// mark, and as Windows-1252 otherwise. The Notes of the data set say what was
// decided.
func (c *CSV) Read(r io.Reader) (*Dataset, error) {
	const op = "CSV"
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	decoded, notes := decode(text)
	in := csv.NewReader(strings.NewReader(decoded))
	in.Comma, err = c.comma(decoded)
	if err != nil {
		return nil, err
	}
	// Space before a quoted field goes; where space itself separates the fields, an
	// empty field is a missing value.
	in.TrimLeadingSpace = !unicode.IsSpace(in.Comma)
	records, err := in.ReadAll()
	if err != nil {
		var p *csv.ParseError
		if errors.As(err, &p) {
			return nil, model.Errorf(op, "line %d: %v", p.Line, p.Err).
				WithHint("every line must have the same number of fields; is %q the separator?", in.Comma)
		}
		return nil, err
	}
	if len(records) == 0 {
		return nil, model.Errorf(op, "there are no lines")
	}
	names := make([]string, len(records[0]))
	for j := range names {
		names[j] = "x" + strconv.Itoa(j)
		if !c.NoHeader {
			names[j] = strings.TrimSpace(records[0][j])
		}
	}
	if !c.NoHeader {
		records = records[1:]
	}
	if len(records) == 0 {
		return nil, model.Errorf(op, "there are no lines after the header").WithHint("set NoHeader if the first line is data")
	}
	for j, name := range names {
		if slices.Index(names, name) < j {
			return nil, model.Errorf(op, "two columns are called %q", name)
		}
	}
	for _, name := range c.named() {
		if !slices.Contains(names, name) {
			return nil, model.Errorf(op, "there is no column %q", name).WithHint("there are %s", quoted(names))
		}
	}
	d, err := c.build(names, records)
	if err != nil {
		return nil, err
	}
	d.Notes = append(notes, d.Notes...)
	return d, nil
}

// named gives all the column names that the options mention.
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

func (c *CSV) comma(text string) (rune, error) {
	if c.Comma != 0 {
		if c.Comma == '"' || c.Comma == '\r' || c.Comma == '\n' || c.Comma == 0xFFFD || c.Comma > 0x10FFFF || c.Comma < 0 {
			return 0, model.Errorf("CSV", "%q cannot separate fields", c.Comma)
		}
		return c.Comma, nil
	}
	line, _, _ := strings.Cut(text, "\n")
	for _, s := range []rune{',', '\t', ';'} {
		if strings.ContainsRune(line, s) {
			return s, nil
		}
	}
	return ',', nil
}

func (c *CSV) build(names []string, records [][]string) (*Dataset, error) {
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
		return nil, model.Errorf(op, "the target %q is dropped", names[target])
	}
	d := &Dataset{Name: "CSV", X: &model.Table{}}
	if target >= 0 && c.DropMissing {
		all := len(records)
		records = slices.DeleteFunc(slices.Clone(records), func(r []string) bool { return c.missing(strings.TrimSpace(r[target])) })
		if len(records) == 0 {
			return nil, model.Errorf(op, "no row has a value in the target column %q", names[target])
		}
		if left := all - len(records); left > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("%d of %d rows have no value in the target column %q and were left out", left, all, names[target]))
		}
	}
	var columns [][]float64
	for j, name := range names {
		if slices.Contains(c.Drop, name) {
			continue
		}
		column, values, note, err := c.column(name, j, records)
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
			return nil, model.Errorf(op, "row %d has no value in the target column %q", i+1, name).
				WithHint("set DropMissing to leave out such rows, or name another column as Target")
		}
		if column.Kind == model.Numeric {
			d.Target = values
			if isBinary(values) {
				d.Notes = append(d.Notes, fmt.Sprintf("the target %q is 0 or 1, read as numbers: AsClasses makes two classes of it", name))
			}
			continue
		}
		for _, v := range values {
			d.Y = append(d.Y, int(v))
		}
	}
	if len(columns) == 0 {
		return nil, model.Errorf(op, "there is no column besides the target").WithHint(`set Target to "-" if nothing is predicted`)
	}
	d.X.Dense = mat.NewDense(len(records), len(columns), nil)
	for j, values := range columns {
		d.X.SetCol(j, values)
	}
	return d, nil
}

var missingFields = []string{"", "?", "NA", "N/A", "NaN", "nan", "null"}

// missing reports whether a field stands for a missing value.
func (c *CSV) missing(field string) bool {
	if c.Missing == nil {
		return slices.Contains(missingFields, field)
	}
	return slices.Contains(c.Missing, field)
}

// isBinary reports whether all values are 0 or 1.
func isBinary(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != 0 && v != 1 })
}

// fields are the fields of one column: which are known, and what they are as numbers.
type fields struct {
	text    []string
	known   []bool
	values  []float64 // NaN where the field is no number
	numbers int
	odd     int // known fields that are no numbers
	firstAt int // the row of the first of those
	inexact string
}

func (c *CSV) fields(j int, records [][]string) *fields {
	f := &fields{text: make([]string, len(records)), known: make([]bool, len(records)), values: make([]float64, len(records))}
	for i, r := range records {
		f.text[i] = strings.TrimSpace(r[j])
		f.known[i] = !c.missing(f.text[i])
		f.values[i] = math.NaN()
		if !f.known[i] {
			continue
		}
		v, ok := number(f.text[i])
		switch {
		case ok:
			f.values[i] = v
			f.numbers++
			if f.inexact == "" && !exactInteger(f.text[i], v) {
				f.inexact = f.text[i]
			}
		case f.odd == 0:
			f.firstAt = i
			fallthrough
		default:
			f.odd++
		}
	}
	return f
}

// exactInteger reports whether v is what text says, if text is a whole number.
func exactInteger(text string, v float64) bool {
	if math.Abs(v) < 1<<53 {
		return true
	}
	digits := strings.TrimLeft(strings.TrimPrefix(text, "+"), "0")
	if strings.Trim(strings.TrimPrefix(digits, "-"), "0123456789") != "" {
		return true // not a whole number in digits
	}
	return strconv.FormatFloat(v, 'f', 0, 64) == digits
}

// slips are fields that are no numbers among so many numbers that they may be slips
// of the pen: at most one in five, and at least ten numbers.
func (f *fields) slips() bool { return f.odd > 0 && f.numbers >= 10 && 4*f.odd <= f.numbers }

// column finds out the kind of one column and reads its values. note says what had
// to be decided.
func (c *CSV) column(name string, j int, records [][]string) (column model.Column, values []float64, note string, err error) {
	const op = "CSV"
	f := c.fields(j, records)
	kind, set := c.Kinds[name]
	levels := c.Levels[name]
	if !set && levels == nil && f.slips() {
		return column, nil, "", model.Errorf(op, "row %d has %q in the column %q, which has %d numbers%s", f.firstAt+1, f.text[f.firstAt], name, f.numbers, f.others()).
			WithHint("mend it, add it to Missing, or set Kinds to ml.Nominal for the column if all of them are names")
	}
	if !set && (levels != nil || f.odd > 0) {
		kind = model.Nominal
		if levels == nil && f.numbers > 0 {
			note = fmt.Sprintf("the column %q has numbers and names (row %d: %q): read as nominal", name, f.firstAt+1, f.text[f.firstAt])
		}
	}
	switch kind {
	case model.Numeric:
		if levels != nil {
			return column, nil, "", model.Errorf(op, "the numeric column %q has Levels", name)
		}
		if f.odd > 0 {
			return column, nil, "", model.Errorf(op, "row %d has %q in the numeric column %q", f.firstAt+1, f.text[f.firstAt], name).
				WithHint("add it to Missing, or make the column Nominal")
		}
		if f.inexact != "" {
			note = fmt.Sprintf("the column %q has whole numbers such as %s, which are too large to be kept exactly: make it Nominal, or Drop it if it only names the rows", name, f.inexact)
		}
		return model.Column{Name: name}, f.values, note, nil
	case model.Nominal, model.Ordinal:
	default:
		return column, nil, "", model.Errorf(op, "there is no kind %d for the column %q", kind, name)
	}
	if levels == nil {
		levels = f.levels()
	}
	values, err = f.positions(name, levels)
	return model.Column{Name: name, Kind: kind, Levels: slices.Clone(levels)}, values, note, err
}

// others says how many odd fields there are besides the first.
func (f *fields) others() string {
	if f.odd == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more such fields", f.odd-1)
}

// levels gives the fields that occur, sorted.
func (f *fields) levels() []string {
	var levels []string
	for i, t := range f.text {
		if f.known[i] {
			levels = append(levels, t)
		}
	}
	slices.SortFunc(levels, byNumber)
	return slices.Compact(levels)
}

// positions gives the position of each field among the levels.
func (f *fields) positions(name string, levels []string) ([]float64, error) {
	position := make(map[string]int, len(levels))
	for l, level := range levels {
		if _, again := position[level]; again {
			return nil, model.Errorf("CSV", "the column %q has the level %q twice", name, level)
		}
		position[level] = l
	}
	values := make([]float64, len(f.text))
	for i, t := range f.text {
		values[i] = math.NaN()
		if !f.known[i] {
			continue
		}
		l, ok := position[t]
		if !ok {
			return nil, model.Errorf("CSV", "row %d has %q in the column %q", i+1, t, name).
				WithHint("its levels are %s", quoted(levels))
		}
		values[i] = float64(l)
	}
	return values, nil
}

// byNumber sorts numbers by value and before all other texts, so that "10" comes
// after "9".
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
	out := csv.NewWriter(w)
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

// exact is cell with all digits.
func exact(v float64, c model.Column) string {
	if c.Kind == model.Numeric && !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return cell(v, c)
}
