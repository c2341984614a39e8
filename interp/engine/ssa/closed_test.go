//go:build !race

package ssa_test

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// A goroutine that sends to a closed channel, or whose channel is closed while it waits, panics as
// in Go. The race detector reports a channel that is closed while a goroutine sends to it.
func TestSendOnClosedChannel(t *testing.T) {
	for _, mode := range []string{"off", "force"} {
		t.Setenv(nativeVariable, mode)
		newSession(t, engine.Hooks{}).want(`
import ("fmt"; "runtime")
func send(c chan<- string, n int) (s string) { defer func() { r := recover(); _, ok := r.(runtime.Error); s = fmt.Sprintln(r, ok) }(); for range n { c <- "x" }; return }
func main() {
	c, d := make(chan string), make(chan string, 1)
	close(c)
	go func() { for len(d) == 0 { runtime.Gosched() }; runtime.Gosched(); close(d) }()
	fmt.Print(send(c, 1), send(d, 5))
}`, strings.Repeat("send on closed channel true\n", 2))
	}
}
