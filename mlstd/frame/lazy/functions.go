package lazy

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Apply returns a function of a column: the result of the method of that name. Categories become
// strings.
func Apply(name string, c *frame.Column, args []any) *frame.Column {
	list := make([]reflect.Value, len(args))
	for i, a := range args {
		list[i] = reflect.ValueOf(a)
		if a == nil {
			list[i] = reflect.ValueOf(&args[i]).Elem() // an any that is nil
		}
	}
	out := reflect.ValueOf(c).MethodByName(name).Call(list)[0].Interface().(*frame.Column)
	if out.Kind() == frame.CategoryKind {
		codes, words := out.Codes()
		out = frame.StringCodes(c.Name(), codes, words)
	}
	return out
}

// call returns a function of the column. It panics with the error of the same method of a frame's
// column if the kind of the column or an argument is wrong.
func (c *Column) call(name string, args ...any) *Column {
	out := Apply(name, Field{Name: c.name, Kind: c.kind}.empty(), args)
	utc := out.Kind() == frame.TimeKind && out.Zone().String() == "UTC"
	if name == "Floor" {
		utc = c.utc
	}
	return &Column{op: "call", name: name, value: args, args: []*Column{c}, kind: out.Kind(), utc: utc}
}

// Lower returns the strings in lower case.
func (c *Column) Lower() *Column { return c.call("Lower") }

// Upper returns the strings in upper case.
func (c *Column) Upper() *Column { return c.call("Upper") }

// Trim returns the strings without white space at their ends.
func (c *Column) Trim() *Column { return c.call("Trim") }

// Replace returns the strings with every occurrence of old replaced.
func (c *Column) Replace(old, with string) *Column { return c.call("Replace", old, with) }

// ReplaceMatch returns the strings with every match of a regular expression replaced; in the
// replacement, $1 stands for the first group.
func (c *Column) ReplaceMatch(pattern, with string) *Column {
	return c.call("ReplaceMatch", pattern, with)
}

// Contains returns the mask of the strings that contain part.
func (c *Column) Contains(part string) *Column { return c.call("Contains", part) }

// HasPrefix returns the mask of the strings that begin with prefix.
func (c *Column) HasPrefix(prefix string) *Column { return c.call("HasPrefix", prefix) }

// HasSuffix returns the mask of the strings that end with suffix.
func (c *Column) HasSuffix(suffix string) *Column { return c.call("HasSuffix", suffix) }

// Matches returns the mask of the strings that contain a match of a regular expression.
func (c *Column) Matches(pattern string) *Column { return c.call("Matches", pattern) }

// Extract returns the match of a regular expression in each string, or the match of its group if it
// has one. The result is missing for strings without a match.
func (c *Column) Extract(pattern string) *Column { return c.call("Extract", pattern) }

// Split splits each string at sep and returns part i, counted from 0; -1 is the last part. The
// result is missing for strings with fewer parts.
func (c *Column) Split(sep string, i int) *Column { return c.call("Split", sep, i) }

// Letters returns the number of characters (not bytes) of each string.
func (c *Column) Letters() *Column { return c.call("Letters") }

// AsText returns the values as strings.
func (c *Column) AsText() *Column { return c.call("AsText") }

// ParseTime parses the strings as times in a layout of package time, such as "02.01.2006", in a
// time zone. A string that is not a time stops the run with an error.
func (c *Column) ParseTime(layout string, zone *time.Location) *Column {
	return c.call("ParseTime", layout, zone)
}

// Year returns the year of each time. Like all parts of times, it is that of the clock in the time
// zone of the column.
func (c *Column) Year() *Column { return c.call("Year") }

// Quarter returns the quarter of the year, 1 to 4.
func (c *Column) Quarter() *Column { return c.call("Quarter") }

// Month returns the month, 1 to 12.
func (c *Column) Month() *Column { return c.call("Month") }

// Week returns the week of the year by ISO 8601, 1 to 53.
func (c *Column) Week() *Column { return c.call("Week") }

