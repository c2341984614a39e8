// Package enginetest is the test suite of the engines. Both engines pass it. Each engine has a list
// of known failures, with reasons.
//
// Suite runs cells, and programs whose expected output was printed by compiled Go (testdata).
// GoPrograms runs the programs with which the Go project tests its compilers. GeneratedPrograms
// runs programs that package progen generates, compiled and in the engine. Each of them runs its
// programs in separate processes. Each process is the test binary, started again (see Main).
package enginetest
