//go:build linux

package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// These programs recurse through compiled packages.
const (
	deepFmt = `type loud struct{ n int }
func (l loud) String() string { return fmt.Sprintf("%v", l) }
fmt.Println(loud{1})`
	deepJSON = `type knot struct{ n int }
func (k knot) MarshalJSON() ([]byte, error) { return json.Marshal(k) }
json.Marshal(knot{1})`
	deepSort = `var tangled func()
tangled = func() { s := []int{3, 1, 2}; sort.Slice(s, func(i, j int) bool { tangled(); return s[i] < s[j] }) }
tangled()`
	deepTemplate = `template.Must(template.New("a").Parse("{{define \"b\"}}{{template \"b\"}}{{end}}{{template \"b\"}}")).Execute(io.Discard, nil)`
	mapRace      = "m := map[int]int{}\nfor range 8 {\n\tgo func() {\n\t\tfor i := 0; ; i++ {\n\t\t\tm[i%8] = i\n\t\t}\n\t}()\n}\ntime.Sleep(time.Minute)"
	everyFD      = "import \"syscall\"\nfor fd := 3; fd < 4096; fd++ {\n\tsyscall.%s\n}"
)

// cells returns faults whose cell ends by itself.
func cells() []*fault {
	list := []*fault{
		{name: "os.Exit(3)", code: "os.Exit(3)"},
		{name: "log.Fatal", code: `log.Fatal("the end")`},
		{name: "runtime.Goexit", code: "runtime.Goexit()", state: kept},
		{name: "panic with a value", code: `panic("boom")`, ename: "panic"},
		{name: "panic(nil)", code: "panic(nil)"},
		{name: "a panic while another one unwinds", code: "defer func() { panic(2) }()\npanic(1)"},
		{name: "a panic whose Error method panics", ename: "fatal error", code: "type bad struct{}\nfunc (bad) Error() string { panic(\"again\") }\npanic(bad{})"},
		{name: "a panic in a goroutine", code: "go func() { panic(\"aside\") }()\ntime.Sleep(5 * time.Second)"},
		{name: "a nil pointer", code: "var p *int\n*p = 1"},
		{name: "an index out of range", code: "a := []int{1}\ni := 5\na[i]"},
		{name: "integer division by zero", code: "z := 0\n1 / z"},
		{name: "a failed assertion", code: "var v any = 1\nv.(string)"},
		{name: "a closed channel closed again", code: "ch := make(chan int)\nclose(ch)\nclose(ch)"},
		{name: "a negative WaitGroup", code: "var wg sync.WaitGroup\nwg.Add(-1)"},
		{name: "unlock of an unlocked mutex", code: "var mu sync.Mutex\nmu.Unlock()", state: either},
		{name: "concurrent map writes", code: mapRace, state: lost},
		{name: "infinite recursion", code: "func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)", slow: true},
		{name: "a String method that calls itself through fmt", code: deepFmt, slow: true},
		{name: "a MarshalJSON that calls itself", code: deepJSON, slow: true},
		{name: "a comparison that sorts", code: deepSort, slow: true},
		{name: "a template that calls itself", code: deepTemplate, state: either},
		{name: "an infinite recursion that recovers", code: "func sly(n int) { defer func() { recover() }(); sly(n + 1) }\nsly(0)", state: either, slow: true},
		{name: "100 GB at once", code: "b := make([]byte, 100<<30)\nlen(b)"},
		{name: "a slice longer than memory can address", code: "n := 1 << 62\nb := make([]int64, n)\nlen(b)"},
		{name: "a cell that blocks forever", code: "<-make(chan int)"},
		{name: "a mutex locked twice", code: "var twice sync.Mutex\ntwice.Lock()\ntwice.Lock()"},
		{name: "all goroutines wait for each other", code: "a, b := make(chan int), make(chan int)\ngo func() { <-a; b <- 1 }()\n<-b\na <- 1"},
		{name: "10,000 goroutines that wait", code: "var all sync.WaitGroup\ngate := make(chan int)\nfor range 10000 {\n\tall.Add(1)\n\tgo func() { defer all.Done(); <-gate }()\n}\nclose(gate)\nall.Wait()", ename: "ok"},
		{name: "50,000 goroutines that wait", slow: true, code: "var all sync.WaitGroup\ngate := make(chan int)\nfor range 50000 {\n\tall.Add(1)\n\tgo func() { defer all.Done(); <-gate }()\n}\nclose(gate)\nall.Wait()", ename: "ok"},
		{name: "goroutines that print after the cell", lingers: true, code: "for i := range 20 {\n\tgo func() { time.Sleep(time.Duration(i) * time.Millisecond); fmt.Println(i) }()\n}", ename: "ok"},
		{name: "os.Stdout.Close()", code: `os.Stdout.Close()`},
		{name: "all descriptors closed", code: fmt.Sprintf(everyFD, "Close(fd)"), state: either},
		{name: "noise written to all descriptors", code: fmt.Sprintf(everyFD, `Write(fd, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03"))`), state: either},
		{name: "standard output redirected to another file", code: "import \"syscall\"\nf, _ := os.Open(os.DevNull)\nsyscall.Dup2(int(f.Fd()), 1)\nfmt.Println(1)"},
		{name: "a write to address 1", code: "import \"unsafe\"\n*(*int)(unsafe.Pointer(uintptr(1))) = 1", state: either},
		{name: "a write far beyond a slice", code: "import \"unsafe\"\ns := make([]byte, 8)\n*(*int)(unsafe.Add(unsafe.Pointer(&s[0]), 1<<44)) = 1", state: either},
		{name: "kill -9 of itself", code: "import \"syscall\"\nsyscall.Kill(os.Getpid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)", state: lost},
		{name: "SIGSEGV to itself", code: "import \"syscall\"\nsyscall.Kill(os.Getpid(), syscall.SIGSEGV)\ntime.Sleep(time.Second)", state: either},
		{name: "SIGTERM to itself", code: "import \"syscall\"\nsyscall.Kill(os.Getpid(), syscall.SIGTERM)\ntime.Sleep(time.Minute)", state: either},
		{name: "SIGINT to itself", code: "import \"syscall\"\nsyscall.Kill(os.Getpid(), syscall.SIGINT)"},
		{name: "SIGINT to its parent, the kernel", code: "import \"syscall\"\nsyscall.Kill(os.Getppid(), syscall.SIGINT)\ntime.Sleep(20 * time.Millisecond)", state: either},
		{name: "replaced by another program (execve)", code: "import \"syscall\"\nsyscall.Exec(\"/bin/true\", []string{\"true\"}, nil)", state: either},
		{name: "200 programs that keep running", code: "import \"os/exec\"\nfor range 200 {\n\texec.Command(\"sleep\", \"0.2\").Start()\n}"},
		{name: "bytes that are not text", code: "b := make([]byte, 1<<16)\nfor i := range b {\n\tb[i] = byte(i * 7)\n}\nos.Stdout.Write(b)", ename: "ok"},
		{name: "terminal sequences", code: "for i := range 2000 {\n\tfmt.Print(\"\\x1b[\", i, \"m\\r\\x00\\x07\\b\")\n}", ename: "ok"},
		{name: "one line of 10 MB", code: `fmt.Println(strings.Repeat("x", 10<<20))`, ename: "ok"},
		{name: "100,000 lines", code: "for i := range 100000 {\n\tfmt.Println(i)\n}", ename: "ok"},
		{name: "a value of 100 MB", code: `strings.Repeat("x", 100<<20)`},
		{name: "a picture of 100 MB", code: `Show(display.Bundle{Data: map[string]any{"text/html": strings.Repeat("x", 100<<20)}})`},
		{name: "a bundle of 500 MB", code: `Show(display.Bundle{Data: map[string]any{"text/html": strings.Repeat("x", 500<<20)}})`, slow: true},
		{name: "an error text of 100 MB", code: `panic(strings.Repeat("x", 100<<20))`, ename: "panic", slow: true},
		{name: "1000 displays", code: "for i := range 1000 {\n\tShow(HTML(fmt.Sprint(i)))\n}", ename: "ok"},
		{name: "100,000 displays", long: true, code: "for i := range 100000 {\n\tShow(HTML(fmt.Sprint(i)))\n}", ename: "ok"},
		{name: "a cell of 1 MB", code: "s := `" + strings.Repeat("long ", 200000) + "`\nlen(s)", ename: "ok"},
		{name: "an expression nested 5000 deep", code: strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)},
		{name: "brackets that never close", code: strings.Repeat("[{(", 3000)},
	}
	for _, f := range list {
		f.group = "user code"
	}
	return append(list, stopped()...)
}

