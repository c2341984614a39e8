package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/spf13/pflag"
)

// gradedVar in the environment makes every session one that grades, for graders that
// start the kernel by themselves, as nbgrader does.
const gradedVar = "GOKERNEL_GRADED"

// allowVar in the environment lists packages that sessions which grade may import besides.
const allowVar = "GOKERNEL_ALLOW"

// sessionRules say what an evaluator may take, and where it is kept to if what it runs is
// not trusted.
type sessionRules struct {
	graded bool
	allow  []string // packages that a graded session may import beside those of the list
	judge  bool     // checks run in it and no submission
	warn   bool     // cells are checked for what is hardly meant
	dir    string   // the folder to which it is kept; "" for none
	memory uint64   // bytes; 0 for the default of a session
	cpu    uint64   // seconds; 0 for no limit

	checkpoint      string // the file for checkpoints; "" for none
	checkpointLimit int64  // bytes

	confined bool // the process has been kept to the folder
}

func (r *sessionRules) addTo(fs *pflag.FlagSet) {
	fs.BoolVar(&r.graded, "graded", false, "refuse what a homework submission must not do")
	fs.StringSliceVar(&r.allow, "allow", nil, "let a graded session import these `packages` too")
	fs.BoolVar(&r.judge, "judge", false, "reset variables before each cell with checks")
	fs.BoolVar(&r.warn, "warn", false, "warn about code that compiles but is probably a mistake")
	fs.StringVar(&r.dir, "sandbox", "", "keep the session to this `directory`")
	fs.BoolVar(&r.confined, "confined", false, "the session is kept to that directory already")
	fs.Uint64Var(&r.memory, "max-memory", 0, "stop a cell at a heap of this many `bytes`")
	fs.StringVar(&r.checkpoint, "checkpoint", "", "write the values of variables to this `file` between cells")
	fs.Int64Var(&r.checkpointLimit, "checkpoint-limit", 0, "write no more than this many `bytes`")
	fs.Uint64Var(&r.cpu, "max-cpu", 0, "end the process after this many `seconds` of CPU time")
}

// limitUsage documents the limit of memory that people give, in MiB.
const limitUsage = "stop a cell when its variables use more than this many `MiB` (default: three quarters of the memory of the machine or the container)"

// leastLimit is the least memory in MiB in which a session is of use.
const leastLimit = 64

// setMemory sets the limit that people give in MiB; 0 is none.
func (r *sessionRules) setMemory(mebibytes int) error {
	if mebibytes != 0 && mebibytes < leastLimit {
		return fmt.Errorf("--max-memory must be at least %[2]d (MiB), got %[1]d", mebibytes, leastLimit)
	}
	r.memory = uint64(mebibytes) << 20
	return nil
}

// environment is that of an evaluator which is kept to its folder.
func (r sessionRules) environment() []string {
	if r.dir == "" {
		return nil
	}
	return []string{"HOME=" + r.dir, "TMPDIR=" + r.dir, "PATH=", "LANG=C.UTF-8"}
}

// start is how an evaluator which is kept to its folder is started; nil for others.
func (r sessionRules) start() func(*exec.Cmd) error {
	if r.dir == "" {
		return nil
	}
	return func(cmd *exec.Cmd) error { return sandbox.Start(cmd, r.limits()) }
}

// args are the arguments that give the rules to an evaluator.
func (r sessionRules) args() []string {
	return []string{"--graded=" + strconv.FormatBool(r.graded), "--allow", strings.Join(r.allow, ","), "--judge=" + strconv.FormatBool(r.judge), "--warn=" + strconv.FormatBool(r.warn), "--sandbox", r.dir, "--max-memory", fmt.Sprint(r.memory), "--max-cpu", fmt.Sprint(r.cpu)}
}

// What a process holds beside the heap of its cells, and the largest file that it may write.
const (
	ownMemory   = 1 << 30
	fileSize    = 256 << 20
	heapSurplus = 2 // the collector lets the heap grow beyond what is in use
)

func (r sessionRules) limits() sandbox.Limits {
	l := sandbox.Limits{CPU: r.cpu, FileSize: fileSize}
	if r.memory > 0 {
		l.Memory = heapSurplus*r.memory + ownMemory
	}
	return l
}
