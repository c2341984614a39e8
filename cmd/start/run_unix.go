//go:build unix

package main

import (
	"os"
	"syscall"
)

// run replaces this process with the program; it returns only if that fails.
func run(program string, args []string) error {
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
