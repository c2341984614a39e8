//go:build unix

package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
)

// patience is the maximum wait for another process on a busy machine.
const patience = 2 * time.Minute

func start(t *testing.T, change ...func(*Options)) *Client {
	t.Helper()
	opts := Options{Args: []string{"evaluator"}, Grace: 300 * time.Millisecond}
	for _, f := range change {
		f(&opts)
	}
	c, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// eval runs a cell and returns its text/plain value.
func eval(t *testing.T, c *Client, code string, out evaluator.Output) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := c.Eval(ctx, evaluator.Cell{Code: code}, out)
	if ctx.Err() != nil {
		t.Fatalf("%q: no answer in %v", code, patience)
	}
	if err != nil || res.Value == nil {
		return "", err
	}
	return fmt.Sprint(res.Value.Data["text/plain"]), nil
}

func mustEval(t *testing.T, c *Client, code string) (string, *record) {
	t.Helper()
	out := &record{}
	v, err := eval(t, c, code, out)
	if err != nil {
		t.Fatalf("%q: %v", code, err)
	}
	return v, out
}

func TestStateAndValues(t *testing.T) {
	c := start(t)
	for want := 1; want <= 3; want++ {
		if got, _ := mustEval(t, c, "count"); got != strconv.Itoa(want) {
			t.Errorf("count: got %s, want %d", got, want)
		}
	}
	_, err := eval(t, c, "fail because", &record{})
	want := &evaluator.Error{Name: "panic", Value: "because", Traceback: []string{"one", "two"}}
	if d := cmp.Diff(error(want), err); d != "" {
		t.Errorf("cell error (-want +got):\n%s", d)
	}
	var ce *evaluator.Error
	if _, err := eval(t, c, "plainerror of the session", &record{}); !errors.As(err, &ce) || ce.Value != "of the session" {
		t.Errorf("plain error: got %v, want a *evaluator.Error", err)
	}
}

