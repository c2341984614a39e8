//go:build !linux

package main

// releaseProgram does nothing here: the system decides how much of a program stays in memory.
func releaseProgram() {}
