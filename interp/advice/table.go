package advice

import "github.com/gokernel/gokernel/interp/check"

// assignments are asked about values and constants that do not fit where they
// stand: go/types has several codes for it.
var assignments = []func(*slip) string{
	staleType, valuesOfColumn, partOfData, columnByName, toMatrix, elementwise, spread, otherNumber, textForNumber, toSlice, pointerOrValue,
	freshModels, otherConstant, nilForValue, wholeNumber,
}

// byCode has for each kind of error those who may know what was meant, the one to
// ask first in front.
var byCode = map[check.Code][]func(*slip) string{
	// Names.
	check.UndeclaredName: {
		parameter, foreignPackage, verb, functionOfOthers, misspeltPackage, packageAlone, misspelt, newVariable,
	},
	check.UndeclaredImportedName: {packageMember},
	check.MissingFieldOrMethod:   {shadowedPackage, columnOfPandas, columnAsField, misspeltMember, memberElsewhere},
	check.MissingLitField:        {unknownField},
	check.BrokenImport: {misspeltPath, always(
		"cells know Go's standard library, gonum.org/v1/gonum, gonum.org/v1/plot and ml, and any other package by its whole path; import \"\" with Tab lists them")},
	check.InvalidLit:    {functionLiteral},
	check.NotAType:      {functionLiteral},
	check.NotAnExpr:     {nameOfType},
	check.InvalidPkgUse: {always("a question mark behind the name shows its documentation")},
	check.UnusedVar:     {unusedVariable},
	check.UnusedLabel:   {always("a name and a colon make a label for break and continue; a variable is written var x int = 1, or x := 1")},

	// Values.
	check.IncompatibleAssign: assignments,
	check.InvalidIfaceAssign: assignments,
	check.TruncatedFloat:     assignments,
	check.NumericOverflow:    assignments,
	check.InvalidConversion:  {structConversion, conversion},
	check.InvalidConstVal:    {structConversion, conversion},
	check.InvalidConstInit:   {always("constants are known before anything runs: use := or var")},
	check.UntypedNilUse:      {always("nil has no type of its own: write var x []int, or var x *T")},
	check.InvalidStructLit:   {structLiteral},
	check.TooManyValues:      {severalValues},

	// Operators.
	check.MismatchedTypes:      {comparedToNil, toPower, vectorOperand, matrixOperand, twoTypes},
	check.UndefinedOp:          {realRemainder, toPower, onlyToNil},
	check.InvalidMinMaxOperand: {compared},
	check.InvalidIndirection:   {always("* before a value follows a pointer; x * x squares, math.Pow(x, y) raises to a power")},
	check.NonIndexableOperand:  {indexed},
	check.NonSliceableOperand:  {sliced},
	check.InvalidLen:           {lengthOf},
	check.InvalidIndex:         {always("counting begins at 0: xs[len(xs)-1] is the last element, xs[:len(xs)-1] leaves it out")},

	// Statements and calls.
	check.WrongArgCount:            {arguments},
	check.WrongResultCount:         {returned},
	check.WrongAssignCount:         {counts},
	check.UnassignableOperand:      {notAssignable},
	check.UnaddressableFieldAssign: {always("take the value out of the map, change it and put it back, or keep pointers in the map")},
	check.InvalidMethodExpr: {always(
		"the method belongs to the pointer: put the value into a variable first, or write (&T{...}).Method()")},
	check.NoNewVar:         {always("assign with =")},
	check.InvalidRangeExpr: {ranged},
	check.InvalidCond:      {condition},
	check.MissingReturn:    {always("every way through the function must end in return")},
	check.UnusedExpr:       {always("only the last expression of a cell is shown; Show(...) shows any")},
}

// always is the advice that each error of its kind gets.
func always(hint string) func(*slip) string { return func(*slip) string { return hint } }
