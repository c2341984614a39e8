// Package suites runs the test suites of modules through an engine, and the same
// compiled, and compares test by test.
//
// A module is copied and listed by the go command, which also says what the tests
// need. Each package with tests then runs in a process of its own, which is the
// test binary started again (see Main): all packages but those of the standard
// library are checked and compiled from source, each as a cell with the path of
// the package, their variables are initialized in the order of the list, and a
// cell with a function main runs the tests as the program that go test writes.
package suites
