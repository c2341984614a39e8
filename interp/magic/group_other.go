//go:build !unix

package magic

import "os/exec"

// ownGroup does nothing where there are no process groups: stopping a command
// stops that process alone.
func ownGroup(*exec.Cmd) {}
