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
		return s.instead(whole, "follow the pointer: ", "len(*"+code+")")
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
		return "for the rows from i up to j, write ‹f.Slice(0, 1)›, for the first ones ‹f.Head(1)›, for some columns ‹f.Select(\"name\")›"
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
		return "write " + s.code(sel.X) + ". and press Tab: the methods of a frame are listed"
	}
	return s.instead(sel, "a column is written ", s.code(sel.X)+"["+strconv.Quote(sel.Sel.Name)+"]")
}

// asInPandas maps names of pandas methods, in lower case without underscores, to their equivalents
// here.
var asInPandas = map[string]string{
	"describe": "to show what is in the columns, write ‹Describe(f)›", "info": "to show what is in the columns, write ‹Describe(f)›",
	"plot": "to draw columns, write ‹Plot(f, \"age\", \"age\")›", "columns": "the names of the columns are ‹f.Names()›",
	"groupby": "By(names...) groups, and Agg, Transform or Top make something of the groups", "merge": `Join, LeftJoin, FullJoin and AntiJoin join by names: f.Join(g, "key")`,
	"iloc": "Slice(i, j) gives the rows from i up to j", "loc": "Where(mask) selects rows, Select(names...) columns", "query": "Where(mask) selects rows",
	"row": "Slice(i, i+1) is the frame of row i, f[\"x\"].At(i) a value of it", "rows": "Into(&rows) fills a slice of structs", "itertuples": "Into(&rows) fills a slice of structs",
	"sortvalues": `Sort("-fare", "zone") sorts, descending where there is a minus`, "dropduplicates": "Distinct(names...) gives the first of equal rows",
	"dropna": "DropMissing(names...) leaves rows out", "fillna": "FillMissing(name, value) fills them", "valuecounts": "Counts(names...) counts", "pivottable": "Pivot(rows, columns, aggregate)",
	"assign": "With(name, value) gives the frame with a column more", "corr": `f["x"].Corr(f["y"]) is the correlation; Describe(f) shows the large ones`,
	"isna": `f["x"].IsNA() is the mask of missing values`, "shape": "Len() and Width() are its size", "nunique": `f["x"].Unique() counts distinct values`, "concat": "ml.Concat(f, g) puts frames below each other",
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
	"isin": "OneOf(values...) is that mask", "in": "OneOf(values...) is that mask", "lag": "Shift(n) moves the values", "apply": "Map(f) and MapText(f) call a function for each value",
	"round": "math.Round takes columns: math.Round(c*10) / 10", "abs": "math.Abs takes columns", "clip": "min and max of columns are Map with a function of your own",
	"fillna": "FillMissing(value) fills them", "dropna": "Where(!c.IsNA()) leaves them out", "isnull": "IsNA() is the mask of missing values", "nunique": "Unique() counts distinct values",
	"std": "SD() is the standard deviation", "var": "SD() is the standard deviation, whose square is the variance", "mode": "Counts() has the commonest value first", "astype": "Float, Parse, AsText and Category convert",
	"valuecounts": "Counts() counts", "pctchange": "Growth(n) is the relative change", "tolist": "Floats, Ints, Strings, Bools and Moments give slices", "quantiles": "Quantile(p) is one of them",
}
