package ssa_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

const deadlock = "fatal error: all goroutines are asleep - deadlock!"

// A deadlocked cell ends with Go's message at its position. Its deferred functions run, and the
// session continues.
func TestDeadlock(t *testing.T) {
	for name, src := range map[string]string{
		"receive":     `func main() { ch := make(chan int); <-ch }`,
		"send":        `func main() { ch := make(chan int); ch <- 1 }`,
		"full":        `func main() { ch := make(chan int, 1); ch <- 1; ch <- 1 }`,
		"nil":         `func main() { var ch chan int; ch <- 1 }`,
		"select":      `func main() { select {} }`,
		"cases":       `func main() { a, b := make(chan int), make(chan string); select { case <-a: case b <- "": } }`,
		"range":       `func main() { ch := make(chan int); go func() { ch <- 1 }(); for range ch { } }`,
		"wait group":  `import "sync"; func main() { var wg sync.WaitGroup; wg.Add(1); wg.Wait() }`,
		"mutex":       `import "sync"; func main() { var mu sync.Mutex; mu.Lock(); mu.Lock() }`,
		"embedded":    `import "sync"; type T struct { sync.RWMutex }; func main() { var t T; t.RLock(); t.Lock() }`,
		"locker":      `import "sync"; func main() { var l sync.Locker = new(sync.Mutex); l.Lock(); l.Lock() }`,
		"condition":   `import "sync"; func main() { c := sync.NewCond(new(sync.Mutex)); c.L.Lock(); c.Wait() }`,
		"goroutines":  `func main() { a, b := make(chan int), make(chan int); go func() { <-a; b <- 1 }(); go func() { <-b }(); a <- <-b }`,
		"wg.Go":       `import "sync"; func main() { var wg sync.WaitGroup; ch := make(chan int); wg.Go(func() { <-ch }); wg.Wait() }`,
		"recover":     `func main() { for i := 0; i < 3; i++ { func() { defer func() { recover() }(); select {} }() } }`,
		"in callback": `import "sort"; func main() { sort.Slice([]int{2, 1}, func(i, j int) bool { select {} }) }`,
		"fired timer": `import "time"; func main() { ch := make(chan int); time.AfterFunc(time.Millisecond, func() { ch <- 1 }); <-ch; <-ch }`,
		"stopped":     `import "time"; func main() { t := time.AfterFunc(time.Hour, func() {}); t.Stop(); select {} }`,
	} {
		s := newSession(t, engine.Hooks{})
		s.want(`var kept = 7`, "")
		wait := s.start(20*time.Second, src)
		defer t.Run(name, func(t *testing.T) {
			err := wait()
			var p *engine.Panic
			if !errors.As(err, &p) || p.Error() != deadlock {
				t.Fatalf("error is %v, want %s", err, deadlock)
			}
			if len(p.Stack) == 0 || p.Stack[len(p.Stack)-1].Func != "main" || p.Stack[0].Pos.Line != 1 {
				t.Errorf("stack is %v, want main at line 1", p.Stack)
			}
			s.want(`func main() { print(kept) }`, "7")
		})
	}
}

// start runs a cell for at most limit and returns a function that waits for its error.
func (s *session) start(limit time.Duration, src string) (wait func() error) {
	s.t.Helper()
	code, err := s.compile(src)
	if err != nil {
		s.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(s.t.Context(), limit)
		defer cancel()
		done <- code.Run(ctx)
	}()
	return func() error { return <-done }
}

func TestDeadlockRunsDeferred(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	out, err := s.run(t.Context(), `import "sync"; var mu sync.Mutex; func main() { mu.Lock(); defer mu.Unlock(); defer print("deferred"); select {} }`)
	if err == nil || err.Error() != deadlock || out != "deferred" {
		t.Errorf("error %v after %q, want %s after deferred", err, out, deadlock)
	}
	s.want(`func main() { print(mu.TryLock()) }`, "true")
}

