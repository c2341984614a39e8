package chart

import (
	"fmt"
	"math"
	"sort"
	"strconv"
)

// fewRows is the maximum number of rows that are saved as rows. More rows are saved as columns,
// which are much shorter.
const fewRows = 8

// mostCodes is the maximum number of different names of a column that is saved as numbers.
const mostCodes = 64

// compact returns the data of a layer and the transforms that restore its rows. Rows with the same
// fields become one row of columns, which the transform flatten splits into rows again. A field
// with the same value in all rows is saved once, and repeated names are saved as numbers. Numbers
// are rounded to a hundred-thousandth of the range of their column, which is less than a tenth of a
// pixel.
func compact(rows []any) (data object, transform []any) {
	return compacted(rows, func(string) bool { return false })
}

// unparsed keeps Vega-Lite from parsing moments, which are numbers, before the columns are split
// into rows.
var unparsed = object{"parse": nil}

// compact does the same for the rows of a panel, but keeps columns of moments exact.
func (v *vegaPanel) compact(rows []any) (data object, transform []any) {
	times := map[string]bool{"x": v.c.x.times, "x2": v.c.x.times, "y": v.c.y.times, "y2": v.c.y.times}
	data, transform = compacted(rows, func(f string) bool { return times[f] })
	if v.c.x.times || v.c.y.times {
		data["format"] = unparsed
	}
	return data, transform
}

func compacted(rows []any, exact func(field string) bool) (data object, transform []any) {
	if len(rows) < fewRows {
		return object{"values": rows}, nil
	}
	columns := object{}
	var flat, after []any
	for _, f := range fieldsOf(rows) {
		column := make([]any, len(rows))
		for i, r := range rows {
			column[i] = r.(object)[f]
		}
		if alikeAll(column) {
			columns[f] = column[0]
			continue
		}
		names, codes := encoded(column)
		switch {
		case names != nil:
			columns[f] = codes
			list := "["
			for k, name := range names {
				if k > 0 {
					list += ","
				}
				list += jsString(name)
			}
			after = append(after, object{"calculate": list + "][datum." + f + "]", "as": f})
		case exact(f):
			columns[f] = column
		default:
			columns[f] = rounded(column)
		}
		flat = append(flat, f)
	}
	if flat == nil {
		return object{"values": rows}, nil
	}
	return object{"values": []any{columns}}, append([]any{object{"flatten": flat}}, after...)
}

// fieldsOf returns the fields of the rows, in order. A field that a row lacks is null in its
// column.
func fieldsOf(rows []any) []string {
	seen := map[string]bool{}
	var fields []string
	for _, r := range rows {
		for f := range r.(object) {
			if !seen[f] {
				seen[f] = true
				fields = append(fields, f)
			}
		}
	}
	sort.Strings(fields)
	return fields
}

func alikeAll(column []any) bool {
	for _, x := range column {
		if x != column[0] {
			return false
		}
	}
	return true
}

// encoded returns the names of a column of names and their number in each row; nil if they are not
// names or repeat too rarely.
func encoded(column []any) (names []string, codes []any) {
	number := map[string]int{}
	for _, x := range column {
		s, ok := x.(string)
		if !ok {
			return nil, nil
		}
		k, seen := number[s]
		if !seen {
			k = len(names)
			number[s], names = k, append(names, s)
		}
		if len(names) > mostCodes || 4*len(names) > len(column) {
			return nil, nil
		}
		codes = append(codes, k)
	}
	return names, codes
}

// rounded returns the numbers of a column with fewer digits.
func rounded(column []any) []any {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range column {
		if x, ok := x.(float64); ok {
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
	}
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return column
	}
	out := make([]any, len(column))
	span := math.Floor(math.Log10(hi-lo)) - 4
	for i, v := range column {
		x, ok := v.(float64)
		if !ok || x == 0 {
			out[i] = v
			continue
		}
		// On a logarithmic axis, small numbers need the same relative precision as large ones.
		digits := int(math.Min(span, math.Floor(math.Log10(math.Abs(x)))-4))
		s := strconv.FormatFloat(x, 'f', max(0, -digits), 64)
		if digits < -300 {
			s = fmt.Sprint(x)
		}
		r, err := strconv.ParseFloat(s, 64)
		if err != nil {
			r = x
		}
		out[i] = r
	}
	return out
}
