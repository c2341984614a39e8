// Package sandbox takes rights from the running process that it cannot get back: to
// read and write files elsewhere, to use the network, to start programs, to use
// more memory or time. It is for processes that run the code of others.
package sandbox

import "os/exec"

// Limits are what the process keeps.
type Limits struct {
	// Memory in bytes and CPU in seconds; 0 means no limit.
	Memory uint64
	CPU    uint64
	// FileSize is that of the largest file that may be written, in bytes; 0 means no limit.
	FileSize uint64
}

// Confine keeps the process to the files below dir, beside what programs read of a system. It
// starts the program again with the arguments, since rights are taken from a thread and what it
// becomes, so it only comes back with an error, or where the system has no such rights. The
// program must not have begun to work.
func Confine(dir string, args []string) error { return confine(dir, args) }

// Start starts a command that is going to confine itself, as cmd.Start does: with
// the network and other things of the system out of its sight, where the system
// allows that, and watched by this process, which ends it when it takes more
// memory than l allows, or too many threads, or writes too much. A line on its
// standard error says why then.
func Start(cmd *exec.Cmd, l Limits) error { return start(cmd, l) }

// Enter takes the other rights away. Where an error comes back, some may be left.
func Enter(l Limits) error { return enter(l) }

// Lacks says in words what this system cannot keep a process from, nil when it can do
// all of it.
func Lacks() []string { return lacks() }
