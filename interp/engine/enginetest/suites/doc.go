// Package suites runs the test suites of modules both in an engine and compiled, and compares the
// results test by test.
//
// The go command lists a copy of the module and the dependencies of its tests. Each package with
// tests then runs in a separate process, which is the test binary started again (see Main). All
// packages except those of the standard library are checked and compiled from source, each as a
// cell with the path of the package. Their variables are initialized in the order of the list. A
// cell with a function main runs the tests like the program that go test generates.
package suites
