package advice

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/rewrite"
)

const (
	columnType = "*frame.Column"
	frameType  = "*frame.Frame"
)

// columnCall matches f["x"] after rewriting.
var columnCall = pattern.New(`\.Col\(("(?:[^"\\]|\\.)*"|[\pL_][\pL\pN_]*)\)`)

// taking maps slice types to the methods that return a column's values.
var taking = map[string]string{
	"[]float64": "Floats", "[]int64": "Ints", "[]string": "Strings", "[]bool": "Bools",
}

// valuesOfColumn handles a column where its values are needed.
func valuesOfColumn(s *slip) string {
	v, ok := s.value()
	if !ok || v.from != columnType {
		return ""
	}
	if method, ok := taking[v.to]; ok {
		return s.replace("take the values out: ", s.operandCode()+"."+method+"()")
	}
	return ""
}

// lengthOf handles len of a value that is not a slice.
func lengthOf(s *slip) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	code := s.code(x)
	whole, ok := find(s, func(c *ast.CallExpr) bool { return len(c.Args) == 1 && c.Args[0] == x })
	if !ok {
		return ""
	}
	if t := s.operandType(); t == columnType || t == frameType {
		return s.instead(whole, "the number of rows is ", code+".Len()")
	}
	if p, ok := tv.Type.Underlying().(*types.Pointer); ok && hasLen(p.Elem()) {
		return s.instead(whole, "dereference the pointer: ", "len(*"+code+")")
	}
	if basic, ok := tv.Type.Underlying().(*types.Basic); ok && basic.Info()&types.IsNumeric != 0 {
		return "a number has no length: len takes strings, slices, arrays, maps and channels"
	}
	return "len takes strings, slices, arrays, maps and channels"
}

// sliced handles x[i:j] of a value that is not a slice.
func sliced(s *slip) string {
	switch s.operandType() {
	case frameType:
		return "select rows with ‹f.Slice(0, 1)›, the first rows with ‹f.Head(1)›, columns with ‹f.Select(\"name\")›"
	case columnType:
		return "select the rows of the frame first: ‹f.Slice(0, 1)[\"age\"]›"
	}
	return ""
}

// columnAsField handles f.x where f["x"] was meant.
func columnAsField(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || !rewrite.IsFrame(of) || s.butHave() {
		return ""
	}
	_, called := find(s, func(c *ast.CallExpr) bool { return c.Fun == sel })
	if called && misspeltMember(s) != "" {
		return ""
	}
	if here, ok := asInPandas[strings.ToLower(strings.ReplaceAll(sel.Sel.Name, "_", ""))]; ok {
		return here
	}
	if called {
		return "to list the methods of a frame, write " + s.code(sel.X) + ". and press Tab"
	}
	return s.instead(sel, "write a column as ", s.code(sel.X)+"["+strconv.Quote(sel.Sel.Name)+"]")
}

// asInPandas maps names of pandas methods, in lower case without underscores, to their equivalents
// here.
var asInPandas = map[string]string{
	"describe": "to summarize the columns, write ‹Describe(f)›", "info": "to summarize the columns, write ‹Describe(f)›",
	"plot": "to draw columns, write ‹Plot(f, \"age\", \"age\")›", "columns": "for the names of the columns, write ‹f.Names()›",
	"groupby": "group with By(names...), then call Agg, Transform or Top", "merge": `join on a common column with f.Join(g, "key"), LeftJoin, FullJoin or AntiJoin`,
	"iloc": "to select the rows i to j-1, call Slice(i, j)", "loc": "select rows with Where(mask), columns with Select(names...)", "query": "select rows with Where(mask)",
	"row": "select row i with Slice(i, i+1), a value in it with f[\"x\"].At(i)", "rows": "to read the rows into a slice of structs, call Into(&rows)", "itertuples": "to read the rows into a slice of structs, call Into(&rows)",
	"sortvalues": `to sort rows, write ‹f.Sort("-age", "name")›; a minus sign means descending order`, "dropduplicates": "to drop duplicate rows, call Distinct(names...)",
	"dropna": "to drop rows with missing values, call DropMissing(names...)", "fillna": "to fill missing values, call FillMissing(name, value)", "valuecounts": "to count values, call Counts(names...)", "pivottable": "for a pivot table, call Pivot(rows, columns, aggregate)",
	"assign": "to add a column, call With(name, value)", "corr": `for a correlation, call f["x"].Corr(f["y"]); to show the large correlations, call Describe(f)`,
	"isna": `for a mask of missing values, write f["x"].IsNA()`, "shape": "call Len() for the number of rows, Width() for the number of columns", "nunique": `to count distinct values, write f["x"].Unique()`, "concat": "to stack frames, call ml.Concat(f, g)",
}

// columnOfPandas handles a method of pandas columns.
func columnOfPandas(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || typeName(of) != columnType {
		return ""
	}
	return columnVerbs[strings.ToLower(strings.ReplaceAll(sel.Sel.Name, "_", ""))]
}

// columnVerbs maps methods of pandas columns to their equivalents here.
var columnVerbs = map[string]string{
	"isin": "for a mask of the rows with these values, call OneOf(values...)", "in": "for a mask of the rows with these values, call OneOf(values...)", "lag": "to shift the values by n rows, call Shift(n)", "apply": "to apply a function to each value, call Map(f), or MapText(f) for strings",
	"round": "round a column with math.Round(c*10) / 10", "abs": "for absolute values, call math.Abs(c)", "clip": "to clip values, call Map with a function that uses min and max",
	"fillna": "to fill missing values, call FillMissing(value)", "dropna": "to drop missing values, write c.Where(!c.IsNA())", "isnull": "for a mask of missing values, call IsNA()", "nunique": "to count distinct values, call Unique()",
	"std": "for the standard deviation, call SD()", "var": "for the variance, square the standard deviation, SD()", "mode": "call Counts(); its first row has the most frequent value", "astype": "to convert a column, call Float, Parse, AsText or Category",
	"valuecounts": "to count values, call Counts()", "pctchange": "for the relative change over n rows, call Growth(n)", "tolist": "for a slice of the values, call Floats, Ints, Strings, Bools or Moments", "quantiles": "call Quantile(p) for each probability",
}