// stopped returns faults whose cell the user stops or whose evaluator the system ends.
func stopped() []*fault {
	endless := func(name, code string, state fate, long bool) *fault {
		return &fault{group: "user code, stopped by the user", name: name, state: state, long: long, do: func(t *trial) error {
			x := t.c.start("fmt.Println(`begun`)\n" + code)
			if err := x.started(); err != nil {
				return err
			}
			return t.interrupt(x)
		}}
	}
	// Each goroutine starts two, for a while.
	tree := func(name string, grows time.Duration, state fate, long bool) *fault {
		return &fault{group: "user code, stopped by the user", name: name, state: state, long: long, do: func(t *trial) error {
			x := t.c.start("var f func()\nf = func() {\n\tgo f()\n\tgo f()\n\ttime.Sleep(time.Minute)\n}\nfmt.Println(`begun`)\nf()")
			if err := x.started(); err != nil {
				return err
			}
			time.Sleep(grows)
			return t.interrupt(x)
		}}
	}
	list := []*fault{
		endless("an empty loop", "for {}", kept, false),
		endless("endless output", "for {\n\tfmt.Println(`again`)\n}", kept, false),
		endless("endless displays", "for i := 0; ; i++ {\n\tShow(HTML(fmt.Sprint(i)))\n}", kept, false),
		endless("a sleep", "time.Sleep(time.Hour)", kept, false),
		endless("a loop that recovers from everything", "for {\n\tfunc() {\n\t\tdefer func() { recover() }()\n\t\tfor {}\n\t}()\n}", either, false),
		endless("a compiled function that never returns", "regexp.MustCompile(`(x+x+)+y`).FindAllString(strings.Repeat(`x`, 1<<28), -1)", either, true),
		endless("a program that never ends", "import \"os/exec\"\nexec.Command(\"sleep\", \"1000\").Run()", kept, false),
		endless("endless goroutines", "for {\n\tgo func() { for {} }()\n\ttime.Sleep(time.Millisecond)\n}", either, false),
		tree("an endless tree of goroutines", 300*time.Millisecond, either, false),
		tree("an endless tree of goroutines, after 8 s", 8*time.Second, either, true),
		{group: "user code, stopped by the user", name: "an evaluator that is suspended (kill -STOP)", state: lost, long: true, do: func(t *trial) error {
			x := t.c.start("fmt.Println(`begun`)\nfor {}")
			if err := x.started(); err != nil {
				return err
			}
			if err := hold(t.k.evaluator()); err != nil {
				return err
			}
			return t.interrupt(x)
		}},
	}
	killed := func(name, code string, most time.Duration, state fate) *fault {
		return &fault{group: "the evaluator is killed (kill -9)", name: name, state: state, do: func(t *trial) error {
			id := t.k.evaluator()
			x := t.c.start(code)
			time.Sleep(time.Duration(t.rand.Int64N(int64(most))))
			if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
				return err
			}
			x.wait()
			t.took = x.took
			return nil
		}}
	}
	return append(list,
		killed("at any moment of a short cell", "n := 0\nfor i := range 1000 {\n\tn += i\n}", 3*time.Millisecond, either),
		killed("while a cell runs", "for {}", 50*time.Millisecond, lost),
		killed("while a cell prints", "for {\n\tfmt.Println(`again`)\n}", 50*time.Millisecond, lost),
		killed("while a cell is compiled", strings.Repeat("var _ = func(a, b int) int { for a < b { a++ }; return a }\n", 2000)+"for {}", 200*time.Millisecond, lost),
		killed("while a cell shows 50 MB", "Show(display.Bundle{Data: map[string]any{`text/html`: strings.Repeat(`x`, 50<<20)}})\nfor {}", 300*time.Millisecond, lost),
		&fault{group: "the evaluator is killed (kill -9)", name: "between two cells", state: lost, do: func(t *trial) error {
			return syscall.Kill(t.k.evaluator(), syscall.SIGKILL)
		}},
	)
}

// interrupt interrupts a cell with a control request and waits for its end.
func (t *trial) interrupt(x *exchange) error {
	at := time.Now()
	t.c.send("control", "interrupt_request", map[string]any{})
	if !x.wait() {
		return fmt.Errorf("the cell still runs %v after an interrupt", patience)
	}
	t.took = time.Since(at)
	return nil
}
