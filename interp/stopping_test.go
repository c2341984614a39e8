package interp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// stopper is a frontend that stops cells.
type stopper struct {
	*panel
	told  chan map[string]any
	ended chan error
}

func openStopper(t *testing.T) *stopper {
	p := &stopper{panel: &panel{notebook: open(t)}, told: make(chan map[string]any, 100), ended: make(chan error, 1)}
	p.DebugEvents(func(e json.RawMessage) {
		var m map[string]any
		if err := json.Unmarshal(e, &m); err != nil {
			t.Error(err)
		}
		p.told <- m
	})
	p.body("initialize", nil)
	p.body("attach", nil)
	p.event("initialized")
	return p
}

// body sends a request that must succeed, and returns the body of the response.
func (p *stopper) body(command string, arguments map[string]any) map[string]any {
	p.tb.Helper()
	r := p.ask(command, arguments)
	if r["success"] != true {
		p.tb.Fatalf("%s: %v", command, r["message"])
	}
	body, _ := r["body"].(map[string]any)
	return body
}

// event waits for an event.
func (p *stopper) event(name string) map[string]any {
	p.tb.Helper()
	select {
	case e := <-p.told:
		if e["event"] != name {
			p.tb.Fatalf("the event is %v, want %s", e, name)
		}
		body, _ := e["body"].(map[string]any)
		return body
	case <-time.After(20 * time.Second):
		p.tb.Fatalf("there is no event %s", name)
	}
	return nil
}

// breakAt sets breakpoints in a cell, whether or not it has run.
func (p *stopper) breakAt(code string, points ...map[string]any) map[string]any {
	p.tb.Helper()
	path := p.body("dumpCell", map[string]any{"code": code})["sourcePath"]
	return p.body("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": points})
}

// start runs a cell.
func (p *stopper) start(ctx context.Context, number int, code string) {
	go func() {
		_, err := p.Eval(ctx, evaluator.Cell{Code: code, Number: number}, &recorder{})
		p.ended <- err
	}()
}

// end waits for the end of the cell.
func (p *stopper) end() error {
	p.tb.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(20 * time.Second):
		p.tb.Fatal("the cell has not ended")
	}
	return nil
}

// top returns the innermost frame of a stopped goroutine, and all frames as text.
func (p *stopper) top(thread any) (frame map[string]any, all string) {
	p.tb.Helper()
	var names []string
	for _, f := range p.body("stackTrace", map[string]any{"threadId": thread})["stackFrames"].([]any) {
		f := f.(map[string]any)
		if frame == nil {
			frame = f
		}
		names = append(names, fmt.Sprintf("%s:%v", f["name"], f["line"]))
	}
	return frame, strings.Join(names, " ")
}

// locals lists the variables of a frame.
func (p *stopper) locals(frame map[string]any) (reference any, text string) {
	p.tb.Helper()
	scopes := p.body("scopes", map[string]any{"frameId": frame["id"]})["scopes"].([]any)
	reference = scopes[0].(map[string]any)["variablesReference"]
	var all []string
	for _, v := range p.body("variables", map[string]any{"variablesReference": reference})["variables"].([]any) {
		v := v.(map[string]any)
		all = append(all, fmt.Sprintf("%s=%s", v["name"], v["value"]))
	}
	return reference, strings.Join(all, " ")
}

const perceptronCell = `type Perceptron struct {
	w []float64
	b float64
}
func (p *Perceptron) update(x []float64, y float64) bool {
	s := p.b
	for i, v := range x {
		s += p.w[i] * v
	}
	if y*s > 0 {
		return false
	}
	for i, v := range x {
		p.w[i] += y * v
	}
	p.b += y
	return true
}`

const trainCell = `p := &Perceptron{w: make([]float64, 2)}
mistakes := 0
for _, x := range [][]float64{{1, 2}, {2, 1}} {
	if p.update(x, 1) {
		mistakes++
	}
}`

func TestDebugPerceptron(t *testing.T) {
	p := openStopper(t)
	p.must(perceptronCell)
	if r := p.breakAt(perceptronCell, map[string]any{"line": 10}); fmt.Sprint(r["breakpoints"].([]any)[0].(map[string]any)["verified"]) != "true" {
		t.Errorf("breakpoints are %v", r)
	}
	p.start(t.Context(), 2, trainCell)
	stop := p.event("stopped")
	if stop["reason"] != "breakpoint" {
		t.Errorf("stopped: %v", stop)
	}
	frame, at := p.top(stop["threadId"])
	if at != "(*Perceptron).update:10 cell:4" {
		t.Errorf("stopped at %s", at)
	}
	path := frame["source"].(map[string]any)["path"]
	if text := p.body("source", map[string]any{"source": map[string]any{"path": path}})["content"]; text != perceptronCell {
		t.Errorf("the source %v is %v", path, text)
	}
	reference, text := p.locals(frame)
	if text != "p=&Perceptron{w: []float64{0, 0}, b: 0} x=[]float64{1, 2} y=1 s=0" {
		t.Errorf("the variables are %s", text)
	}
	eval := func(expr string) any {
		t.Helper()
		return p.body("evaluate", map[string]any{"expression": expr, "frameId": frame["id"]})["result"]
	}
	for expr, want := range map[string]string{"y*s + p.b": "0", "len(x) + mistakes": "2", `fmt.Sprint(p.w)`: `"[0 0]"`, "math.Sqrt(x[1] + 2)": "2"} {
		if got := eval(expr); got != want {
			t.Errorf("%s is %v, want %s", expr, got, want)
		}
	}
	if r := p.ask("evaluate", map[string]any{"expression": "nothing", "frameId": frame["id"]}); r["success"] != false || !strings.Contains(fmt.Sprint(r["message"]), "undefined: nothing") {
		t.Errorf("an unknown name: %v", r)
	}
	if got := p.body("setVariable", map[string]any{"variablesReference": reference, "name": "y", "value": "5"})["value"]; got != "5" {
		t.Errorf("y is set to %v", got)
	}
	p.body("next", map[string]any{"threadId": stop["threadId"]})
	p.event("continued")
	stop = p.event("stopped")
	if _, at := p.top(stop["threadId"]); stop["reason"] != "step" || at != "(*Perceptron).update:13 cell:4" {
		t.Errorf("stepped to %s: %v", at, stop)
	}
	info := p.body("debugInfo", nil)
	if fmt.Sprint(info["stoppedThreads"]) != fmt.Sprint([]any{stop["threadId"]}) || len(info["breakpoints"].([]any)) != 1 {
		t.Errorf("a page that is loaded again is told %v", info)
	}
	p.body("stepOut", map[string]any{"threadId": stop["threadId"]})
	p.event("continued")
	stop = p.event("stopped")
	if _, at := p.top(stop["threadId"]); at != "cell:5" {
		t.Errorf("stepped out to %s", at)
	}
	p.breakAt(perceptronCell)
	p.body("continue", map[string]any{"threadId": stop["threadId"]})
	p.event("continued")
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	if got := p.must("p.w"); got != "[]float64{5, 10}" {
		t.Errorf("the weights are %s", got)
	}
}

func TestDebugConditionsAndLogs(t *testing.T) {
	const code = `total := 0
for i := range 20 {
	total += i
}`
	p := openStopper(t)
	p.breakAt(code, map[string]any{"line": 3, "condition": "i > 3", "hitCondition": "% 4"})
	p.start(t.Context(), 1, code)
	for _, want := range []string{"i=7 total=21", "i=11 total=55"} {
		stop := p.event("stopped")
		frame, _ := p.top(stop["threadId"])
		if _, text := p.locals(frame); text != want {
			t.Errorf("stopped with %s, want %s", text, want)
		}
		if want == "i=11 total=55" {
			p.breakAt(code, map[string]any{"line": 3, "condition": "i == 18", "logMessage": "total is {total} at {i}"})
		}
		p.body("continue", map[string]any{"threadId": stop["threadId"]})
		p.event("continued")
	}
	if e := p.event("output"); e["output"] != "total is 153 at 18\n" {
		t.Errorf("logged %v", e)
	}
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
}

