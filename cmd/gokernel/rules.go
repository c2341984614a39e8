package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/spf13/pflag"
)

// gradedVar is the environment variable that makes every session a graded one, for grading programs
// that start the kernel themselves, such as nbgrader.
const gradedVar = "GOKERNEL_GRADED"

// allowVar is the environment variable with additional packages that graded sessions may import.
const allowVar = "GOKERNEL_ALLOW"

// sessionRules are the limits of an evaluator, and the folder to which untrusted code is confined.
type sessionRules struct {
	graded bool
	allow  []string // additional packages that a graded session may import
	judge  bool     // it runs checks and no submission
	warn   bool     // cells are checked for probable mistakes
	dir    string   // the folder to which it is confined, or ""
	memory uint64   // bytes; 0 for the default of a session
	cpu    uint64   // seconds; 0 for no limit

	checkpoint      string // the file for checkpoints; "" for none
	checkpointLimit int64  // bytes

	confined bool // the process has been confined to the folder
}

func (r *sessionRules) addTo(fs *pflag.FlagSet) {
	fs.BoolVar(&r.graded, "graded", false, "refuse the imports and commands that a homework submission must not use")
	fs.StringSliceVar(&r.allow, "allow", nil, "let a graded session import these `packages` too")
	fs.BoolVar(&r.judge, "judge", false, "reset variables before each autograder cell")
	fs.BoolVar(&r.warn, "warn", false, "warn about code that compiles but is probably a mistake")
	fs.StringVar(&r.dir, "sandbox", "", "confine the session to this `directory`")
	fs.BoolVar(&r.confined, "confined", false, "the process is already confined to the directory of --sandbox")
	fs.Uint64Var(&r.memory, "max-memory", 0, "stop a cell at a heap of this many `bytes`")
	fs.StringVar(&r.checkpoint, "checkpoint", "", "write the values of variables to this `file` between cells")
	fs.Int64Var(&r.checkpointLimit, "checkpoint-limit", 0, "limit the file of --checkpoint to this many `bytes`")
	fs.Uint64Var(&r.cpu, "max-cpu", 0, "end the process after this many `seconds` of CPU time")
}

// limitUsage documents the memory limit that users set, in MiB.
const limitUsage = "stop a cell when its variables use more than this many `MiB` (default: three quarters of the memory of the machine or the container)"

// leastLimit is the minimum useful memory of a session, in MiB.
const leastLimit = 64

// setMemory sets the memory limit from a flag in MiB; 0 means that the flag was not given.
func (r *sessionRules) setMemory(mebibytes int) error {
	if mebibytes != 0 && mebibytes < leastLimit {
		return fmt.Errorf("--max-memory must be at least %[2]d (MiB), got %[1]d", mebibytes, leastLimit)
	}
	r.memory = uint64(mebibytes) << 20
	return nil
}

// environment returns the environment of a confined evaluator.
func (r sessionRules) environment() []string {
	if r.dir == "" {
		return nil
	}
	env := []string{"HOME=" + r.dir, "TMPDIR=" + r.dir, "PATH=", "LANG=C.UTF-8"}
	if mode, ok := os.LookupEnv(engine.JITVariable); ok {
		env = append(env, engine.JITVariable+"="+mode)
	}
	return env
}

// start returns the function that starts a confined evaluator, or nil for others.
func (r sessionRules) start() func(*exec.Cmd) error {
	if r.dir == "" {
		return nil
	}
	return func(cmd *exec.Cmd) error { return sandbox.Start(cmd, r.limits()) }
}

// args returns the arguments that pass the rules to an evaluator.
func (r sessionRules) args() []string {
	return []string{"--graded=" + strconv.FormatBool(r.graded), "--allow", strings.Join(r.allow, ","), "--judge=" + strconv.FormatBool(r.judge), "--warn=" + strconv.FormatBool(r.warn), "--sandbox", r.dir, "--max-memory", fmt.Sprint(r.memory), "--max-cpu", fmt.Sprint(r.cpu)}
}

// Limits of a confined process: its memory in addition to the heap of its cells, and the size of a
// file that it may write.
const (
	ownMemory   = 1 << 30
	fileSize    = 256 << 20
	heapSurplus = 2 // the heap can be larger than the memory in use
)

func (r sessionRules) limits() sandbox.Limits {
	l := sandbox.Limits{CPU: r.cpu, FileSize: fileSize}
	if r.memory > 0 {
		l.Memory = heapSurplus*r.memory + ownMemory
	}
	return l
}