// A cell that only looks deadlocked waits until it is stopped.
func TestWaitingIsNoDeadlock(t *testing.T) {
	waits := "cat" // for its input
	if runtime.GOOS == "windows" {
		waits = "cmd"
	}
	for name, src := range map[string]string{
		"sleep":           `import "time"; func main() { time.Sleep(time.Hour) }`,
		"sleeper":         `import "time"; func main() { go time.Sleep(time.Hour); select {} }`,
		"timer":           `import "time"; func main() { <-time.After(time.Hour) }`,
		"ticker":          `import "time"; func main() { go func() { for range time.Tick(time.Hour) { } }(); select {} }`,
		"timer in select": `import "time"; func main() { ch := make(chan int); select { case <-ch: case <-time.After(time.Hour): } }`,
		"function":        `import "time"; func main() { ch := make(chan int); time.AfterFunc(time.Hour, func() { ch <- 1 }); <-ch }`,
		"reset":           `import "time"; func main() { ch := make(chan int, 9); t := time.AfterFunc(1, func() { ch <- 1 }); <-ch; t.Reset(time.Hour); <-ch }`,
		"context":         `import ("context"; "time"); func main() { ctx, stop := context.WithTimeout(context.Background(), time.Hour); defer stop(); <-ctx.Done() }`,
		"after context":   `import ("context"; "time"); func main() { ctx, stop := context.WithTimeout(context.Background(), time.Hour); defer stop(); ch := make(chan int); context.AfterFunc(ctx, func() { close(ch) }); <-ch }`,
		"signal":          `import ("os"; "os/signal"); func main() { ch := make(chan os.Signal, 1); signal.Notify(ch, os.Interrupt); defer signal.Stop(ch); <-ch }`,
		"server":          `import ("net"; "net/http"); func main() { l, err := net.Listen("tcp", "127.0.0.1:0"); if err != nil { panic(err) }; ch := make(chan int); go http.Serve(l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ch <- 1 })); <-ch }`,
		"pipe":            `import "os"; func main() { r, _, err := os.Pipe(); if err != nil { panic(err) }; ch := make(chan int); go func() { r.Read(make([]byte, 1)); ch <- 1 }(); <-ch }`,
		"child":           `import "os/exec"; func main() { c := exec.Command("` + waits + `"); c.StdinPipe(); if err := c.Start(); err != nil { panic(err) }; ch := make(chan error); go func() { ch <- c.Wait() }(); <-ch }`,
		"finalizer":       `import "runtime"; func main() { ch, x := make(chan int, 1), new([9]int); runtime.SetFinalizer(x, func(*[9]int) { ch <- 1 }); <-ch; runtime.KeepAlive(x) }`,
		"cleanup":         `import "runtime"; func main() { ch, x := make(chan int, 1), new([9]int); runtime.AddCleanup(x, func(c chan int) { c <- 1 }, ch); <-ch; runtime.KeepAlive(x) }`,
		"running":         `func main() { go func() { for { } }(); select {} }`,
		"made elsewhere":  `import "reflect"; func main() { ch := reflect.MakeChan(reflect.TypeFor[chan int](), 0).Interface().(chan int); <-ch }`,
		"compiled wait":   `import "sync"; func main() { var once sync.Once; once.Do(func() { once.Do(func() {}) }) }`,
	} {
		const long = 1500 * time.Millisecond // several checks for a deadlock
		wait := newSession(t, engine.Hooks{}).start(long, src)
		defer t.Run(name, func(t *testing.T) {
			if err := wait(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error is %v, want that of the context", err)
			}
		})
	}
}

// A goroutine of an earlier cell may wake a goroutine of a later cell.
func TestEarlierCellsMayWakeLaterOnes(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import "time"; var ch = make(chan int); func main() { go func() { time.Sleep(900 * time.Millisecond); ch <- 5 }() }`, "")
	s.want(`func main() { print(<-ch) }`, "5")
	_, err := s.run(t.Context(), `func main() { <-ch }`)
	if err == nil || err.Error() != deadlock {
		t.Errorf("error is %v, want %s", err, deadlock)
	}
}
