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
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// TestMain is also the evaluator process of the tests, with a session that executes simple
// commands.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "evaluator" {
		err := Serve(os.Args[3], func() (evaluator.Session, error) {
			switch os.Getenv("WORKER_TEST") {
			case "refuse":
				return nil, errors.New("no symbols")
			case "die":
				os.Exit(7)
			case "idle":
				time.AfterFunc(20*time.Millisecond, func() { os.Exit(8) })
			}
			return &fake{}, nil
		})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// fake is a session whose cells consist of a command and an argument.
type fake struct {
	n    int
	take func(json.RawMessage)
}

func (s *fake) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	verb, arg, _ := strings.Cut(cell.Code, " ")
	value := func(text string) (evaluator.Result, error) {
		return evaluator.Result{Value: &display.Bundle{Data: map[string]any{"text/plain": text}}}, nil
	}
	switch verb {
	case "count": // state that is lost with the session
		s.n++
		return value(strconv.Itoa(s.n))
	case "print":
		fmt.Print(arg)
	case "lines":
		n, _ := strconv.Atoi(arg)
		for i := range n {
			out.Stdout("line " + strconv.Itoa(i) + "\n")
		}
	case "bytes":
		n, _ := strconv.Atoi(arg)
		block := strings.Repeat(strings.Repeat("x", 99)+"\n", 100)
		for range n / len(block) {
			os.Stdout.WriteString(block)
		}
	case "child":
		cmd := exec.Command("sh", "-c", arg)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return evaluator.Result{}, err
		}
		if !strings.Contains(arg, "sleep") {
			return evaluator.Result{}, cmd.Wait()
		}
		return value(strconv.Itoa(cmd.Process.Pid))
	case "order":
		for i := range 50 {
			fmt.Fprintf(os.Stdout, "raw %d\n", i)
			out.Stdout(fmt.Sprintf("out %d\n", i))
			out.Stderr(fmt.Sprintf("err %d\n", i))
			b := display.Bundle{Data: map[string]any{"text/plain": strconv.Itoa(i)}}
			if err := out.Display(b); err != nil {
				return evaluator.Result{}, err
			}
		}
	case "display":
		b := display.Bundle{
			Data: map[string]any{
				"text/plain": "a", "image/png": []byte{1, 2, 255},
				"application/json": map[string]any{"k": []int{1, 2}},
			},
			Metadata:  map[string]any{"image/png": map[string]any{"width": 3}},
			Transient: map[string]any{"display_id": "7"},
		}
		return evaluator.Result{}, errors.Join(out.Display(b), out.Update(b), out.Clear(true), out.Page(b), out.SetNextInput("x := 1", true))
	case "undisplayable":
		return evaluator.Result{}, out.Display(display.Bundle{Data: map[string]any{"application/json": func() {}}})
	case "input":
		line, err := out.Input(ctx, arg, false)
		if err != nil {
			return evaluator.Result{}, err
		}
		return value(line)
	case "forge": // write bytes to everything that a cell can write to
		for fd := 3; fd < 4096; fd++ {
			_, _ = syscall.Write(fd, []byte(arg))
		}
	case "low": // what is written to descriptors that programs guess
		for fd := 3; fd < 100; fd++ {
			_, _ = syscall.Write(fd, []byte(arg))
		}
	case "closes":
		os.Stdout.Close()
		return value("closed")
	case "stdin":
		b, err := io.ReadAll(os.Stdin)
		if err != nil {
			return evaluator.Result{}, err
		}
		return value(fmt.Sprintf("%q", b))
	case "late":
		go func() {
			time.Sleep(100 * time.Millisecond)
			out.Stdout("late out\n")
			out.Stderr("late err\n")
		}()
	case "soft": // stops at an interrupt
		<-ctx.Done()
		out.Stdout("on the way out\n")
		return evaluator.Result{}, newError("interrupted", "line 1")
	case "flood":
		for ctx.Err() == nil {
			fmt.Println("flood")
		}
		return evaluator.Result{}, newError("interrupted", "line 2")
	case "stuck":
		fmt.Println("stuck")
		for {
			runtime.Gosched()
		}
	case "exit":
		n, _ := strconv.Atoi(arg)
		os.Exit(n)
	case "mapwrites":
		m := map[int]int{}
		for range 4 {
			go func() {
				for i := 0; ; i++ {
					m[i%8] = i
				}
			}()
		}
		time.Sleep(time.Minute)
	case "gopanic":
		go func() { panic("boom in a goroutine") }()
		time.Sleep(time.Minute)
	case "dielater":
		time.AfterFunc(50*time.Millisecond, func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) })
	case "oom":
		var keep [][]byte
		for {
			keep = append(keep, make([]byte, 1<<40))
			runtime.KeepAlive(keep)
		}
	case "overflow":
		debug.SetMaxStack(1 << 20) // the usual limit takes long on a busy machine
		var f func(int) int
		f = func(n int) int { return f(n+1) + 1 }
		return value(strconv.Itoa(f(0)))
	case "sayspanic":
		out.Stderr("panic: only a word\n")
		fmt.Fprintln(os.Stderr, "fatal error: said, not meant")
	case "closeout":
		os.Stdout.Close()
		out.Stdout("still here\n")
	case "fail":
		return evaluator.Result{}, &evaluator.Error{Name: "panic", Value: arg, Traceback: []string{"one", "two"}}
	case "plainerror":
		return evaluator.Result{}, errors.New(arg)
	default:
		return evaluator.Result{}, fmt.Errorf("fake: no command %q", verb)
	}
	return evaluator.Result{}, nil
}

