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
		"cells know Go's standard library, gonum.org/v1/gonum, gonum.org/v1/plot and ml, and any other package by its whole path; import \"\" with Tab lists them")},
	check.InvalidLit:    {functionLiteral},
	check.NotAType:      {functionLiteral},
	check.NotAnExpr:     {nameOfType},
	check.InvalidPkgUse: {always("write a dot and a name of the package; a question mark after its name lists them")},
	check.UnusedVar:     {unusedVariable},
	check.DuplicateDecl: {always("give one of the two another name: a name is declared once in a cell")},
	check.InvalidBlank:  {always("_ only takes values; give the value a name to use it again: ‹y := x + 1›")},
	check.UnusedLabel:   {always("a name and a colon make a label for break and continue; to declare a variable, write ‹x := 1›")},

	// Values.
	check.IncompatibleAssign: assignments,
	check.InvalidIfaceAssign: assignments,
	check.TruncatedFloat:     assignments,
	check.NumericOverflow:    assignments,
	check.InvalidConversion:  {structConversion, conversion},
	check.InvalidConstVal:    {structConversion, conversion},
	check.InvalidConstInit:   {always("a constant is known before anything runs: declare it with := or var")},
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
	check.MisplacedBreak:           {always("break ends a loop, a switch or a select: write it in one; to end a function, write return")},
	check.MisplacedContinue:        {always("continue goes to the next round of a loop: write it in one")},
	check.DuplicateCase:            {always("leave one of them out; a case ends without break")},
	check.WrongResultCount:         {returned},
	check.WrongAssignCount:         {counts},
	check.UnassignableOperand:      {notAssignable},
	check.UnaddressableFieldAssign: {fieldInMap},
	check.InvalidMethodExpr: {always(
		"the method belongs to the pointer: put the value into a variable first, and call the method of the variable")},
	check.NoNewVar:         {assignAgain},
	check.InvalidRangeExpr: {ranged},
	check.InvalidCond:      {condition},
	check.MissingReturn:    {always("end each path through the function with a return, also where no condition holds")},
	check.UnusedExpr:       {unused},
}

// always returns a function that returns the same hint for each error of its kind.
func always(hint string) func(*slip) string { return func(*slip) string { return hint } }
