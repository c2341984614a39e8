// Package sandbox irrevocably takes rights from the running process: to read and write files
// elsewhere, to use the network, to start programs, and to exceed limits on memory or time. It is
// for processes that run untrusted code.
package sandbox

import "os/exec"

// Limits are the limits on the process.
type Limits struct {
	// Memory in bytes and CPU in seconds; 0 means no limit.
	Memory uint64
	CPU    uint64
	// FileSize is the maximum size of a file that may be written, in bytes; 0 means no limit.
	FileSize uint64
}

// Confine restricts the process to the files below dir, and the files that programs read of a
// system. Rights are taken from a thread and the program that it executes. Confine therefore starts
// the program again with the arguments. It only returns with an error, or if the system does not
// support such rights. It must be called before the program begins to work.
func Confine(dir string, args []string) error { return confine(dir, args) }

// Start starts a command that will confine itself, as cmd.Start does. If the system allows it, the
// command cannot see the network and other parts of the system. This process watches the command,
// and kills it if it uses more memory than l allows, or too many threads, or writes too much. A
// line on its standard error then says why.
func Start(cmd *exec.Cmd, l Limits) error { return start(cmd, l) }

// Enter takes away the other rights. After an error, some of them may remain.
func Enter(l Limits) error { return enter(l) }

// Lacks describes what this system cannot prevent, or returns nil if it can prevent everything.
func Lacks() []string { return lacks() }
