package advice

import (
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/rewrite"
)

const (
	columnType = "*frame.Column"
	frameType  = "*frame.Frame"
)

// columnCall is f["x"] as rewritten.
var columnCall = pattern.New(`\.Col\(("(?:[^"\\]|\\.)*"|[\pL_][\pL\pN_]*)\)`)

// taking has the methods that take the values out of a column.
var taking = map[string]string{
	"[]float64": "Floats", "[]int64": "Ints", "[]string": "Strings", "[]bool": "Bools",
}

// valuesOfColumn is about a column where its values are wanted.
func valuesOfColumn(s *slip) string {
	v, ok := s.value()
	if !ok || v.from != columnType {
		return ""
	}
	if method, ok := taking[v.to]; ok {
		return v.expr + "." + method + "() gives the values"
	}
	return ""
}

// lengthOf is about len of what is no slice.
func lengthOf(s *slip) string {
	if strings.Contains(s.Msg, columnType) || strings.Contains(s.Msg, frameType) {
		return "Len() gives the number of rows"
	}
	return ""
}

// sliced is about x[i:j] of what is no slice.
func sliced(s *slip) string {
	switch {
	case strings.Contains(s.Msg, frameType):
		return "Slice(i, j) gives the rows from i up to j, Head(n) the first ones, Select names columns"
	case strings.Contains(s.Msg, columnType):
		return "the rows of a frame are selected first: f.Slice(i, j)[\"x\"]"
	}
	return ""
}

// columnAsField is about f.x where f["x"] was meant.
func columnAsField(s *slip) string {
	m := noMember.FindStringSubmatch(s.Msg)
	x, ok := s.before()
	if m == nil || !ok || !rewrite.IsFrame(x.Type) || misspeltMember(s) != "" {
		return ""
	}
	return m[1] + "[" + strconv.Quote(m[2]) + "] is the column of that name"
}