// Day returns the day of the month, 1 to 31.
func (c *Column) Day() *Column { return c.call("Day") }

// YearDay returns the day of the year, 1 to 366.
func (c *Column) YearDay() *Column { return c.call("YearDay") }

// Hour returns the hour, 0 to 23.
func (c *Column) Hour() *Column { return c.call("Hour") }

// Minute returns the minute, 0 to 59.
func (c *Column) Minute() *Column { return c.call("Minute") }

// Second returns the second, 0 to 59.
func (c *Column) Second() *Column { return c.call("Second") }

// Weekday returns the English name of the day of the week, as a string.
func (c *Column) Weekday() *Column { return c.call("Weekday") }

// Floor returns, for each time, the start of the period that contains it, such as "15 minutes", "1
// day" or "1 month". See [frame.Column.Floor].
func (c *Column) Floor(every string) *Column { return c.call("Floor", every) }

// In returns the times in another time zone, a *time.Location or a name such as "Europe/Berlin".
func (c *Column) In(zone any) *Column { return c.call("In", zone) }

// Unix converts each time to the number of units since 1 January 1970 in UTC, rounded down.
func (c *Column) Unix(unit time.Duration) *Column { return c.call("Unix", unit) }

// FromUnix converts numbers of units since 1 January 1970 in UTC to times in UTC.
func (c *Column) FromUnix(unit time.Duration) *Column { return c.call("FromUnix", unit) }

// templates has the SQL of functions in the dialects in which they mean exactly the same for all
// strings and times. For example, lower cases of non-ASCII letters depend on the settings of a
// database. In a template, $x is the column, and $1 and $2 are strings. $n and $m are the numbers
// of characters and bytes of $1, and $b is its bytes. $w is the white space of Unicode, $u a unit
// of time, and $d the names of the days.
const templates = `Trim PostgreSQL btrim($x, $w)
Trim SQLite trim($x, $w)
Trim Spark trim(both $w from $x)
Trim Trino trim(both $w from $x)
Replace PostgreSQL replace($x, $1, $2)
Replace MySQL replace($x, $1, $2)
Replace SQLite replace($x, $1, $2)
Replace Spark replace($x, $1, $2)
Replace Trino replace($x, $1, $2)
Replace ClickHouse replaceAll($x, $1, $2)
Contains PostgreSQL (strpos($x, $1) > 0)
Contains MySQL (locate($1, $x) > 0)
Contains SQLite (instr($x, $1) > 0)
Contains Spark contains($x, $1)
Contains Trino (strpos($x, $1) > 0)
Contains ClickHouse (position($x, $1) > 0)
HasPrefix PostgreSQL (strpos($x, $1) = 1)
HasPrefix MySQL (locate($1, $x) = 1)
HasPrefix SQLite (instr($x, $1) = 1)
HasPrefix Spark startswith($x, $1)
HasPrefix Trino (strpos($x, $1) = 1)
HasPrefix ClickHouse startsWith($x, $1)
HasSuffix PostgreSQL (right($x, $n) = $1)
HasSuffix MySQL (right($x, $n) = $1 and char_length($x) >= $n)
HasSuffix SQLite case when length(cast($x as blob)) = 0 then false else substr(cast($x as blob), -$m) = $b end
HasSuffix Spark endswith($x, $1)
HasSuffix Trino (substr($x, -$n) = $1)
HasSuffix ClickHouse endsWith($x, $1)
Letters PostgreSQL char_length($x)
Letters MySQL char_length($x)
Letters Spark char_length($x)
Letters Trino length($x)
Letters ClickHouse lengthUTF8($x)
Year PostgreSQL $e year
Quarter PostgreSQL $e quarter
Month PostgreSQL $e month
Week PostgreSQL $e week
Day PostgreSQL $e day
YearDay PostgreSQL $e doy
Hour PostgreSQL $e hour
Minute PostgreSQL $e minute
Second PostgreSQL $e second
Weekday PostgreSQL case extract(isodow from $x) $d
Week MySQL week($x, 3)
YearDay MySQL dayofyear($x)
Weekday MySQL case weekday($x) + 1 $d
Week Spark weekofyear($x)
YearDay Spark dayofyear($x)
Weekday Spark case weekday($x) + 1 $d
YearDay Trino day_of_year($x)
Weekday Trino case day_of_week($x) $d
Year ClickHouse toYear($x, 'UTC')
Quarter ClickHouse toQuarter($x, 'UTC')
Month ClickHouse toMonth($x, 'UTC')
Week ClickHouse toISOWeek($x, 'UTC')
Day ClickHouse toDayOfMonth($x, 'UTC')
YearDay ClickHouse toDayOfYear($x, 'UTC')
Hour ClickHouse toHour($x, 'UTC')
Minute ClickHouse toMinute($x, 'UTC')
Second ClickHouse toSecond($x, 'UTC')
Weekday ClickHouse case toDayOfWeek($x, 0, 'UTC') $d
Floor PostgreSQL date_trunc('$u', $x)
Floor Trino date_trunc('$u', $x)
`

// blanks are the characters that [strings.TrimSpace] removes.
const blanks = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// days turns the number of a day of the week into its name.
const days = "when 1 then 'Monday' when 2 then 'Tuesday' when 3 then 'Wednesday' when 4 then 'Thursday' when 5 then 'Friday' when 6 then 'Saturday' when 7 then 'Sunday' end"

// call writes a function of x.
func (d *Dialect) call(c *Column, x string) (string, error) {
	name, of := c.name, c.args[0]
	a := []string{"", "", blanks}
	for i, v := range c.value.([]any) {
		a[i], _ = v.(string)
	}
	if name == "HasSuffix" && a[0] == "" {
		name = "Contains"
	}
	t := d.template(name)
	unit := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(a[0]), "1 "), "s")
	why := ""
	switch {
	case t == "" || name == "Replace" && a[0] == "" || name == "Floor" && strings.Contains(unit, " "):
		why = "%s has no function with exactly the meaning of %s"
	case of.kind == frame.TimeKind && !of.utc:
		why = "%s has times in UTC, which %s needs, only in a column without a time zone"
	}
	if why != "" {
		return "", model.Errorf("LazyFrame.SQL", why, d.Name, Call(c)).WithHint("call Collect first, and then %s of the frame's column", name)
	}
	if of.kind == frame.StringKind && (d == PostgreSQL || d == MySQL) {
		x = "(" + d.binary(x, frame.StringKind) + ")"
	}
	n, m, bytes := strconv.Itoa(utf8.RuneCountInString(a[0])), strconv.Itoa(len(a[0])), hex.EncodeToString([]byte(a[0]))
	for i := range a {
		var err error
		if a[i], err = d.text(a[i]); err != nil {
			return "", err
		}
	}
	return strings.NewReplacer("$x", x, "$u", unit, "$n", n, "$m", m, "$b", "x'"+bytes+"'", "$1", a[0], "$2", a[1], "$w", a[2], "$d", days).Replace(t), nil
}

// template returns the template of a function, or "" if the dialect has none.
func (d *Dialect) template(name string) string {
	_, t, _ := strings.Cut("\n"+templates, "\n"+name+" "+d.Name+" ")
	t, _, _ = strings.Cut(t, "\n")
	if part, ok := strings.CutPrefix(t, "$e "); ok {
		return "cast(floor(extract(" + part + " from $x)) as bigint)"
	}
	if t == "" && (d == MySQL || d == Spark || d == Trino) && strings.Contains(" Year Quarter Month Week Day Hour Minute Second ", " "+name+" ") {
		return strings.ToLower(name) + "($x)"
	}
	return t
}

// Call returns a call of a function as it is written in a cell, for a column whose Op is call.
func Call(c *Column) string {
	var args []string
	for _, a := range c.value.([]any) {
		if s, ok := a.(string); ok {
			a = strconv.Quote(s)
		}
		args = append(args, fmt.Sprint(a))
	}
	return c.name + "(" + strings.Join(args, ", ") + ")"
}
