package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/kerneltest"
)

// fake is an Evaluator whose cells are commands, one per line.
type fake struct {
	mu         sync.Mutex
	stop       chan struct{} // closed by Interrupt while a cell runs
	interrupts int
	closed     bool
	cells      []evaluator.Cell
	late       chan string // text for the goroutine that the command "late" starts
	started    chan struct{}
	waiting    chan struct{} // receives an element when "wait" starts
	gate       chan struct{} // lets "gate" continue
	kept       []evaluator.Output
}

func newFake() *fake {
	return &fake{late: make(chan string, 1), started: make(chan struct{}, 100), waiting: make(chan struct{}, 100), gate: make(chan struct{})}
}

func text(s string) display.Bundle {
	return display.Bundle{Data: map[string]any{"text/plain": s}}
}

func (f *fake) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	f.mu.Lock()
	f.stop = make(chan struct{})
	stop := f.stop
	f.cells = append(f.cells, cell)
	f.mu.Unlock()
	f.started <- struct{}{}
	defer func() {
		f.mu.Lock()
		f.stop = nil
		f.mu.Unlock()
		select {
		case <-f.started:
		default:
		}
	}()
	var last *display.Bundle
	for line := range strings.Lines(cell.Code) {
		verb, arg, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		v, err := f.run(ctx, stop, out, verb, arg)
		if err != nil {
			return evaluator.Result{}, err
		}
		last = v
	}
	return evaluator.Result{Value: last}, nil
}

// huge returns a string that exceeds the maximum size of an output.
func huge() string { return strings.Repeat("x", 130<<20) }

var errInterrupted = &evaluator.Error{Name: "interrupted", Value: "the cell was interrupted"}