func TestOutput(t *testing.T) {
	tests := []struct {
		code string
		want []string
	}{
		{"print hello, world\n", []string{"out:hello, world\n"}},
		{"child echo from a child; echo complaint >&2", []string{"out:from a child\n", "err:complaint\n"}},
		{"print 世界 ✓ é", []string{"out:世界 ✓ é"}},
		{"display", []string{"display:a", "update:", "clear:true", "page:", "next:x := 1 true"}},
		{"sayspanic", []string{"err:panic: only a word\nfatal error: said, not meant\n"}},
		{"closeout", []string{"out:still here\n"}},
		{"stdin", nil},
	}
	c := start(t)
	for _, test := range tests {
		t.Run(test.code, func(t *testing.T) {
			_, out := mustEval(t, c, test.code)
			got := out.all()
			if strings.HasPrefix(test.code, "child") && len(got) == 2 && strings.HasPrefix(got[0], "err") {
				got[0], got[1] = got[1], got[0] // two pipes of a child have no common order
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestOrderOfTextAndDisplays(t *testing.T) {
	c := start(t)
	_, out := mustEval(t, c, "order")
	var want []string
	for i := range 50 {
		want = append(want, fmt.Sprintf("out:raw %d\nout %d\n", i, i), fmt.Sprintf("err:err %d\n", i), fmt.Sprintf("display:%d", i))
	}
	if d := cmp.Diff(want, out.all()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestBundleKeepsItsTypes(t *testing.T) {
	c := start(t)
	_, out := mustEval(t, c, "display")
	want := map[string]any{
		"text/plain": "a", "image/png": []byte{1, 2, 255}, "application/json": json.RawMessage(`{"k":[1,2]}`),
	}
	if d := cmp.Diff(want, out.last.Data); d != "" {
		t.Errorf("data (-want +got):\n%s", d)
	}
	if got := out.last.Transient["display_id"]; got != "7" {
		t.Errorf("display_id: got %v, want 7", got)
	}
	if _, err := eval(t, c, "undisplayable", &record{}); err == nil || !strings.Contains(err.Error(), "application/json") {
		t.Errorf("a value that is not JSON: got %v, want an error that names its type", err)
	}
}

func TestDeathBecomesAnErrorOfTheCell(t *testing.T) {
	tests := []struct{ code, want string }{
		{"mapwrites", "fatal error: concurrent map writes"},
		{"gopanic", "panic: boom in a goroutine"},
		{"oom", "fatal error: runtime: out of memory|fatal error: runtime: cannot allocate memory|out of memory"},
		{"overflow", "fatal error: stack overflow"},
		{"exit 3", "exit status 3"},
		{"exit 0", "exit status 0"},
	}
	// The race detector reports the map writes before the runtime does; redirect its report.
	c := start(t, func(o *Options) { o.Env = append(os.Environ(), "GORACE=log_path="+t.TempDir()+"/race") })
	for _, test := range tests {
		t.Run(test.code, func(t *testing.T) {
			mustEval(t, c, "count")
			out := &record{}
			_, err := eval(t, c, test.code, out)
			var ce *evaluator.Error
			if !errors.As(err, &ce) {
				t.Fatalf("got %v, want a *evaluator.Error", err)
			}
			ok := false
			for _, want := range strings.Split(test.want, "|") {
				ok = ok || strings.HasPrefix(ce.Value, want)
			}
			if !ok {
				t.Errorf("evalue: got %q, want %q", ce.Value, test.want)
			}
			if tb := strings.Join(ce.Traceback, "\n"); !strings.Contains(tb, "The session was lost") || !strings.Contains(tb, ce.Value) {
				t.Errorf("traceback does not say what happened and what to do:\n%s", tb)
			}
			if got := out.all(); len(got) > 0 {
				t.Errorf("the runtime's last words are shown as output too: %.300q", got)
			}
			if got, _ := mustEval(t, c, "count"); got != "1" {
				t.Errorf("first cell of the new session: got %s, want 1", got)
			}
		})
	}
}

func TestLostCells(t *testing.T) {
	for want, cells := range map[string][]int{
		"The session was lost; no cell had declared anything yet.":                                   nil,
		"The session was lost, and with it what cell [4] declared: run it again.":                    {4},
		"The session was lost, and with it what the cells from [2] to [9] declared: run them again.": {2, 9, 3},
	} {
		if got := lostCells(cells); got != want {
			t.Errorf("%v: got %q, want %q", cells, got, want)
		}
	}
	if got := advice("fatal error: concurrent map writes", nil); len(got) != 1 || !strings.Contains(got[0], "sync.Mutex") {
		t.Errorf("concurrent map writes: %v", got)
	}
}

// whenRunning calls f once the evaluator has received a cell.
func whenRunning(c *Client, f func()) {
	for {
		c.mu.Lock()
		running := c.running != nil && c.running.proc != nil
		c.mu.Unlock()
		if running {
			break
		}
		time.Sleep(time.Millisecond)
	}
	f()
}

func TestKillNine(t *testing.T) {
	c := start(t)
	mustEval(t, c, "count")
	go whenRunning(c, func() { syscall.Kill(c.Pid(), syscall.SIGKILL) })
	_, err := eval(t, c, "soft", &record{})
	if err == nil || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("got %v, want an error that names the signal", err)
	}
	if got, _ := mustEval(t, c, "count"); got != "1" {
		t.Errorf("next cell: got %s, want 1", got)
	}
}

func TestDeathBetweenCellsIsToldOnce(t *testing.T) {
	c := start(t)
	mustEval(t, c, "dielater")
	pid := c.Pid()
	for deadline := time.Now().Add(patience); c.Pid() == pid; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the evaluator was not replaced")
		}
	}
	if _, err := eval(t, c, "count", &record{}); err == nil || !strings.Contains(err.Error(), nameLost) {
		t.Errorf("next cell: got %v, want %q", err, nameLost)
	}
	if got, _ := mustEval(t, c, "count"); got != "1" {
		t.Errorf("the cell after it: got %s, want 1", got)
	}
}

func TestInterruptSoftly(t *testing.T) {
	c := start(t)
	mustEval(t, c, "count")
	out := &record{}
	go whenRunning(c, c.Interrupt)
	_, err := eval(t, c, "soft", out)
	var ce *evaluator.Error
	if !errors.As(err, &ce) || ce.Name != nameInterrupted || ce.Value != "line 1" {
		t.Errorf("got %v, want the session's own error", err)
	}
	if d := cmp.Diff([]string{"out:on the way out\n"}, out.all()); d != "" {
		t.Errorf("output (-want +got):\n%s", d)
	}
	if got, _ := mustEval(t, c, "count"); got != "2" {
		t.Errorf("count: got %s, want 2: the variables are kept", got)
	}
}

func TestInterruptByContext(t *testing.T) {
	c := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Eval(ctx, evaluator.Cell{Code: "soft"}, &record{})
	var ce *evaluator.Error
	if !errors.As(err, &ce) || ce.Name != nameInterrupted {
		t.Errorf("got %v, want an interrupted cell", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Expression(ctx, "wait"); !errors.As(err, &ce) || ce.Name != nameInterrupted {
		t.Errorf("expression: got %v, want it interrupted", err)
	}
}

func TestInterruptByForce(t *testing.T) {
	for _, second := range []bool{false, true} {
		t.Run(fmt.Sprintf("second=%v", second), func(t *testing.T) {
			c := start(t, func(o *Options) {
				if second {
					o.Grace = time.Hour
				}
			})
			mustEval(t, c, "count")
			go whenRunning(c, c.Interrupt)
			ended, quiet := make(chan struct{}), make(chan struct{})
			go func() { // as often as needed: a busy machine delays the first one
				defer close(quiet)
				for second {
					select {
					case <-time.After(60*time.Millisecond + doubleClick):
						c.Interrupt()
					case <-ended:
						return
					}
				}
			}()
			_, err := eval(t, c, "stuck", &record{})
			close(ended)
			<-quiet // must not affect the next cell
			var ce *evaluator.Error
			if !errors.As(err, &ce) || ce.Name != nameInterrupted || !strings.Contains(strings.Join(ce.Traceback, "\n"), "The session was lost") {
				t.Errorf("got %v, want an interrupt that tells of the lost session", err)
			}
			if got, _ := mustEval(t, c, "count"); got != "1" {
				t.Errorf("next cell: got %s, want 1", got)
			}
		})
	}
}

// TestInterruptDropsTheBacklog interrupts a cell that has filled its pipe. It tries again if a busy
// machine did not fill the pipe in time.
func TestInterruptDropsTheBacklog(t *testing.T) {
	c := start(t)
	size := 0
	for range 10 {
		out := &record{block: make(chan struct{}), blocked: make(chan struct{}, 1)}
		go func() {
			<-out.blocked
			time.Sleep(100 * time.Millisecond) // the pipe fills
			c.Interrupt()
			close(out.block)
		}()
		_, err := eval(t, c, "flood", out)
		var ce *evaluator.Error
		if !errors.As(err, &ce) || ce.Value != "line 2" {
			t.Fatalf("got %v, want the session's own error", err)
		}
		// Text that was already moving into the output may arrive, and so may the few lines between
		// the interrupt and the end. The contents of the full pipe must not.
		if size = out.size; size <= pumpSize+pumpSize/4 {
			return
		}
	}
	t.Errorf("%d bytes of output arrived, want the backlog dropped", size)
}

func TestQuestionsWhileACellRuns(t *testing.T) {
	c := start(t)
	ctx := context.Background()
	mustEval(t, c, "count")
	done := make(chan error)
	go func() {
		_, err := c.Eval(ctx, evaluator.Cell{Code: "soft"}, &record{})
		done <- err
	}()
	got, err := c.Complete(ctx, "ab", 2)
	want := evaluator.Completion{Start: 0, End: 2, Matches: []evaluator.Match{{Text: "ab!", Kind: "function", Signature: "()"}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("Complete: %v (-want +got):\n%s", err, d)
	}
	b, found, err := c.Inspect(ctx, "ab", 1, 0)
	if err != nil || !found || b.Data["text/plain"] != "ab1 0" {
		t.Errorf("Inspect: got %v, %v, %v", b, found, err)
	}
	if _, found, err := c.Inspect(ctx, "", 0, 0); found || err != nil {
		t.Errorf("Inspect of nothing: got %v, %v", found, err)
	}
	if got := c.IsComplete("if x {"); got != (evaluator.Completeness{Status: "incomplete", Indent: "\t"}) {
		t.Errorf("IsComplete: got %v", got)
	}
	select {
	case err := <-done:
		t.Fatalf("the cell ended: %v", err)
	default:
	}
	for { // the interrupt reaches the cell once it runs
		c.Interrupt()
		select {
		case <-done:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestInput(t *testing.T) {
	c := start(t)
	out := &record{answer: func(_ context.Context, prompt string) (string, error) { return "re: " + prompt, nil }}
	if got, err := eval(t, c, "input name?", out); err != nil || got != "re: name?" {
		t.Errorf("got %q, %v", got, err)
	}
	out.answer = func(context.Context, string) (string, error) { return "", io.EOF }
	if _, err := eval(t, c, "input name?", out); err == nil || !strings.Contains(err.Error(), "EOF") {
		t.Errorf("end of input: got %v, want EOF", err)
	}
	out.answer = func(ctx context.Context, _ string) (string, error) {
		c.Interrupt()
		<-ctx.Done()
		return "", ctx.Err()
	}
	_, err := eval(t, c, "input name?", out)
	var ce *evaluator.Error
	if !errors.As(err, &ce) || ce.Name != nameInterrupted {
		t.Errorf("interrupt while waiting: got %v, want it interrupted", err)
	}
}

func TestLateOutputBelongsToItsCell(t *testing.T) {
	c := start(t)
	_, first := mustEval(t, c, "late")
	_, second := mustEval(t, c, "print second")
	for deadline := time.Now().Add(patience); len(first.all()) < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("late output: got %q", first.all())
		}
	}
	if d := cmp.Diff([]string{"out:late out\n", "err:late err\n"}, first.all()); d != "" {
		t.Errorf("first cell (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"out:second"}, second.all()); d != "" {
		t.Errorf("second cell (-want +got):\n%s", d)
	}
}

func TestMuchOutput(t *testing.T) {
	c := start(t)
	_, out := mustEval(t, c, "lines 100000")
	if want := 100000*6 + 488890; out.size != want { // "line N\n"; the digits of 0..99999
		t.Errorf("100000 lines: got %d bytes, want %d", out.size, want)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, out = mustEval(t, c, "bytes 50000000")
	runtime.GC()
	runtime.ReadMemStats(&after)
	if out.size != 50000000 {
		t.Errorf("50 MB: got %d bytes", out.size)
	}
	// The record keeps 1 MB of it; nothing else may remain.
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("50 MB of output left %d bytes behind", grown)
	}
}

func TestChildrenEndWithTheEvaluator(t *testing.T) {
	c := start(t)
	pid, _ := mustEval(t, c, "child sleep 1000 & sleep 1000")
	child, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval(t, c, "exit 1", &record{}); err == nil {
		t.Fatal("no error")
	}
	waitGone(t, child)
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(b), ") Z ") {
			return // it waits until its parent has recorded that
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// TestEvaluatorEndsWithTheKernel kills the process that holds the client.
func TestEvaluatorEndsWithTheKernel(t *testing.T) {
	if os.Getenv("WORKER_TEST_KERNEL") != "" { // that process
		c, err := Start(Options{Args: []string{"evaluator"}})
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := mustEval(t, c, "child sleep 1000 & sleep 1000")
		fmt.Printf("pids %d %s\n", c.Pid(), pid)
		time.Sleep(time.Minute)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestEvaluatorEndsWithTheKernel$")
	cmd.Env = append(os.Environ(), "WORKER_TEST_KERNEL=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var evaluator, child int
	if _, err := fmt.Fscanf(stdout, "pids %d %d\n", &evaluator, &child); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // fails because the process was killed
	waitGone(t, evaluator)
	waitGone(t, child)
}

// TestNothingIsLeftRunning closes clients whose evaluators have worked, died and been replaced, and
// counts the remaining goroutines.
func TestNothingIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		c, err := Start(Options{Args: []string{"evaluator"}})
		if err != nil {
			t.Fatal(err)
		}
		mustEval(t, c, "lines 1000")
		if _, err := eval(t, c, "exit 1", &record{}); err == nil {
			t.Fatal("no error")
		}
		mustEval(t, c, "late")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Eval(context.Background(), evaluator.Cell{Code: "count"}, &record{}); err == nil {
			t.Error("a closed client evaluates")
		}
	}
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left, there were %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestSessionThatCannotStart(t *testing.T) {
	for mode, want := range map[string]string{
		"refuse": "no symbols",
		"die":    "exit status 7",
	} {
		t.Run(mode, func(t *testing.T) {
			c := start(t, func(o *Options) { o.Env = append(os.Environ(), "WORKER_TEST="+mode) })
			for range 2 { // it keeps reporting that, and keeps trying
				if _, err := eval(t, c, "count", &record{}); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want an error with %q", err, want)
				}
			}
			if got := c.IsComplete("x").Status; got != "unknown" {
				t.Errorf("IsComplete: got %s, want unknown", got)
			}
		})
	}
}

// TestEvaluatorThatDiesIdle checks that an evaluator that repeatedly ends by itself is not
// restarted forever.
func TestEvaluatorThatDiesIdle(t *testing.T) {
	c := start(t, func(o *Options) { o.Env = append(os.Environ(), "WORKER_TEST=idle") })
	for deadline := time.Now().Add(patience); c.Pid() != 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it is started again and again")
		}
	}
	if _, err := eval(t, c, "count", &record{}); err == nil || !strings.Contains(err.Error(), "exit status 8") {
		t.Errorf("got %v, want an error with its exit status", err)
	}
}

// TestFreshEvaluatorIsReplacedSilently kills an evaluator that has run nothing. Nothing is lost, so
// the first cell runs as usual.
func TestFreshEvaluatorIsReplacedSilently(t *testing.T) {
	c := start(t)
	if c.IsComplete("x").Status == "unknown" {
		t.Fatal("the evaluator is not ready")
	}
	pid := c.Pid()
	syscall.Kill(pid, syscall.SIGKILL)
	for deadline := time.Now().Add(patience); c.Pid() == pid; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the evaluator was not replaced")
		}
	}
	if got, _ := mustEval(t, c, "count"); got != "1" {
		t.Errorf("the first cell gives %s, want 1", got)
	}
}

// TestContextEndsBeforeTheCell checks that an interrupt that arrives before the evaluator has the
// cell is not lost.
func TestContextEndsBeforeTheCell(t *testing.T) {
	c := start(t)
	mustEval(t, c, "count")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var ce *evaluator.Error
	if _, err := c.Eval(ctx, evaluator.Cell{Code: "soft"}, &record{}); !errors.As(err, &ce) || ce.Name != nameInterrupted {
		t.Errorf("got %v, want an interrupted cell", err)
	}
	if got, _ := mustEval(t, c, "count"); got != "2" {
		t.Errorf("the next cell gives %s, want 2", got)
	}
}

// TestContextNeverEndsTheEvaluator ends a cell's context long after an interrupt: that must not
// count as a second interrupt.
func TestContextNeverEndsTheEvaluator(t *testing.T) {
	c := start(t, func(o *Options) { o.Grace = time.Hour })
	mustEval(t, c, "count")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &record{answer: func(stop context.Context, _ string) (string, error) {
		c.Interrupt()
		<-stop.Done()
		time.Sleep(2 * doubleClick)
		cancel()
		time.Sleep(doubleClick)
		return "", stop.Err()
	}}
	var ce *evaluator.Error
	if _, err := c.Eval(ctx, evaluator.Cell{Code: "input ?"}, out); !errors.As(err, &ce) || ce.Name != nameInterrupted {
		t.Errorf("got %v, want an interrupted cell", err)
	}
	if got, _ := mustEval(t, c, "count"); got != "2" {
		t.Errorf("the next cell gives %s, want 2: the session is kept", got)
	}
}

func TestServeNeedsPipes(t *testing.T) {
	for _, pipes := range []string{"", "x", "3", "0,1", "1000,1001"} {
		if err := Serve(pipes, nil); err == nil || !strings.Contains(err.Error(), "kernel process starts the evaluator") {
			t.Errorf("Serve(%q): got %v", pipes, err)
		}
	}
}

func BenchmarkTrivialCell(b *testing.B) {
	c, err := Start(Options{Args: []string{"evaluator"}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	out := &record{}
	for b.Loop() {
		if _, err := c.Eval(context.Background(), evaluator.Cell{Code: "count"}, out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	c, err := Start(Options{Args: []string{"evaluator"}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		if _, err := c.Eval(context.Background(), evaluator.Cell{Code: "lines 100000"}, &record{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestForgedFrames(t *testing.T) {
	c := start(t)
	if _, err := eval(t, c, "low \xff\xff\xff\xff junk", &record{}); err != nil {
		t.Errorf("what cells write to low descriptors does harm: %v", err)
	}
	for _, junk := range []string{"x", "hello, pipe", strings.Repeat("\xff", 64), "\x1f\xff\xff\xff\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 100)} {
		pid := c.Pid()
		_, err := eval(t, c, "forge "+junk, &record{})
		if err == nil || !strings.Contains(err.Error(), "that is not a message") {
			t.Errorf("%.10q: error %v", junk, err)
		}
		if got, _ := mustEval(t, c, "count"); got != "1" || c.Pid() == pid {
			t.Errorf("%.10q: no fresh evaluator", junk)
		}
	}
}

func TestClosedStdoutLosesNoReply(t *testing.T) {
	c := start(t)
	for range 200 {
		if got, _ := mustEval(t, c, "closes"); got != "closed" {
			t.Fatalf("the reply is %q", got)
		}
	}
	if _, out := mustEval(t, c, "lines 2"); strings.Join(out.events, "") != "out:line 0\nline 1\n" {
		t.Errorf("printed %q", out.events)
	}
}
