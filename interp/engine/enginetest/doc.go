// Package enginetest is the test suite of the engines. Both pass it; what an
// engine must not be asked is in its list of known failures, with the reason.
//
// It has three parts. Suite runs cells, and programs of which compiled Go has
// said what they print (testdata). GoPrograms runs the programs that the Go
// project tests its compilers with. Both run each program in a process of its
// own, which is the test binary started again: see Main.
package enginetest