func (f *fake) run(ctx context.Context, stop chan struct{}, out evaluator.Output, verb, arg string) (*display.Bundle, error) {
	switch verb {
	case "", "nothing":
	case "value":
		b := text(arg)
		return &b, nil
	case "hugevalue":
		b := text(huge())
		return &b, nil
	case "huge":
		return nil, out.Display(text(huge()))
	case "keep": // keeps the output after the end of the cell
		f.mu.Lock()
		f.kept = append(f.kept, out)
		f.mu.Unlock()
	case "badvalue":
		return &display.Bundle{Data: map[string]any{"application/json": make(chan int)}}, nil
	case "print":
		out.Stdout(arg + "\n")
	case "raw":
		s, err := strconv.Unquote(arg)
		if err != nil {
			return nil, err
		}
		out.Stdout(s)
	case "eprint":
		out.Stderr(arg + "\n")
	case "lines": // count
		n, _ := strconv.Atoi(arg)
		for i := range n {
			out.Stdout("line " + strconv.Itoa(i) + "\n")
		}
	case "bytes": // count
		n, _ := strconv.Atoi(arg)
		block := strings.Repeat("0123456789abcde\n", 256)
		for ; n > 0; n -= len(block) {
			out.Stdout(block[:min(n, len(block))])
		}
	case "switch": // count
		n, _ := strconv.Atoi(arg)
		for range n {
			out.Stdout("o\n")
			out.Stderr("e\n")
		}
	case "flood":
		block := strings.Repeat("x", 1<<16)
		for {
			select {
			case <-stop:
				return nil, errInterrupted
			default:
				out.Stdout(block)
			}
		}
	case "gate":
		<-f.gate
	case "wait":
		f.waiting <- struct{}{}
		select {
		case <-stop:
			return nil, errInterrupted
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "sleep":
		d, _ := time.ParseDuration(arg)
		time.Sleep(d)
	case "fail":
		return nil, &evaluator.Error{Name: "panic", Value: arg, Traceback: []string{"panic: " + arg, "cell 1, line 1"}}
	case "odd":
		return nil, errors.New("not a cell error")
	case "crash":
		panic(arg)
	case "display":
		return nil, out.Display(display.Bundle{
			Data:      map[string]any{"text/html": "<b>" + arg + "</b>", "image/png": []byte("PNG"), "image/svg+xml": []byte("<svg/>"), "application/json": map[string]any{"nan": math.NaN(), "n": 1}},
			Metadata:  map[string]any{"image/png": map[string]any{"width": 4}},
			Transient: map[string]any{"display_id": "d1"},
		})
	case "displays": // count, of a megabyte each
		n, _ := strconv.Atoi(arg)
		b := text(strings.Repeat("x", 1<<20))
		for range n {
			if err := out.Display(b); err != nil {
				return nil, err
			}
		}
	case "bare":
		return nil, out.Display(display.Bundle{})
	case "remove": // id
		return nil, out.Update(display.Bundle{Transient: map[string]any{"display_id": arg}})
	case "update":
		b := text(arg)
		if arg != "" {
			b.Transient = map[string]any{"display_id": "d1"}
		}
		return nil, out.Update(b)
	case "clear":
		return nil, out.Clear(arg == "wait")
	case "page":
		return nil, out.Page(text(arg))
	case "next":
		return nil, out.SetNextInput(arg, true)
	case "input":
		s, err := out.Input(ctx, arg, false)
		if err != nil {
			return nil, fmt.Errorf("input: %w", err)
		}
		out.Stdout("got " + s + "\n")
	case "late":
		go func() {
			for s := range f.late {
				out.Stdout(s)
				if err := out.Page(text(s)); err == nil {
					out.Stdout("Page succeeded after the cell\n")
				}
				if _, err := out.Input(context.Background(), "?", false); err == nil {
					out.Stdout("Input succeeded after the cell\n")
				}
			}
		}()
	case "lateflood": // count of bytes, printed after the cell
		n, _ := strconv.Atoi(arg)
		go func() {
			time.Sleep(50 * time.Millisecond)
			block := strings.Repeat("x", 1<<16)
			for ; n > 0; n -= len(block) {
				out.Stdout(block[:min(n, len(block))])
			}
		}()
	default:
		return nil, &evaluator.Error{Name: "unknown", Value: verb}
	}
	return nil, nil
}

func (f *fake) Expression(_ context.Context, code string) (display.Bundle, error) {
	if code == "print" {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.kept[len(f.kept)-1].Stdout("from an expression\n")
	}
	if code == "bad" {
		return display.Bundle{}, &evaluator.Error{Name: "undefined", Value: code}
	}
	return text("=" + code), nil
}

// Complete offers a completion that repeats the word before the cursor.
func (f *fake) Complete(_ context.Context, code string, cursor int) (evaluator.Completion, error) {
	start := strings.LastIndexByte(code[:cursor], ' ') + 1
	if code == "oops" {
		return evaluator.Completion{}, errors.New("completion failed")
	}
	w := code[start:cursor]
	if w == "" {
		return evaluator.Completion{Start: start, End: cursor}, nil
	}
	return evaluator.Completion{Start: start, End: cursor, Matches: []evaluator.Match{{Text: w + w, Kind: "function", Signature: "()"}}}, nil
}

func (f *fake) Inspect(_ context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	if cursor == 0 {
		return display.Bundle{}, false, nil
	}
	return text(fmt.Sprintf("%s|%d", code[:cursor], detail)), true, nil
}

func (f *fake) IsComplete(code string) evaluator.Completeness {
	switch {
	case strings.HasSuffix(code, "{"):
		return evaluator.Completeness{Status: "incomplete", Indent: "\t"}
	case code == "?":
		return evaluator.Completeness{}
	}
	return evaluator.Completeness{Status: "complete"}
}

func (f *fake) Interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interrupts++
	if f.stop != nil {
		close(f.stop)
		f.stop = nil
	}
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

func (f *fake) interrupted() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.interrupts
}

func (f *fake) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// ran returns the cells that were evaluated.
func (f *fake) ran() []evaluator.Cell {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.cells)
}

// running waits until a cell runs.
func (f *fake) running(t testing.TB) {
	t.Helper()
	select {
	case <-f.started:
	case <-time.After(kerneltest.Timeout):
		t.Fatal("no cell has started")
	}
}

// start serves a kernel with a fake evaluator until the test ends.
func start(t testing.TB, change ...func(*kernel.Config)) (*fake, kernel.Connection) {
	t.Helper()
	f := newFake()
	cfg := kernel.Config{Evaluator: f, Connection: kernel.Connection{Key: "test-key"}}
	for _, c := range change {
		c(&cfg)
	}
	srv, err := kernel.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, srv)
	return f, srv.Connection()
}

// serve runs srv until the test ends.
func serve(t testing.TB, srv *kernel.Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(kerneltest.Timeout):
			t.Error("Serve did not end")
		}
	})
}
