package data

import (
	"encoding/csv"
	"errors"
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
	// fields all are numbers is numeric, any other nominal.
	Kinds map[string]model.Kind
	// Levels sets the levels of ordinal and nominal columns by name, ascending.
	// Without it they are the fields that occur, sorted.
	Levels map[string][]string
	// Drop names columns that are left out, such as identity numbers.
	Drop []string
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
// name the line. A nominal target gives Y, a numeric one Target; a missing target
// is an error.
func (c *CSV) Read(r io.Reader) (*Dataset, error) {
	const op = "CSV"
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	in.Comma, err = c.comma(string(text))
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
	return c.build(names, records)
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
	var columns [][]float64
	for j, name := range names {
		if slices.Contains(c.Drop, name) {
			continue
		}
		column, values, err := c.column(name, j, records)
		if err != nil {
			return nil, err
		}
		if j != target {
			d.X.Columns = append(d.X.Columns, column)
			columns = append(columns, values)
			continue
		}
		d.X.Target = column
		if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
			return nil, model.Errorf(op, "row %d has no value in the target column %q", i+1, name).
				WithHint("drop the row, or name another column as Target")
		}
		if column.Kind == model.Numeric {
			d.Target = values
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

// column finds out the kind of one column and reads its values.
func (c *CSV) column(name string, j int, records [][]string) (model.Column, []float64, error) {
	const op = "CSV"
	missing := c.Missing
	if missing == nil {
		missing = missingFields
	}
	fields := make([]string, len(records))
	known := make([]bool, len(records))
	values := make([]float64, len(records))
	numbers, some := true, false
	for i, r := range records {
		fields[i] = strings.TrimSpace(r[j])
		known[i] = !slices.Contains(missing, fields[i])
		values[i] = math.NaN()
		if !known[i] {
			continue
		}
		some = true
		if v, ok := number(fields[i]); ok {
			values[i] = v
		} else {
			numbers = false
		}
	}
	kind, set := c.Kinds[name]
	levels := c.Levels[name]
	if !set && (levels != nil || (some && !numbers)) {
		kind = model.Nominal
	}
	switch kind {
	case model.Numeric:
		if levels != nil {
			return model.Column{}, nil, model.Errorf(op, "the numeric column %q has Levels", name)
		}
		if !numbers {
			for i := range fields {
				if known[i] && math.IsNaN(values[i]) {
					return model.Column{}, nil, model.Errorf(op, "row %d has %q in the numeric column %q", i+1, fields[i], name).
						WithHint("add it to Missing, or make the column Nominal")
				}
			}
		}
		return model.Column{Name: name}, values, nil
	case model.Nominal, model.Ordinal:
	default:
		return model.Column{}, nil, model.Errorf(op, "there is no kind %d for the column %q", kind, name)
	}
	if levels == nil {
		for i, f := range fields {
			if known[i] {
				levels = append(levels, f)
			}
		}
		slices.SortFunc(levels, byNumber)
		levels = slices.Compact(levels)
	}
	position := make(map[string]int, len(levels))
	for l, level := range levels {
		if _, again := position[level]; again {
			return model.Column{}, nil, model.Errorf(op, "the column %q has the level %q twice", name, level)
		}
		position[level] = l
	}
	for i, f := range fields {
		values[i] = math.NaN()
		if !known[i] {
			continue
		}
		l, ok := position[f]
		if !ok {
			return model.Column{}, nil, model.Errorf(op, "row %d has %q in the column %q", i+1, f, name).
				WithHint("its levels are %s", quoted(levels))
		}
		values[i] = float64(l)
	}
	return model.Column{Name: name, Kind: kind, Levels: slices.Clone(levels)}, values, nil
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
