package interp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// stepCells are the cells of debug/testdata/record.py in Go. They have the same statements on the
// same lines, in the order in which the frontend names them.
var stepCells = []string{`func update(w, x []float64, y float64) bool {
	s := 0.0
	for i := range x {
		s += w[i] * x[i]
	}
	if y*s > 0 {
		return false
	}
	for i := range x {
		w[i] += y * x[i]
	}
	return true
}`, "w := []float64{0, 0}\nupdate(w, []float64{1, 2}, 1)\ndone := 1", "empty := []int{}\nempty[len(empty)]++"}

// notTold lists the parts of ipykernel's responses that this kernel omits.
var notTold = map[string][]string{
	"stackTrace":              {"stackFrames[].source.sourceReference", "stackFrames[].endColumn"},
	"scopes":                  {"scopes[].source"},
	"variables":               {"variables[].type", "variables[].presentationHint", "variables[].presentationHint.attributes", "variables[].presentationHint.attributes[]"},
	"evaluate":                {"presentationHint", "type"},
	"copyToGlobals":           {"presentationHint", "type", "value", "variablesReference"},
	"setExceptionBreakpoints": {"breakpoints"},
}

// exchange is a recorded request to ipykernel's debugger with its response, or an event.
type exchange struct {
	Request struct {
		Command   string
		Arguments map[string]any
	}
	Reply, Event map[string]any
}

// TestStepsLikeIpykernel steps through a perceptron's update with the clicks that were recorded
// with ipykernel. The events and the stops must be the same. The responses must have the same
// parts, except those that docs/how-to/debugger.md explains.
func TestStepsLikeIpykernel(t *testing.T) {
	recorded, err := os.ReadFile("debug/testdata/stepping.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []exchange
	if err := json.Unmarshal(recorded, &all); err != nil {
		t.Fatal(err)
	}
	p := openStopper(t)
	c := &clicker{stopper: p, ours: map[string]any{}}
	var theirEvents []string
	for _, e := range all {
		if e.Event != nil {
			theirEvents = append(theirEvents, described(e.Event))
			continue
		}
		switch e.Request.Command {
		case "initialize", "attach": // openStopper has sent these requests
		default:
			c.click(e)
		}
	}
	if len(p.told) > 0 {
		t.Errorf("there are events left: %v", <-p.told)
	}
	ours := append([]string{"initialized"}, c.events...)
	// The response to disconnect reports that the debugger has ended.
	theirEvents = slices.DeleteFunc(theirEvents, func(s string) bool { return s == "terminated" })
	if !slices.Equal(ours, theirEvents) {
		t.Errorf("the events are\n%q, those of ipykernel\n%q", ours, theirEvents)
	}
	// After a call, Python stops at the line of the call again, and Go at the next statement.
	if want := "[[6 6] [9 9] [10 10] [3 2] [2 2]]"; fmt.Sprint(c.lines) != want {
		t.Errorf("the lines, and those of ipykernel, are %v, want %s", c.lines, want)
	}
}

// described formats an event without its numbers.
func described(e map[string]any) string {
	body, _ := e["body"].(map[string]any)
	if e["event"] == "stopped" {
		return fmt.Sprint("stopped: ", body["reason"], body["allThreadsStopped"])
	}
	return fmt.Sprint(e["event"])
}

// clicker sends the recorded requests, with the numbers and names of this kernel.
type clicker struct {
	*stopper
	cells  int            // that the frontend has named
	ours   map[string]any // our numbers and paths, by kind and ipykernel's value
	events []string
	lines  [][2]any // lines of the stops, ours and ipykernel's
	thread any
}

// take waits for an event.
func (c *clicker) take(name string) map[string]any {
	body := c.event(name)
	c.events = append(c.events, described(map[string]any{"event": name, "body": body}))
	return body
}

// click sends one request, runs the cell that belongs to it, and compares the responses.
func (c *clicker) click(e exchange) {
	c.tb.Helper()
	command, args := e.Request.Command, maps.Clone(e.Request.Arguments)
	for _, k := range []string{"frameId", "srcFrameId", "variablesReference"} {
		if v, ok := args[k]; ok {
			args[k] = c.ours[fmt.Sprint(strings.TrimPrefix(strings.ToLower(k), "src"), v)]
		}
	}
	if _, ok := args["threadId"]; ok {
		args["threadId"] = c.thread
	}
	if s, ok := args["source"].(map[string]any); ok {
		args["source"] = map[string]any{"path": c.ours[fmt.Sprint("path", s["path"])]}
	}
	code := ""
	if command == "dumpCell" {
		code = stepCells[c.cells]
		args["code"], c.cells = code, c.cells+1
	}
	got := c.ask(command, args)
	if got["success"] != e.Reply["success"] {
		c.tb.Errorf("%s %v: %v, in ipykernel %v", command, args, got, e.Reply)
	}
	theirs, _ := e.Reply["body"].(map[string]any)
	ours, _ := got["body"].(map[string]any)
	c.compare(command, ours, theirs)
	switch {
	case command == "dumpCell":
		c.ours[fmt.Sprint("path", theirs["sourcePath"])] = ours["sourcePath"]
		if c.cells > 1 {
			c.start(c.tb.Context(), c.cells, code)
			c.thread = c.take("stopped")["threadId"]
		}
	case command == "configurationDone":
		c.must(stepCells[0])
	case command == "next" || command == "stepIn" || command == "stepOut":
		c.take("continued")
		c.thread = c.take("stopped")["threadId"]
	case command == "continue":
		c.take("continued")
		if err := c.end(); (err != nil) != (c.cells == 3) {
			c.tb.Errorf("the cell ended with %v", err)
		}
	}
}

// compare compares the parts of two bodies, and records which of our numbers corresponds to which
// recorded number.
func (c *clicker) compare(command string, ours, theirs map[string]any) {
	c.tb.Helper()
	parts := func(body map[string]any) []string {
		seen := map[string]bool{}
		partsOf("", body, seen)
		return slices.Sorted(maps.Keys(seen))
	}
	mine := parts(ours)
	for _, part := range parts(theirs) {
		if !slices.Contains(mine, part) && !slices.Contains(notTold[command], part) && command != "debugInfo" {
			c.tb.Errorf("%s: ipykernel tells %s, here there is %v", command, part, mine)
		}
	}
	entries := func(body map[string]any, list string) []any { l, _ := body[list].([]any); return l }
	for i, f := range entries(theirs, "stackFrames") {
		frame, own := f.(map[string]any), entries(ours, "stackFrames")[i].(map[string]any)
		c.ours[fmt.Sprint("frameid", frame["id"])] = own["id"]
		if i == 0 {
			c.lines = append(c.lines, [2]any{own["line"], frame["line"]})
		}
	}
	for i, s := range entries(theirs, "scopes") {
		scope, own := s.(map[string]any), entries(ours, "scopes")[i].(map[string]any)
		if scope["name"] != own["name"] {
			c.tb.Errorf("scope %d is %v, in ipykernel %v", i, own["name"], scope["name"])
		}
		c.ours[fmt.Sprint("variablesreference", scope["variablesReference"])] = own["variablesReference"]
	}
}

// partsOf records the paths of all parts of a body.
func partsOf(path string, v any, seen map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			at := strings.TrimPrefix(path+"."+k, ".")
			seen[at] = true
			partsOf(at, e, seen)
		}
	case []any:
		for _, e := range v {
			partsOf(path+"[]", e, seen)
		}
	}
}
