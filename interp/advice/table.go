package advice

import "github.com/gokernel/gokernel/interp/check"

// assignments handles values and constants of the wrong type, for which go/types has several codes.
var assignments = []func(*slip) string{
	staleType, indexForElement, valuesOfColumn, partOfData, columnByName, toMatrix, spread, elementwise, otherNumber, textForNumber, toSlice, pointerOrValue,
	freshModels, otherConstant, nilForValue, wholeNumber, missingMethod,
}

// byCode lists, for each kind of error, the functions that may know what was meant, in the order in
// which they are called.
var byCode = map[check.Code][]func(*slip) string{
	// Names.
	check.UndeclaredName: {
		parameter, newVariable, foreignPackage, verb, functionOfOthers, misspeltPackage, packageAlone, misspelt,
	},
	check.UndeclaredImportedName: {packageMember},
	check.MissingFieldOrMethod:   {indexForElement, shadowedPackage, columnOfPandas, columnAsField, knownMember, misspeltMember, memberElsewhere, listed},
	check.MissingLitField:        {unknownField},
	check.BrokenImport: {misspeltPath, always(
		"cells can use Go's standard library, gonum.org/v1/gonum, gonum.org/v1/plot and ml, and import any other package by its full path; import \"\" with Tab lists them")},
	check.InvalidLit:    {functionLiteral},
	check.NotAType:      {functionLiteral},
	check.NotAnExpr:     {nameOfType},
	check.InvalidPkgUse: {always("write a dot and a name from the package; to list these names, write the package's name and a question mark")},
	check.UnusedVar:     {unusedVariable},
	check.DuplicateDecl: {always("rename one of the two: a cell can declare a name only once")},
	check.InvalidBlank:  {always("_ discards values; assign a value to a variable to use it again: ‹y := x + 1›")},
	check.UnusedLabel:   {always("a name and a colon make a label for break and continue; to declare a variable, write ‹x := 1›")},

	// Values.
	check.IncompatibleAssign: assignments,
	check.InvalidIfaceAssign: assignments,
	check.TruncatedFloat:     assignments,
	check.NumericOverflow:    assignments,
	check.InvalidConversion:  {structConversion, conversion},
	check.InvalidConstVal:    {structConversion, conversion},
	check.InvalidConstInit:   {always("a constant must be known at compile time: declare a variable with := or var")},
	check.UntypedNilUse:      {always("nil has no type of its own: name one, as in ‹var ys []int›")},
	check.InvalidStructLit:   {structLiteral},
	check.TooManyValues:      {severalValues},

	// Operators.
	check.MismatchedTypes:      {indexForElement, comparedToNil, toPower, vectorOperand, matrixOperand, chained, twoTypes},
	check.UndefinedOp:          {realRemainder, toPower, onlyToNil},
	check.InvalidMinMaxOperand: {compared},
	check.InvalidIndirection:   {stars},
	check.NonIndexableOperand:  {indexed},
	check.NonSliceableOperand:  {sliced},
	check.InvalidLen:           {lengthOf},
	check.InvalidIndex:         {lastElement},

	// Statements and calls.
	check.WrongArgCount:            {arguments},
	check.InvalidCall:              {called},
	check.MisplacedBreak:           {always("write break inside a loop, switch or select; to end a function, write return")},
	check.MisplacedContinue:        {always("write continue inside a loop")},
	check.DuplicateCase:            {always("leave one of the equal cases out; a case ends without break")},
	check.WrongResultCount:         {returned},
	check.WrongAssignCount:         {counts},
	check.UnassignableOperand:      {notAssignable},
	check.UnaddressableFieldAssign: {fieldInMap},
	check.InvalidMethodExpr: {always(
		"the method has a pointer receiver: assign the value to a variable first, and call the method on the variable")},
	check.NoNewVar:         {assignAgain},
	check.InvalidRangeExpr: {ranged},
	check.InvalidCond:      {condition},
	check.MissingReturn:    {always("end each path through the function with a return, even the path on which no condition holds")},
	check.UnusedExpr:       {unused},
}

// always returns a function that returns the same hint for each error of its kind.
func always(hint string) func(*slip) string { return func(*slip) string { return hint } }
