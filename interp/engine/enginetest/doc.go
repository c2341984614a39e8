// Package enginetest is the test suite of the engines. Both pass it; what an
// engine must not be asked is in its list of known failures, with the reason.
//
// Suite runs cells, and programs of which compiled Go has said what they print
// (testdata). GoPrograms runs the programs that the Go project tests its
// compilers with. GeneratedPrograms runs programs that package progen writes,
// compiled and in the engine. All run their programs in processes of their own,
// which are the test binary started again: see Main.
package enginetest
