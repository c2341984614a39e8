package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// sweeps is the maximum number of times that endStarted searches again: a program may start another
// one while it is being killed.
const sweeps = 10

// endStarted kills the programs that an evaluator with the mark has started, and all programs
// started by them. It also finds programs in other sessions and programs whose parents have ended,
// but not a program with another environment.
func endStarted(mark string) {
	if mark == "" {
		return
	}
	want := []byte(markVar + "=" + mark)
	for range sweeps {
		entries, err := os.ReadDir("/proc")
		if err != nil {
			return
		}
		found := false
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || pid == os.Getpid() {
				continue
			}
			env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
			if err != nil || !hasLine(env, want) {
				continue // it has ended, or belongs to another user
			}
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				found = true
			}
		}
		if !found {
			return
		}
	}
}

// hasLine reports whether env contains the string want. A zero byte ends each string in env.
func hasLine(env, want []byte) bool {
	for line := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(line, want) {
			return true
		}
	}
	return false
}
