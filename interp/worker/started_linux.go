package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// sweeps bounds how often endStarted looks again: a program may start another one
// while it is being ended.
const sweeps = 10

// endStarted ends the programs that an evaluator with the mark has started, and those
// that they have started, wherever they are: also in sessions of their own, and when
// those that started them have ended. A program that was given another environment is
// not found.
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
				continue // it has ended, or is another user's
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

// hasLine reports whether one of the strings of env, which a zero byte ends, is want.
func hasLine(env, want []byte) bool {
	for line := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(line, want) {
			return true
		}
	}
	return false
}
