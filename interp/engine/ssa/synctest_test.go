package ssa_test

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// Time advances in a bubble of testing/synctest when all the bubble's goroutines wait, no matter
// how they wait.
func TestSynctest(t *testing.T) {
	clearTestFlags(t)
	const cell = `
import ("context"; "errors"; "fmt"; "sync"; "sync/atomic"; "testing"; "testing/synctest"; "time")
func bubble(name string, f func(t *testing.T)) {
	ok := testing.RunTests(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: name, F: func(t *testing.T) { synctest.Test(t, f) }}})
	fmt.Println(name, ok)
}
func main() {
	bubble("sleep", func(t *testing.T) {
		start := time.Now()
		time.Sleep(time.Hour)
		if d := time.Since(start); d != time.Hour { t.Error(d) }
	})
	bubble("channels", func(t *testing.T) {
		start := time.Now()
		c, done := make(chan int), make(chan bool)
		go func() { time.Sleep(3 * time.Second); c <- 1; close(done) }()
		select {
		case <-c:
			t.Error("too early")
		case <-time.After(time.Second):
		}
		if <-c != 1 { t.Error("not 1") }
		<-done
		if d := time.Since(start); d != 3 * time.Second { t.Error(d) }
	})
	bubble("ticker", func(t *testing.T) {
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		start := time.Now()
		for range 5 { <-tick.C }
		if d := time.Since(start); d != 5 * time.Minute { t.Error(d) }
	})
	bubble("context", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5 * time.Second)
		defer cancel()
		time.Sleep(5*time.Second - time.Nanosecond)
		synctest.Wait()
		if err := ctx.Err(); err != nil { t.Error(err) }
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) { t.Error(err) }
	})
	bubble("functions later", func(t *testing.T) {
		var called atomic.Bool // a bool would be a race in compiled Go, too: time alone orders nothing
		time.AfterFunc(time.Hour, func() { called.Store(true) })
		time.Sleep(time.Hour - 1)
		synctest.Wait()
		if called.Load() { t.Error("too early") }
		time.Sleep(1)
		synctest.Wait()
		if !called.Load() { t.Error("not called") }
	})
	bubble("wait group", func(t *testing.T) {
		var wg sync.WaitGroup
		start := time.Now()
		for i := range 5 { wg.Go(func() { time.Sleep(time.Duration(i) * time.Second) }) }
		wg.Wait()
		if d := time.Since(start); d != 4 * time.Second { t.Error(d) }
	})
	bubble("failure", func(t *testing.T) { time.Sleep(time.Second); t.Error("wanted") })
}`
	s := newSession(t, engine.Hooks{})
	out, err := s.run(t.Context(), cell)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sleep", "channels", "ticker", "context", "functions later", "wait group"} {
		if !strings.Contains(out, name+" true\n") {
			t.Errorf("%s failed:\n%s", name, out)
		}
	}
	if !strings.Contains(out, "failure false\n") {
		t.Errorf("the last has not failed:\n%s", out)
	}
	s.want(`import "time"; func main() { time.Sleep(time.Millisecond); println(time.Now().Year() > 2020) }`, "true\n")
}
