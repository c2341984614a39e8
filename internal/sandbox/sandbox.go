// Package sandbox takes rights from the running process that it cannot get back: to
// read and write files elsewhere, to use the network, to start programs, to use
// more memory or time. It is for processes that run the code of others.
package sandbox

// Limits are what the process keeps.
type Limits struct {
	// Dir is the folder below which files may be read and written.
	Dir string
	// Memory in bytes and CPU in seconds; 0 means no limit.
	Memory uint64
	CPU    uint64
	// FileSize is that of the largest file that may be written, in bytes; 0 means no limit.
	FileSize uint64
}

// Enter takes the rights away. Where an error comes back, some may be left.
func Enter(l Limits) error { return enter(l) }

// Lacks says in words what this system cannot keep a process from, nil when it can do
// all of it.
func Lacks() []string { return lacks() }
