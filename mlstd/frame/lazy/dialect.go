package lazy

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Dialect is a dialect of SQL.
type Dialect struct {
	Name     string
	mark     string // around quoted names
	double   string // the type of floats
	long     string // the type of integers, for casts
	infinity string // "" if there is none
}

// The dialects.
var (
	PostgreSQL = &Dialect{Name: "PostgreSQL", mark: `"`, double: "double precision", long: "bigint", infinity: "'Infinity'::double precision"}
	MySQL      = &Dialect{Name: "MySQL", mark: "`", double: "double", long: "signed"}
	SQLite     = &Dialect{Name: "SQLite", mark: `"`, double: "real", long: "integer", infinity: "9e999"}
	Spark      = &Dialect{Name: "Spark", mark: "`", double: "double", long: "bigint", infinity: "double('Infinity')"}
	Trino      = &Dialect{Name: "Trino", mark: `"`, double: "double", long: "bigint", infinity: "infinity()"}
	ClickHouse = &Dialect{Name: "ClickHouse", mark: "`", double: "Nullable(Float64)", long: "Nullable(Int64)", infinity: "inf"}
)

// DialectOf returns the dialect of a name, or nil.
func DialectOf(name string) *Dialect {
	if name == "MariaDB" {
		return MySQL
	}
	for _, d := range []*Dialect{PostgreSQL, MySQL, SQLite, Spark, Trino, ClickHouse} {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Quote returns a name in quotation marks.
func (d *Dialect) Quote(name string) string {
	name = strings.ReplaceAll(name, d.mark, d.mark+d.mark)
	if d == ClickHouse { // which has escapes in names
		name = strings.ReplaceAll(name, `\`, `\\`)
	}
	return d.mark + name + d.mark
}

// text writes a string. Strings with characters that settings of the server give a meaning are
// written in hexadecimal.
func (d *Dialect) text(s string) (string, error) {
	switch {
	case strings.ContainsRune(s, 0) && d == PostgreSQL:
		return "", model.Errorf("LazyFrame.SQL", "PostgreSQL stores no strings with a zero byte, got %q", s)
	case d == MySQL && strings.ContainsAny(s, "\\\x00"):
		return "convert(x'" + hex.EncodeToString([]byte(s)) + "' using utf8mb4)", nil
	case d == Spark && strings.ContainsAny(s, "\\'\x00"):
		return "decode(unhex('" + hex.EncodeToString([]byte(s)) + "'), 'UTF-8')", nil
	case d == ClickHouse && strings.ContainsAny(s, "\\'\x00"):
		return "unhex('" + hex.EncodeToString([]byte(s)) + "')", nil
	case d == SQLite && strings.ContainsRune(s, 0):
		return "cast(x'" + hex.EncodeToString([]byte(s)) + "' as text)", nil
	case d == PostgreSQL && strings.Contains(s, `\`):
		return "E'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) + "'", nil
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", nil
}

// float writes a floating-point number.
func (d *Dialect) float(x float64) (string, error) {
	switch {
	case math.IsNaN(x):
		return "cast(null as " + d.double + ")", nil
	case math.IsInf(x, 0) && d.infinity == "":
		return "", model.Errorf("LazyFrame.SQL", "%s has no infinite numbers, got %v", d.Name, x)
	case math.IsInf(x, 1):
		return d.infinity, nil
	case math.IsInf(x, -1):
		return "(-" + d.infinity + ")", nil
	}
	s := strconv.FormatFloat(x, 'e', -1, 64)
	switch d {
	case PostgreSQL:
		return "'" + s + "'::double precision", nil
	case Spark:
		s += "D"
	}
	if x < 0 {
		s = "(" + s + ")"
	}
	return s, nil
}

// time writes a time that is compared with a column. A utc column has no time zone.
func (d *Dialect) time(t time.Time, utc bool) string {
	t = t.UTC()
	layout := "2006-01-02 15:04:05.999999"
	if t.Equal(t.Truncate(24*time.Hour)) && d != Spark && d != Trino && d != ClickHouse {
		layout = time.DateOnly
	}
	s := t.Format(layout)
	switch d {
	case PostgreSQL:
		if !utc {
			s = t.Format("2006-01-02 15:04:05.999999Z07:00")
		}
		return "'" + s + "'"
	case Spark:
		if utc {
			return "timestamp_ntz'" + s + "'"
		}
		return "timestamp'" + s + "Z'"
	case Trino:
		if utc {
			return "timestamp '" + s + "'"
		}
		return "timestamp '" + s + " UTC'"
	case ClickHouse:
		return "toDateTime64('" + s + "', 6, 'UTC')"
	}
	return "'" + s + "'"
}

// literal writes a value.
func (d *Dialect) literal(c *Column, utc bool) (string, error) {
	switch v := c.value.(type) {
	case int64:
		switch {
		case v == math.MinInt64 && d == MySQL:
			return "cast(-9223372036854775808 as signed)", nil
		case v == math.MinInt64:
			return "(-9223372036854775807 - 1)", nil
		case v < 0:
			return "(" + strconv.FormatInt(v, 10) + ")", nil
		}
		return strconv.FormatInt(v, 10), nil
	case float64:
		return d.float(v)
	case string:
		return d.text(v)
	case bool:
		return strconv.FormatBool(v), nil
	case time.Time:
		return d.time(v, utc), nil
	}
	return "null", nil
}

// asFloat converts an expression to a float.
func (d *Dialect) asFloat(text string, kind frame.Kind) string {
	switch {
	case kind == frame.BoolKind:
		return "case when " + text + " then " + one(d) + " when not (" + text + ") then " + zero(d) + " end"
	case d == MySQL:
		return "(" + text + " + 0e0)"
	}
	return "cast(" + text + " as " + d.double + ")"
}

func one(d *Dialect) string  { s, _ := d.float(1); return s } // finite
func zero(d *Dialect) string { s, _ := d.float(0); return s } // finite

// binary makes strings compare by their bytes.
func (d *Dialect) binary(text string, kind frame.Kind) string {
	if kind != frame.StringKind {
		return text
	}
	switch d {
	case PostgreSQL:
		return text + ` collate "C"`
	case MySQL:
		return "convert(" + text + " using utf8mb4) collate utf8mb4_bin"
	}
	return text
}

// expr writes an expression. Columns are written by name.
func (d *Dialect) expr(c *Column, name func(string) string) (string, error) {
	if c.op == "column" {
		return name(c.name), nil
	}
	if c.op == "literal" {
		return d.literal(c, true)
	}
	if text, known, err := d.choice(c, name); known {
		return text, err
	}
	a := make([]string, len(c.args))
	for i, x := range c.args {
		var err error
		if x.op == "literal" && len(c.args) == 2 {
			a[i], err = d.literal(x, c.args[1-i].utc)
		} else {
			a[i], err = d.expr(x, name)
		}
		if err != nil {
			return "", err
		}
	}
	kind := func(i int) frame.Kind { return c.args[i].kind }
	switch c.op {
	case "concat":
		if d == MySQL || d == Spark || d == ClickHouse {
			return "concat(" + a[0] + ", " + a[1] + ")", nil
		}
		return "(" + a[0] + " || " + a[1] + ")", nil
	case "/":
		return d.over(a, c.args), nil
	case "%":
		if d == Trino || d == ClickHouse {
			return "mod(" + a[0] + ", nullif(" + a[1] + ", 0))", nil
		}
		return "(" + a[0] + " % nullif(" + a[1] + ", 0))", nil
	case "+", "-", "*":
		if c.kind == frame.FloatKind { // decimals too become floats
			a[0], a[1] = d.number(a[0], c.args[0]), d.number(a[1], c.args[1])
		}
		return "(" + a[0] + " " + c.op + " " + a[1] + ")", nil
	case "=", "<>", "<", "<=", ">", ">=":
		if d == MySQL || d == PostgreSQL && c.op != "=" && c.op != "<>" {
			a[0] = d.binary(a[0], kind(0))
		}
		return "(" + a[0] + " " + c.op + " " + a[1] + ")", nil
	case "and", "or":
		return "(" + a[0] + " " + c.op + " " + a[1] + ")", nil
	case "not":
		return "(not " + a[0] + ")", nil
	case "isna":
		return "(" + a[0] + " is null)", nil
	case "fill":
		return "coalesce(" + a[0] + ", " + a[1] + ")", nil
	case "float":
		return d.asFloat(a[0], kind(0)), nil
	case "call":
		return d.call(c, a[0])
	}
	return "", model.Errorf("LazyFrame.SQL", "%s has no operation %q", d.Name, c.op)
}

// over writes a division of floats, in which a number divided by 0 is infinite.
func (d *Dialect) over(a []string, args []*Column) string {
	x, y := d.number(a[0], args[0]), d.number(a[1], args[1])
	if v := args[1].value; v != nil && v != int64(0) && v != 0.0 {
		return "(" + x + " / " + y + ")"
	}
	if d.infinity == "" {
		return "(" + x + " / nullif(" + y + ", 0))"
	}
	return fmt.Sprintf("case when %s <> 0 then %s / %s when %s = 0 and %s > 0 then %s when %s = 0 and %s < 0 then -%s end", y, x, y, y, x, d.infinity, y, x, d.infinity)
}
