// Package far lets functions of one evaluator process be called from another: it takes
// arguments and results through a pipe whose other end need not be honest.
//
// A grader runs a submission in one process and the checks of the lecturer in another,
// the judge. In the judge the functions of the submission are stand-ins, made by [Func],
// which send their arguments and receive results; in the process of the submission the
// same is true of references that replace an answer. Neither process has the memory of the
// other, and what arrives is decoded into types that the receiver has chosen.
//
// What can be passed: booleans, numbers, strings; slices, arrays, maps, pointers and
// structs of what can be passed, also with cycles of pointers; values that encode
// themselves, such as *mat.Dense and time.Time; errors, as their text; functions, as
// stand-ins that call back. Channels and unsafe pointers cannot be passed.
package far
