// Package sandbox confines the running process, which can't undo this. The process can then no
// longer read and write files outside a folder, use the network, start programs, or exceed limits
// on memory and time. The package is for processes that run untrusted code.
package sandbox

import "os/exec"

// Limits are the limits on the process.
type Limits struct {
	// Memory is in bytes and CPU in seconds; 0 means no limit.
	Memory uint64
	CPU    uint64
	// FileSize is the maximum size of a file that may be written, in bytes; 0 means no limit.
	FileSize uint64
}

// Confine restricts the process to the files below dir, and to reading the system's files that
// programs need. The system can restrict only a thread and the program that this thread executes.
// Confine therefore executes the program again, with the arguments args. It returns only after an
// error, or if the system does not support such restrictions. It must be called before the program
// begins to work.
func Confine(dir string, args []string) error { return confine(dir, args) }

// Start is like cmd.Start, for a command that will confine itself. If the system allows it, the
// command cannot see the network and other parts of the system. This process watches the command,
// and kills it if it uses more memory than l allows, or too many threads, or writes too much. A
// line on the standard error of the command then says why.
func Start(cmd *exec.Cmd, l Limits) error { return start(cmd, l) }

// Enter sets all other restrictions for the process. After an error, some of them may be missing.
func Enter(l Limits) error { return enter(l) }

// Lacks describes what this system cannot prevent, or returns nil if it can prevent everything.
func Lacks() []string { return lacks() }
