package interp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// panel is a frontend that inspects a session.
type panel struct {
	*notebook
	seq    int
	events []string
}

func openPanel(t *testing.T) *panel {
	p := &panel{notebook: open(t)}
	p.DebugEvents(func(e json.RawMessage) { p.events = append(p.events, string(e)) })
	return p
}

// ask sends a request and returns the response.
func (p *panel) ask(command string, arguments map[string]any) map[string]any {
	p.tb.Helper()
	p.seq++
	request, err := json.Marshal(map[string]any{"type": "request", "seq": p.seq, "command": command, "arguments": arguments})
	if err != nil {
		p.tb.Fatal(err)
	}
	response, err := p.Debug(p.tb.Context(), request)
	if err != nil {
		p.tb.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(response, &r); err != nil {
		p.tb.Fatal(err)
	}
	if r["type"] != "response" || r["command"] != command || r["request_seq"] != float64(p.seq) {
		p.tb.Fatalf("%s is answered by %s", request, response)
	}
	return r
}

// list returns the variables of a response by their names.
func list(r map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	body, _ := r["body"].(map[string]any)
	vars, _ := body["variables"].([]any)
	for _, v := range vars {
		v := v.(map[string]any)
		out[v["name"].(string)] = v
	}
	return out
}

const variablesCell = `type Point struct{ x int; inner *Point }
count := 5
name := "Ann"
numbers := []float64{1.5, 2.5}
ages := map[string]int{"Ann": 31}
p := Point{x: 3, inner: &Point{x: 4}}`

// TestLikeIpykernel sends the requests that JupyterLab's variable panel sent to ipykernel. It
// compares the forms of the responses, because Jupyter reads no other form.
func TestLikeIpykernel(t *testing.T) {
	recorded, err := os.ReadFile("debug/testdata/ipykernel.json")
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []struct {
		Request struct {
			Command   string
			Arguments map[string]any
		}
		Reply map[string]any
	}
	if err := json.Unmarshal(recorded, &exchanges); err != nil {
		t.Fatal(err)
	}
	p := openPanel(t)
	p.must(variablesCell)
	var references float64
	for _, e := range exchanges {
		command, args := e.Request.Command, e.Request.Arguments
		if command == "variables" {
			args = map[string]any{"variablesReference": references}
		}
		got := p.ask(command, args)
		if args["variableName"] == "missing" {
			// ipykernel succeeds with nothing to show; here it is an error that says so.
			if text := fmt.Sprint(got["message"]); got["success"] != false || !strings.Contains(text, "missing") {
				t.Errorf("a name that nothing has: %v", got)
			}
			continue
		}
		if got["success"] != true {
			t.Errorf("%s: %v", command, got)
		}
		theirs, _ := e.Reply["body"].(map[string]any)
		ours, _ := got["body"].(map[string]any)
		if command == "initialize" {
			continue // capabilities may differ
		}
		if a, b := slices.Sorted(maps.Keys(ours)), slices.Sorted(maps.Keys(theirs)); !slices.Equal(a, b) {
			t.Errorf("%s: the body has %v, that of ipykernel %v", command, a, b)
		}
		for k, v := range theirs {
			if kind, want := fmt.Sprintf("%T", ours[k]), fmt.Sprintf("%T", v); kind != want {
				t.Errorf("%s: %s is a %s, in ipykernel a %s", command, k, kind, want)
			}
		}
		if command == "inspectVariables" {
			compareVariables(t, list(got), list(e.Reply))
			references = list(got)["numbers"]["variablesReference"].(float64)
		}
	}
	if len(p.events) != 1 || !strings.Contains(p.events[0], `"event":"initialized"`) {
		t.Errorf("the events are %v, want one that says initialized", p.events)
	}
}

func compareVariables(t *testing.T, got, want map[string]map[string]any) {
	t.Helper()
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Fatalf("the variables are %v, want %v", a, b)
	}
	for name, w := range want {
		g := got[name]
		for _, k := range []string{"value", "evaluateName"} {
			if s, ok := g[k].(string); !ok || s == "" {
				t.Errorf("%s: %s is %v", name, k, g[k])
			}
		}
		if has, should := g["variablesReference"] != 0.0, w["variablesReference"] != 0.0; has != should {
			t.Errorf("%s has parts: %v, in ipykernel %v", name, has, should)
		}
	}
}

func TestVariables(t *testing.T) {
	p := openPanel(t)
	p.must(variablesCell)
	p.must("long := make([]int, 1000)\nlong[1] = 7\nvar e error\nvar a any = p\nm := ml.PlayTennis()")
	vars := list(p.ask("inspectVariables", nil))
	for name, want := range map[string][3]string{
		"count": {"5", "int", "count"}, "name": {`"Ann"`, "string", "name"}, "numbers": {"[]float64{1.5, 2.5}", "[]float64", "numbers"},
		"e": {"nil", "error", "e"}, "p": {"Point{x: 3, inner: &Point{x: 4, inner: nil}}", "Point", "p"},
	} {
		v := vars[name]
		if got := [3]string{fmt.Sprint(v["value"]), fmt.Sprint(v["type"]), fmt.Sprint(v["evaluateName"])}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	parts := func(of map[string]any, args ...int) map[string]map[string]any {
		t.Helper()
		a := map[string]any{"variablesReference": of["variablesReference"]}
		if len(args) == 2 {
			a["start"], a["count"] = args[0], args[1]
		}
		r := p.ask("variables", a)
		if r["success"] != true {
			t.Fatal(r)
		}
		return list(r)
	}
	point := parts(vars["p"])
	if point["x"]["value"] != "3" || point["x"]["evaluateName"] != "p.x" {
		t.Errorf("p.x is %v", point["x"])
	}
	if inner := parts(point["inner"]); inner["x"]["value"] != "4" || inner["x"]["evaluateName"] != "p.inner.x" {
		t.Errorf("p.inner.x is %v", inner["x"])
	}
	if got := parts(vars["a"])["x"]; got["value"] != "3" || got["evaluateName"] != nil {
		t.Errorf("x of a copy in an interface is %v", got)
	}
	if got := parts(vars["ages"])[`"Ann"`]; got["value"] != "31" || got["evaluateName"] != `ages["Ann"]` {
		t.Errorf("ages has %v", got)
	}
	long := parts(vars["long"])
	if len(long) != 101 || long["1"]["value"] != "7" || long["…"]["value"] != "900 more" {
		t.Errorf("of 1000 elements %d are listed, the last %v", len(long), long["…"])
	}
	if got := parts(vars["long"], 998, 100); len(got) != 2 || got["999"] == nil {
		t.Errorf("from 998 on there are %v", got)
	}
	rich := p.ask("richInspectVariables", map[string]any{"variableName": "m"})["body"].(map[string]any)
	if html := fmt.Sprint(rich["data"].(map[string]any)["text/html"]); !strings.Contains(html, "<table") || !strings.Contains(html, "sunny") {
		t.Errorf("a dataset is shown as %.300s", html)
	}
	if r := p.ask("copyToGlobals", map[string]any{"srcVariableName": "count", "dstVariableName": "other"}); r["success"] != true {
		t.Error(r)
	}
	if got := p.must("other + 1"); got != "6" {
		t.Errorf("a copy of 5, and 1, is %s", got)
	}
	for command, args := range map[string]map[string]any{
		"richInspectVariables": {"variableName": "os.Exit(1)"}, "copyToGlobals": {"srcVariableName": "count", "dstVariableName": "1x"},
		"variables": {"variablesReference": 100000}, "goto": {}, "evaluate": {"expression": "1"},
	} {
		if r := p.ask(command, args); r["success"] != false || r["message"] == nil {
			t.Errorf("%s %v: %v", command, args, r)
		}
	}
}

// held blocks a cell that prints.
type held struct {
	recorder
	begun, gate chan bool
}

func (h *held) Stdout(string) { h.begun <- true; <-h.gate }

// A frontend that asks for variables while a cell runs gets the list from before the cell.
func TestVariablesWhileACellRuns(t *testing.T) {
	p := openPanel(t)
	p.must("x := 1")
	p.ask("inspectVariables", nil)
	out := &held{begun: make(chan bool), gate: make(chan bool)}
	ended := make(chan error, 1)
	go func() {
		_, err := p.Eval(context.Background(), evaluator.Cell{Code: `x = 2; fmt.Println("begun")`, Number: 9}, out)
		ended <- err
	}()
	<-out.begun
	if v := list(p.ask("inspectVariables", nil))["x"]; v["value"] != "1" {
		t.Errorf("while a cell runs, x is %v, want that of before", v)
	}
	r := p.ask("richInspectVariables", map[string]any{"variableName": "x"})
	if r["success"] != false || !strings.Contains(fmt.Sprint(r["message"]), "running") {
		t.Errorf("while a cell runs: %v", r)
	}
	out.gate <- true
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if v := list(p.ask("inspectVariables", nil))["x"]; v["value"] != "2" {
		t.Errorf("behind the cell, x is %v, want 2", v)
	}
}

// The session stops a method that formats a value and never returns.
func TestVariableThatNeverWritesItself(t *testing.T) {
	p := openPanel(t)
	p.must("type Endless struct{}\nfunc (Endless) String() string { for { time.Sleep(time.Millisecond) } }\nvar e Endless")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	response, err := p.Debug(ctx, json.RawMessage(`{"type":"request","seq":1,"command":"inspectVariables"}`))
	if err != nil || !strings.Contains(string(response), `"success":false`) {
		t.Errorf("the list is %s, %v, want one that failed", response, err)
	}
	if got := p.must("1 + 1"); got != "2" {
		t.Errorf("behind it, 1 + 1 is %s", got)
	}
}
