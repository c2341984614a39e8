//go:build !unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
)

// run runs the program and ends with its status.
func run(program string, args []string) error {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signal.Ignore(os.Interrupt) // the program gets it too
	if err := cmd.Run(); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}
