//go:build !unix

package magic

import "os/exec"

// ownGroup does nothing where there are no process groups: stopping a command stops only that
// process.
func ownGroup(*exec.Cmd) {}
