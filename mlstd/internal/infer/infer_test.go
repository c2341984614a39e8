package infer

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// verdict returns the verdict on texts that are separated by bars.
func verdict(texts string, c *Context) (Verdict, *Column) {
	x := Coded(strings.Split(texts, "|"), nil)
	m := NewMissing(nil)
	t, _ := x.Tally(m)
	v := t.Verdict(c)
	return v, x.Column("x", &v.Recipe, m)
}

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		texts string
		ctx   Context
		kind  Kind
		unit  string
		want  []float64
	}{
		{"1|2|-3", Context{}, Int, "", []float64{1, 2, -3}},
		{"1|NA|3", Context{}, Int, "", []float64{1, nan, 3}},
		{"1|2.5|-3e2", Context{}, Float, "", []float64{1, 2.5, -300}},
		{"1,5|2,25", Context{}, Float, "", []float64{1.5, 2.25}},
		{"1.234,5|17", Context{}, Float, "", []float64{1234.5, 17}},
		{"1,234.5|1,234,567", Context{}, Float, "", []float64{1234.5, 1234567}},
		{"1,234|5,678", Context{Commas: true}, Int, "", []float64{1234, 5678}},
		{"1,234|5,678", Context{Semicolons: true}, Float, "", []float64{1.234, 5.678}},
		{"1.234|5.678", Context{Decimal: ','}, Int, "", []float64{1234, 5678}},
		{"1.234|5.678", Context{}, Float, "", []float64{1.234, 5.678}},
		{"1'234.50|0.5", Context{}, Float, "", []float64{1234.5, 0.5}},
		{"1\u202f234,50|7", Context{}, Float, "", []float64{1234.5, 7}},
		{"12.5%|3%", Context{}, Float, "%", []float64{12.5, 3}},
		{"12,50 €|-3,00 €", Context{}, Float, "€", []float64{12.5, -3}},
		{"$1,200.00|($15.50)", Context{}, Float, "$", []float64{1200, -15.5}},
		{"inf|-Infinity|1.5", Context{}, Float, "", []float64{math.Inf(1), math.Inf(-1), 1.5}},
		{"9223372036854775807|-9223372036854775808", Context{}, Int, "", []float64{math.MaxInt64, math.MinInt64}},
	} {
		v, col := verdict(c.texts, &c.ctx)
		if v.Kind != c.kind || col.Unit != c.unit {
			t.Errorf("%q: %v with the unit %q", c.texts, v.Kind, col.Unit)
			continue
		}
		for i, want := range c.want {
			got := nan
			if !col.IsGap(i) {
				if c.kind == Int {
					got = float64(col.Ints[i])
				} else {
					got = col.Floats[i]
				}
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%q: value %d is %v, want %v", c.texts, i, got, want)
			}
		}
	}
}

func TestText(t *testing.T) {
	for texts, note := range map[string]string{
		"a|b|1":                        "",
		"007|012":                      "leading zeros",
		"18446744073709551616|1":       "too large for int64",
		"1,234|5,678":                  "decimal signs or thousands separators",
		"3%|4":                         "and 1 without",
		"3 €|4 $":                      "numbers in",
		"03/04/2024|05/06/2024":        "day and month are ambiguous",
		"2024-01-01|2024-01-01T00:00Z": "with a time zone",
		"1_000|2":                      "",
		"0x10|2":                       "",
		"12.34.5|1":                    "",
		"1,23,456|1":                   "",
		"2024-02-30|2024-01-01":        "",
	} {
		v, _ := verdict(texts, &Context{})
		if all := strings.Join(v.Notes, "; "); v.Kind != Text || !strings.Contains(all, note) || note == "" && all != "" {
			t.Errorf("%q: %v, %q", texts, v.Kind, all)
		}
	}
}

func TestSlip(t *testing.T) {
	v, _ := verdict(strings.Repeat("1|2|3|", 5)+"x|4", &Context{})
	if v.Kind != Text || v.Odd != "x" || v.OddRow != 15 || v.OddCount != 1 || v.Others != 16 || v.OddKind != Int {
		t.Errorf("%+v", v)
	}
}

func TestTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		texts string
		ctx   Context
		want  string // of the first, in RFC 3339
	}{
		{"2024-01-31|2024-12-01", Context{}, "2024-01-31T00:00:00Z"},
		{"2024-01-31 23:59:59.123456789", Context{}, "2024-01-31T23:59:59.123456789Z"},
		{"2024/1/5 7:05", Context{}, "2024-01-05T07:05:00Z"},
		{"20240131T235959", Context{}, "2024-01-31T23:59:59Z"},
		{"2024-01-31T12:00:00+05:30", Context{}, "2024-01-31T12:00:00+05:30"},
		{"2024-01-31T12:00:00+01:00|2024-07-31T12:00:00+02:00", Context{}, "2024-01-31T11:00:00Z"},
		{"2024-01-31T12:00:00+01:00|2024-07-31T12:00:00+02:00", Context{Zone: berlin}, "2024-01-31T12:00:00+01:00"},
		{"2024-07-31 12:00", Context{Zone: berlin}, "2024-07-31T12:00:00+02:00"},
		{"2024-07-31 12:00|2024-07-31T12:00:00Z", Context{Zone: berlin, Placed: true}, "2024-07-31T12:00:00+02:00"},
		{"2024-07-31T12:00:00-05:00|31.7.2024 12:00", Context{Zone: berlin, Placed: true}, "2024-07-31T19:00:00+02:00"},
		{"31.01.2024|1.2.2024", Context{}, "2024-01-31T00:00:00Z"},
		{"31.01.24", Context{}, "2024-01-31T00:00:00Z"},
		{"01.02.69 10:00", Context{}, "1969-02-01T10:00:00Z"},
		{"01/31/2024|02/03/2024", Context{}, "2024-01-31T00:00:00Z"},
		{"31/01/2024|02/03/2024", Context{}, "2024-01-31T00:00:00Z"},
		{"02/03/2024", Context{Ordered: true, Order: MonthFirst}, "2024-02-03T00:00:00Z"},
		{"02/03/2024", Context{Ordered: true, Order: DayFirst}, "2024-03-02T00:00:00Z"},
		{"1/31/2024 1:05:09 PM|1/31/2024 12:00 AM", Context{}, "2024-01-31T13:05:09Z"},
		{"31 Jan 2024|2 Okt 2024", Context{}, "2024-01-31T00:00:00Z"},
		{"Jan 31, 2024", Context{}, "2024-01-31T00:00:00Z"},
		{"31-JAN-24", Context{}, "2024-01-31T00:00:00Z"},
		{"Wed, 31 Jan 2024 10:00:00 GMT", Context{}, "2024-01-31T10:00:00Z"},
		{"10/Oct/2000:13:55:36 -0700", Context{}, "2000-10-10T13:55:36-07:00"},
		{"5. März 2024", Context{}, "2024-03-05T00:00:00Z"},
	} {
		v, col := verdict(c.texts, &c.ctx)
		if v.Kind != Time {
			t.Errorf("%q: %v %q", c.texts, v.Kind, v.Notes)
			continue
		}
		if got := time.Unix(0, col.Ints[0]).In(col.Zone).Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%q: %s, want %s", c.texts, got, c.want)
		}
	}
}

// Each day of a range is read as time.Parse reads it.
func TestDays(t *testing.T) {
	r := Recipe{Kind: Time, Zone: time.UTC}
	for day := time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2262; day = day.AddDate(0, 0, 13) {
		got, _, ok := r.Time([]byte(day.Format(time.DateTime)))
		if !ok || got != day.UnixNano() {
			t.Fatalf("%v: %d", day, got)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "-1.5e10", "1234567890123456789012", "0.1", "9007199254740993", "1e400", ".5", "5.", "+7", "1.7976931348623157e308"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := ParseFloat([]byte(s), '.')
		want, err := strconv.ParseFloat(s, 64)
		if ok && (err != nil || math.Float64bits(got) != math.Float64bits(want)) {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
		if digits := strings.TrimLeft(s, "0123456789.-+eE"); !ok && err == nil && digits == "" {
			t.Errorf("%q is not read, want %v", s, want)
		}
		var buf [64]byte
		if n, dressed := scan([]byte(s), '.', buf[:]); dressed && !n.dressed && err == nil {
			if v, ok := ParseFloat(n.plain, '.'); !ok || v != want {
				t.Errorf("%q taken apart: %v", s, v)
			}
		}
	})
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{"2024-01-31T12:00:00Z", "2024-02-29T23:59:59.5+01:00", "31.01.2024", "Jan 2, 2006", "1/2/06 3:04 PM"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := Recipe{Kind: Time, Zone: time.UTC, Zoned: true, Mixed: true}
		got, _, ok := r.Time([]byte(s))
		if want, err := time.Parse(time.RFC3339Nano, s); err == nil && ok && len(s) < 30 && got != want.UnixNano() {
			t.Errorf("%q: %d, want %d", s, got, want.UnixNano())
		}
	})
}
