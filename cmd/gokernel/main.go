// Command gokernel is a Jupyter kernel for Go with its tools: it installs itself, runs notebooks
// without Jupyter, and starts JupyterLab.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	err := newRoot().Execute()
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code):
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "gokernel:", err)
		os.Exit(2)
	}
}

// exitCode ends the program with a status and without a message: everything has been reported.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }
