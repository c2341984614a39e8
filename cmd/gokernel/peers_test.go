package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// TestMain runs the program itself if a test, or a kernel or run of a test, has started it from the
// same binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"evaluator", "kernel", "grade", "check", "version"}, os.Args[1]) {
		main()
		return
	}
	os.Exit(m.Run())
}

// startKernel starts the program as Jupyter does, with both processes, and connects to its sockets.
func startKernel(t *testing.T) *kerneltest.Client {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "connection.json")
	if err := (kernel.Connection{Transport: "tcp", IP: "127.0.0.1", Key: "key", SignatureScheme: "hmac-sha256"}).Write(file); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "kernel", "-f", file, "--history", "")
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's context has killed it, so the error is irrelevant.
		_ = cmd.Wait()
	})
	for end := time.Now().Add(kerneltest.Timeout); ; time.Sleep(5 * time.Millisecond) {
		conn, err := kernel.ReadConnection(file)
		if err == nil && conn.HBPort != 0 {
			return kerneltest.Connect(t, conn)
		}
		if time.Now().After(end) {
			t.Fatalf("the kernel did not open its sockets: %v", err)
		}
	}
}

func value(e kerneltest.Exchange) string {
	for _, m := range e.Of("execute_result") {
		data, _ := m.Content["data"].(map[string]any)
		text, _ := data["text/plain"].(string)
		return text
	}
	return ""
}

var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