func TestDebugPanicInterruptAndDisconnect(t *testing.T) {
	const code = `list := []int{1, 2}
func() {
	k := 5
	list[k]++
}()`
	p := openStopper(t)
	p.body("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
	p.start(t.Context(), 1, code)
	stop := p.event("stopped")
	frame, at := p.top(stop["threadId"])
	if _, text := p.locals(frame); stop["reason"] != "exception" || text != "k=5" || !strings.HasSuffix(at, ":4 cell:2") {
		t.Errorf("stopped at %s with %s: %v", at, text, stop)
	}
	if got := p.body("exceptionInfo", map[string]any{"threadId": stop["threadId"]})["description"]; got != "runtime error: index out of range [5] with length 2" {
		t.Errorf("the panic is %v", got)
	}
	p.body("continue", map[string]any{"threadId": stop["threadId"]})
	p.event("continued")
	if err := p.end(); err == nil {
		t.Error("the cell has not failed")
	}
	p.breakAt("x := 1\nx = 2", map[string]any{"line": 2})
	ctx, cancel := context.WithCancel(t.Context())
	p.start(ctx, 2, "x := 1\nx = 2")
	p.event("stopped")
	cancel()
	if err := p.end(); err == nil {
		t.Error("a cell that stands still was not interrupted")
	}
	p.event("continued")
	p.start(t.Context(), 3, "x := 1\nx = 2")
	p.event("stopped")
	p.body("disconnect", nil)
	if err := p.end(); err != nil {
		t.Error(err)
	}
	if got := p.must("x"); got != "2" {
		t.Errorf("x is %s", got)
	}
}

// A breakpoint in a cell that has not run appears at the statement that will stop. The condition of
// a breakpoint in a loop is evaluated for each call.
func TestDebugBeforeACellRuns(t *testing.T) {
	const code = `func sum(list []int) (s int) {
	// adds them
	for _, v := range list {
		s += v
		func() { s *= v - v + 1 }()
	}
	return s
}
a := sum([]int{1, 2, 3})
b := sum([]int{3, 4})`
	p := openStopper(t)
	points := p.breakAt(code, map[string]any{"line": 2}, map[string]any{"line": 4, "condition": "v == 3"}, map[string]any{"line": 11})["breakpoints"].([]any)
	var lines []string
	for _, b := range points {
		b := b.(map[string]any)
		lines = append(lines, fmt.Sprint(b["line"], b["verified"]))
	}
	if got := strings.Join(lines, " "); got != "3 true 4 true 11 false" {
		t.Errorf("the breakpoints are at %s", got)
	}
	p.start(t.Context(), 1, code)
	for _, want := range []string{"3 list=[]int{1, 2, 3} s=0", "4 list=[]int{1, 2, 3} s=3 v=3", "3 list=[]int{3, 4} s=0", "4 list=[]int{3, 4} s=0 v=3"} {
		stop := p.event("stopped")
		frame, _ := p.top(stop["threadId"])
		if _, text := p.locals(frame); fmt.Sprint(frame["line"], " ", text) != want {
			t.Errorf("stopped at line %v with %s, want %s", frame["line"], text, want)
		}
		p.body("continue", map[string]any{"threadId": stop["threadId"]})
		p.event("continued")
	}
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
}

// A frontend can also ask for the variables of frames, and for those of the session while a cell is
// stopped.
func TestDebugVariablesOfFrames(t *testing.T) {
	const code = `type local struct{ n int }
func f(k int) int {
	l := local{k}
	table := ml.PlayTennis()
	return l.n + len(fmt.Sprint(table))
}
f(2)`
	p := openStopper(t)
	p.must("outside := []int{4, 5}")
	p.breakAt(code, map[string]any{"line": 5})
	p.start(t.Context(), 1, code)
	frame, _ := p.top(p.event("stopped")["threadId"])
	vars := list(map[string]any{"body": p.body("inspectVariables", nil)})
	if vars["outside"]["value"] != "[]int{4, 5}" {
		t.Errorf("while a cell stands still the session has %v", vars)
	}
	if parts := list(map[string]any{"body": p.body("variables", map[string]any{"variablesReference": vars["outside"]["variablesReference"]})}); parts["1"]["value"] != "5" {
		t.Errorf("the parts of outside are %v", parts)
	}
	for name, want := range map[string]string{"table": "<table", "l": "local{n: 2}", "outside": "4, 5"} {
		rich := p.body("richInspectVariables", map[string]any{"variableName": name, "frameId": frame["id"]})
		if text := fmt.Sprint(rich["data"]); !strings.Contains(text, want) {
			t.Errorf("%s is shown as %.300s", name, text)
		}
	}
	for from, to := range map[string]string{"l": "copied", "k": "k"} {
		p.body("copyToGlobals", map[string]any{"srcVariableName": from, "dstVariableName": to, "srcFrameId": frame["id"]})
	}
	for _, refused := range []map[string]any{
		{"srcVariableName": "l", "dstVariableName": "outside", "srcFrameId": frame["id"]},
		{"srcVariableName": "missing", "dstVariableName": "m", "srcFrameId": frame["id"]},
		{"srcVariableName": "l", "dstVariableName": "1x", "srcFrameId": frame["id"]},
	} {
		if r := p.ask("copyToGlobals", refused); r["success"] != false {
			t.Errorf("%v: %v", refused, r)
		}
	}
	p.body("continue", nil)
	p.event("continued")
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	if got := p.must("k = k + copied.n\nk"); got != "4" {
		t.Errorf("what was copied, added, is %s", got)
	}
}

// The lines at which a cell will stop, as reported before it runs, are the lines at which it stops.
func TestStopLines(t *testing.T) {
	for _, code := range []string{perceptronCell, trainCell, "x := 1\nif x > 2 {\n\tx++\n} else if x > 1 {\n\tx--\n}\nx", `var a = 3
f := func() {
	defer println()
	for i := 0; i < 3; i++ {
		switch {
		case i > 1:
			a++
		}
	}
}
f()
go f()
a, 5`} {
		p := openStopper(t)
		count := strings.Count(code, "\n") + 1
		var all []map[string]any
		for l := range count {
			all = append(all, map[string]any{"line": l + 1})
		}
		before := fmt.Sprint(pick(p.breakAt(code, all...)))
		if strings.Contains(code, "p.update") {
			p.must(perceptronCell)
		}
		p.breakAt(code)
		p.must(code)
		if after := fmt.Sprint(pick(p.breakAt(code, all...))); before != after {
			t.Errorf("%s: stops at %s, before it has run at %s", code, after, before)
		}
	}
}

// pick returns the lines of breakpoints.
func pick(body map[string]any) (lines []any) {
	for _, b := range body["breakpoints"].([]any) {
		lines = append(lines, b.(map[string]any)["line"])
	}
	return lines
}

// The session frees the code of expressions evaluated in frames.
func TestEvaluationsAreGivenBack(t *testing.T) {
	const code = "total := 0\nfor i := range 3 {\n\ttotal += i\n}"
	p := openStopper(t)
	p.breakAt(code, map[string]any{"line": 3})
	p.start(t.Context(), 1, code)
	frame, _ := p.top(p.event("stopped")["threadId"])
	evaluate := func(n int) {
		for i := range n {
			p.body("evaluate", map[string]any{"expression": fmt.Sprintf("total + i + %d", i), "frameId": frame["id"]})
		}
	}
	evaluate(50)
	before := heap()
	const times = 500
	evaluate(times)
	if got := float64(heap()-before) / times / 1000; got > 2 {
		t.Errorf("%.1f kB are left of each evaluation", got)
	}
	p.body("disconnect", nil)
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
}

// The goroutines of a cell are threads, each with its own calls and variables.
func TestDebugGoroutines(t *testing.T) {
	const code = `jobs := make(chan int)
done := make(chan int)
worker := func(id int) {
	sum := id * 100
	done <- id
	for j := range jobs {
		sum += j
	}
	done <- sum
}
for i := range 3 {
	go worker(i + 1)
	<-done
}
turns := 3
close(jobs)
<-done + <-done + <-done`
	p := openStopper(t)
	p.breakAt(code, map[string]any{"line": 15})
	p.start(t.Context(), 1, code)
	stop := p.event("stopped")
	var sums, cells []string
	for _, th := range p.body("threads", nil)["threads"].([]any) {
		th := th.(map[string]any)
		frame, at := p.top(th["id"])
		if th["name"] == "cell" {
			cells = append(cells, at)
			continue
		}
		if frame == nil {
			t.Fatalf("%v has no calls", th)
		}
		sums = append(sums, fmt.Sprint(p.body("evaluate", map[string]any{"expression": "sum + id", "frameId": frame["id"]})["result"]))
	}
	slices.Sort(sums)
	if got := fmt.Sprint(cells, sums); got != "[cell:15] [101 202 303]" {
		t.Errorf("the cell and the goroutines have %s", got)
	}
	p.body("continue", map[string]any{"threadId": stop["threadId"]})
	p.event("continued")
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
}

// A function that is declared again stops at the breakpoints of its new cell, and no longer at
// those of the old cell.
func TestDebugRedeclaredFunction(t *testing.T) {
	const first, second = "func f(x int) int {\n\treturn x + 1\n}", "func f(x int) int {\n\tx *= 2\n\treturn x\n}"
	p := openStopper(t)
	p.must(first)
	p.must("func g() int { return f(20) }")
	p.breakAt(first, map[string]any{"line": 2})
	p.breakAt(second, map[string]any{"line": 3})
	for i, want := range []string{"f:2 g:1 cell:1", "f:3 g:1 cell:1"} {
		if i == 1 {
			p.must(second)
		}
		p.start(t.Context(), 9, "r := g()")
		stop := p.event("stopped")
		if _, at := p.top(stop["threadId"]); at != want {
			t.Errorf("stopped at %s, want %s", at, want)
		}
		p.body("continue", map[string]any{"threadId": stop["threadId"]})
		p.event("continued")
		if err := p.end(); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.must("r"); got != "40" {
		t.Errorf("r is %s", got)
	}
}

// The fallback engine lists variables and reports why it does not stop.
func TestPortableEngineDoesNotStop(t *testing.T) {
	p := &panel{notebook: &notebook{Session: engineCases[1].open(t), tb: t}}
	p.DebugEvents(func(e json.RawMessage) { p.events = append(p.events, string(e)) })
	p.must("x := 7")
	for _, command := range []string{"initialize", "attach", "configurationDone"} {
		if r := p.ask(command, nil); r["success"] != true {
			t.Errorf("%s: %v", command, r)
		}
	}
	if got := strings.Join(p.events, "\n"); !strings.Contains(got, "the fallback engine cannot stop cells") {
		t.Errorf("the events are %s", got)
	}
	if got := list(p.ask("inspectVariables", nil))["x"]["value"]; got != "7" {
		t.Errorf("x is %v", got)
	}
	path := p.ask("dumpCell", map[string]any{"code": "x++"})["body"].(map[string]any)["sourcePath"]
	for command, args := range map[string]map[string]any{
		"setBreakpoints": {"source": map[string]any{"path": path}, "breakpoints": []map[string]any{{"line": 1}}},
		"pause":          {"threadId": 1}, "next": {"threadId": 1}, "stackTrace": {"threadId": 1},
	} {
		if r := p.ask(command, args); r["success"] != false || !strings.Contains(fmt.Sprint(r["message"]), "the fallback engine cannot stop cells") {
			t.Errorf("%s: %v", command, r)
		}
	}
	p.must("x++")
}
