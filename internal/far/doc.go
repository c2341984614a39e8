// Package far calls functions of one evaluator process from another. It passes arguments and
// results through a pipe whose other end is not trusted.
//
// A grader runs a submission in one process and the lecturer's checks in another, the judge. In the
// judge, [Func] creates stand-ins for the functions of the submission, which send their arguments
// and receive results. In the process of the submission, references that replace an answer are
// stand-ins, too. The processes share no memory. The receiver decodes values into types that it has
// chosen itself.
//
// These values can be passed: booleans, numbers and strings, and slices, arrays, maps, pointers and
// structs of such values, even with pointer cycles. Values that encode themselves, such as
// *mat.Dense and time.Time, can be passed, too. Errors are passed as their text, and functions as
// stand-ins that call back. Channels and unsafe pointers can't be passed.
package far