func (s *fake) Expression(ctx context.Context, code string) (display.Bundle, error) {
	if code == "wait" {
		<-ctx.Done()
		return display.Bundle{}, ctx.Err()
	}
	return display.Bundle{Data: map[string]any{"text/plain": code}}, nil
}

func (s *fake) Complete(_ context.Context, code string, cursor int) (evaluator.Completion, error) {
	return evaluator.Completion{Start: 0, End: cursor, Matches: []evaluator.Match{{Text: code + "!", Kind: "function", Signature: "()"}}}, nil
}

func (s *fake) Inspect(_ context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	if code == "" {
		return display.Bundle{}, false, nil
	}
	return display.Bundle{Data: map[string]any{"text/plain": fmt.Sprint(code, cursor, detail)}}, true, nil
}

func (s *fake) IsComplete(code string) evaluator.Completeness {
	return evaluator.Completeness{Status: "incomplete", Indent: "\t"}
}

func (s *fake) Close() error { return nil }

// record is an Output that records what it receives.
type record struct {
	mu     sync.Mutex
	events []string // "out:text", "display:text/plain"; consecutive ones of one kind are merged
	size   int
	answer func(ctx context.Context, prompt string) (string, error)
	last   display.Bundle
	block  chan struct{} // if not nil, Stdout waits for it
	// blocked receives a value when Stdout begins to wait.
	blocked chan struct{}
}

func (r *record) add(kind, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size += len(text)
	if n := len(r.events); n > 0 && strings.HasPrefix(r.events[n-1], kind+":") && (kind == "out" || kind == "err") {
		if len(r.events[n-1]) < 1<<20 {
			r.events[n-1] += text
		}
		return
	}
	r.events = append(r.events, kind+":"+text)
}

func (r *record) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.events...)
}

func (r *record) Stdout(text string) {
	if r.block != nil {
		select {
		case r.blocked <- struct{}{}:
		default:
		}
		<-r.block
	}
	r.add("out", text)
}
func (r *record) Stderr(text string) { r.add("err", text) }
func (r *record) Display(b display.Bundle) error {
	r.mu.Lock()
	r.last = b
	r.mu.Unlock()
	r.add("display", fmt.Sprint(b.Data["text/plain"]))
	return nil
}
func (r *record) Update(b display.Bundle) error { r.add("update", ""); return nil }
func (r *record) Clear(wait bool) error         { r.add("clear", fmt.Sprint(wait)); return nil }
func (r *record) Page(b display.Bundle) error   { r.add("page", ""); return nil }
func (r *record) SetNextInput(t string, replace bool) error {
	r.add("next", fmt.Sprint(t, " ", replace))
	return nil
}
func (r *record) Input(ctx context.Context, prompt string, _ bool) (string, error) {
	return r.answer(ctx, prompt)
}