func traceback(e kerneltest.Exchange) string {
	var lines []string
	for _, m := range e.Of("error") {
		list, _ := m.Content["traceback"].([]any)
		for _, l := range list {
			line, _ := l.(string)
			lines = append(lines, line)
		}
	}
	return colors.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// TestNotebook runs cells that other kernels get wrong, in order in one session: each returns its
// value, its output, or an error with its text.
func TestNotebook(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct{ name, code, value, stdout, failure string }{
		{"variables survive", "x := 40\nx += 2", "", "", ""},
		{"and are there", "x", "42", "", ""},
		{"generics", "func Map[T, U any](s []T, f func(T) U) (r []U) {\n\tfor _, v := range s {\n\t\tr = append(r, f(v))\n\t}\n\treturn\n}\nMap([]int{1, 2}, strconv.Itoa)", `[]string{"1", "2"}`, "", ""},
		{"min and max", "min(3, 1, 2) + max(2.5, 1)", "3.5", "", ""},
		{"clear", "m := map[string]int{\"a\": 1}\nclear(m)\nlen(m)", "0", "", ""},
		{"range over int", "for i := range 3 {\n\tfmt.Print(i)\n}", "", "012", ""},
		{"range over func", "for v := range slices.Values([]int{7, 8}) {\n\tfmt.Print(v)\n}", "", "78", ""},
		{"loop variables", "var fs []func() int\nfor i := range 3 {\n\tfs = append(fs, func() int { return i })\n}\nfs[0]() + fs[1]() + fs[2]()", "3", "", ""},
		{"slices", "s := []int{3, 1, 2}\nslices.Sort(s)\ns", "[]int{1, 2, 3}", "", ""},
		{"a function", "func rate() float64 { return 0.5 }\nfunc price(v float64) float64 { return v * rate() }\nprice(10)", "5", "", ""},
		{"declared again is seen by its callers", "func rate() float64 { return 0.1 }\nprice(10)", "1", "", ""},
		{"a type", "type P struct{ A int }\nfunc (p P) Get() int { return p.A }\nP{3}.Get()", "3", "", ""},
		{"its method again", "func (p P) Get() int { return 10 * p.A }\nP{3}.Get()", "30", "", ""},
		{"a variable of another type", "x := \"text\"\nx", `"text"`, "", ""},
		{"a panic", "func at(s []int, i int) int {\n\treturn s[i]\n}\nat(nil, 3)", "", "", "panic: runtime error: index out of range [3] with length 0\ncell [15] line 2, column 10, in at\n  return s[i]\n          ^\ncalled from cell [15] line 4"},
		{"all compile errors", "undefinedOne + 1\nundefinedTwo + 1", "", "", "cell [16] line 2, column 1: undefined: undefinedTwo\n  undefinedTwo + 1\n  ^~~~"},
		{"a Stringer in fmt", "type Celsius float64\nfunc (c Celsius) String() string { return fmt.Sprintf(\"%g degrees\", float64(c)) }\nfmt.Println(Celsius(20))", "", "20 degrees\n", ""},
		{"errors.As on a cell's type", "type Lost struct{ What string }\nfunc (l *Lost) Error() string { return l.What + \" is lost\" }\nvar lost *Lost\nerrors.As(fmt.Errorf(\"go: %w\", &Lost{\"key\"}), &lost) && lost.What == \"key\"", "true", "", ""},
		{"Println has no value", "fmt.Println(\"hi\")", "", "hi\n", ""},
		{"nil", "nil", "nil", "", ""},
		{"a third-party import", "import \"github.com/nobody/nothing\"", "", "", "github.com/nobody/nothing"},
	} {
		e := c.Execute(tt.code)
		if got := value(e); got != tt.value {
			t.Errorf("%s: the value is %q, want %q", tt.name, got, tt.value)
		}
		if got := e.Text("stdout"); got != tt.stdout {
			t.Errorf("%s: it prints %q, want %q", tt.name, got, tt.stdout)
		}
		if got := traceback(e); (got == "") != (tt.failure == "") || !strings.Contains(got, tt.failure) {
			t.Errorf("%s: the error is\n%s\nwant one with\n%s", tt.name, got, tt.failure)
		}
	}
}

// Code that ends the process of other kernels results in an error here. If the evaluator itself
// can't continue, the next cell reports it and the one after runs.
func TestCellsThatKillOtherKernels(t *testing.T) {
	c := startKernel(t)
	for _, tt := range []struct {
		code, failure string
		kept          bool
	}{
		{"os.Exit(3)", "exit status 3", true},
		{"log.Fatal(\"the end\")", "exit status 1", true},
		{"go func() { panic(\"in a goroutine\") }()\ntime.Sleep(time.Minute)", "panic: in a goroutine", true},
		{"func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)", "stack overflow", true},
		{"var p *int\n*p = 1", "nil pointer dereference", true},
		{"m := map[int]int{}\nfor range 4 {\n\tgo func() {\n\t\tfor i := 0; ; i++ {\n\t\t\tm[i%8] = i\n\t\t}\n\t}()\n}\ntime.Sleep(time.Minute)", "concurrent map", false},
	} {
		c.Execute("kept := 42")
		e := c.Execute(tt.code)
		if got := traceback(e); e.Status() != "error" || !strings.Contains(got, tt.failure) {
			t.Errorf("%s\ngives %q, want an error with %q", tt.code, got, tt.failure)
		}
		e = c.Execute("kept")
		if tt.kept && value(e) != "42" {
			t.Errorf("%s\nloses the variables: %v", tt.code, e.Reply)
		}
		if !tt.kept && e.Status() == "ok" {
			t.Errorf("%s\nkeeps the variables, want a new session", tt.code)
		}
		if !tt.kept {
			c.Execute("0") // a loss that the cell did not mention is reported once
		}
		if got := value(c.Execute("6 * 7")); got != "42" {
			t.Errorf("after %s\nthe next cell gives %q", tt.code, got)
		}
	}
}

func TestLateOutputAndInput(t *testing.T) {
	c := startKernel(t)
	first := c.Execute("gate := make(chan int)\ngo func() {\n\t<-gate\n\tfmt.Println(\"late\")\n}()")
	c.Send("shell", "execute_request", map[string]any{"code": "gate <- 1"})
	for {
		if m := c.IOPub(); m.Type() == "stream" {
			if m.ParentID != first.ID || m.Str("text") != "late\n" {
				t.Errorf("got %v, want late as the output of the first cell", m)
			}
			break
		}
	}
	c = startKernel(t)
	start := time.Now()
	id := c.Send("shell", "execute_request", map[string]any{"code": "var a, b int\nfmt.Scan(&a, &b)\na * b", "allow_stdin": true})
	if m := c.Recv("stdin"); m.Type() != "input_request" || m.ParentID != id {
		t.Fatalf("got %v, want an input_request", m)
	}
	c.Send("stdin", "input_reply", map[string]any{"value": "6 7"})
	if got := value(c.Await("shell", id, start)); got != "42" {
		t.Errorf("the cell that scans gives %q", got)
	}
}

func TestRequestsAsTheProtocolHasThem(t *testing.T) {
	c := startKernel(t)
	execute := func(content map[string]any) kerneltest.Exchange {
		return c.Request("shell", "execute_request", content)
	}

	e := execute(map[string]any{"code": "s := 1\nfmt.Println(s)\ns", "silent": true})
	if len(e.Outputs) != 0 || e.Reply.Int("execution_count") != 0 {
		t.Errorf("a silent cell gives %v and %v", e.Types(), e.Reply)
	}
	e = execute(map[string]any{"code": "s + 1", "store_history": false})
	if value(e) != "2" || e.Reply.Int("execution_count") != 0 {
		t.Errorf("a cell without history gives %v", e.Reply)
	}
	e = execute(map[string]any{"code": "z := []int{1}", "user_expressions": map[string]string{"a": "len(z) + 1", "b": "z[3]", "c": "z := 2"}})
	got := map[string]any{}
	for name, v := range e.Reply.Content["user_expressions"].(map[string]any) {
		m := v.(map[string]any)
		got[name] = m["evalue"]
		if data, ok := m["data"].(map[string]any); ok {
			got[name] = data["text/plain"]
		}
	}
	want := map[string]any{"a": "2", "b": "runtime error: index out of range [3] with length 1", "c": got["c"]}
	if d := cmp.Diff(want, got); d != "" || !strings.Contains(got["c"].(string), "not an expression") {
		t.Errorf("user_expressions (-want +got):\n%s\n%v", d, got)
	}
	if got := value(c.Execute("z")); got != "[]int{1}" {
		t.Errorf("after the expressions z is %s", got)
	}

	for code, want := range map[string]string{"x := 1": "complete", "for {": "incomplete", "x := )": "invalid"} {
		if got := c.Request("shell", "is_complete_request", map[string]any{"code": code}).Reply.Str("status"); got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}

	const code = "s := \"😀é\"; strings.ToUp"
	r := c.Request("shell", "complete_request", map[string]any{"code": code, "cursor_pos": len([]rune(code))}).Reply
	if list, _ := r.Content["matches"].([]any); len(list) == 0 || list[0] != "ToUpper" ||
		r.Int("cursor_start") != len([]rune(code))-4 || r.Int("cursor_end") != len([]rune(code)) {
		t.Errorf("completion after an emoji: %v", r)
	}
	r = c.Request("shell", "inspect_request", map[string]any{"code": code + "per", "cursor_pos": len([]rune(code)), "detail_level": 0}).Reply
	if found, _ := r.Content["found"].(bool); !found {
		t.Errorf("inspection after an emoji: %v", r)
	}

	h := c.Request("shell", "history_request", map[string]any{"hist_access_type": "tail", "n": 1, "raw": true, "output": false}).Reply
	list, _ := h.Content["history"].([]any)
	if len(list) != 1 || list[0].([]any)[2] != "z" {
		t.Errorf("history: %v, want the last cell", h)
	}
	if r := c.Request("shell", "comm_info_request", map[string]any{}).Reply; r.Str("status") != "ok" || r.Content["comms"] == nil {
		t.Errorf("comm_info: %v", r)
	}
	e = c.Execute("Show(1)\nClearNext()\nShow(2)")
	if d := cmp.Diff([]string{"execute_input", "display_data", "clear_output", "display_data"}, e.Types()); d != "" {
		t.Errorf("clear_output (-want +got):\n%s\n%s", d, traceback(e))
	}
}

func TestStopOnError(t *testing.T) {
	c := startKernel(t)
	send := func(code string, stop bool) string {
		return c.Send("shell", "execute_request", map[string]any{"code": code, "stop_on_error": stop})
	}
	start := time.Now()
	slow, failing, after := send("time.Sleep(300 * time.Millisecond)", true), send("panic(1)", true), send("1", true)
	for i, want := range []string{"ok", "error", "aborted"} {
		id := []string{slow, failing, after}[i]
		if got := c.Await("shell", id, start).Status(); got != want {
			t.Errorf("request %d is %s, want %s", i, got, want)
		}
	}
	failing, after = send("panic(1)", false), send("2", false)
	if got := c.Await("shell", failing, start).Status(); got != "error" {
		t.Errorf("the failing cell is %s", got)
	}
	if got := c.Await("shell", after, start).Status(); got != "ok" {
		t.Errorf("the cell after one that does not stop the others is %s", got)
	}
}
