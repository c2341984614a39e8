//go:build (linux || darwin) && (amd64 || arm64)

package ssa_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestCellsCannotTakeTheEvaluatorsSignals(t *testing.T) {
	own := make(chan os.Signal, 1)
	signal.Notify(own, syscall.SIGHUP)
	defer signal.Stop(own)
	s := newSession(t, engine.Hooks{})
	s.want(`import ("os"; "os/signal"; "syscall")
var heard = make(chan os.Signal, 4)
func main() {
	signal.Notify(heard, syscall.SIGHUP, syscall.SIGUSR1)
	signal.Reset(syscall.SIGHUP)
	signal.Ignore(syscall.SIGHUP)
	syscall.Kill(os.Getpid(), syscall.SIGHUP)
}`, "")
	select {
	case <-own:
	case <-time.After(10 * time.Second):
		t.Fatal("the evaluator does not get its signal")
	}
	s.want(`import ("os"; "syscall"; "fmt")
func main() {
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-heard)
}`, "user defined signal 1")
}
