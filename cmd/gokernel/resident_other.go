//go:build !linux

package main

// releaseProgram does nothing here: how much of a program stays in memory is
// left to the system.
func releaseProgram() {}
