package interp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// vscode acts as VS Code with its Jupyter extension does, according to their sources:
// microsoft/vscode, rawDebugSession.ts and debugModel.ts, and microsoft/vscode-jupyter,
// src/notebooks/debugger.
type vscode struct {
	*stopper
	paths map[string]any // paths of cells
}

// openVSCode starts to debug a cell, or to run it by line. The points are the breakpoints of all
// cells, by their texts.
func openVSCode(t *testing.T, mode string, cells []string, points map[string]int) *vscode {
	v := &vscode{openStopper(t), map[string]any{}}
	v.body("initialize", map[string]any{
		"clientID": "vscode", "clientName": "Visual Studio Code", "adapterID": "Python Kernel Debug Adapter", "pathFormat": "path",
		"linesStartAt1": true, "columnsStartAt1": true, "supportsVariableType": true, "supportsVariablePaging": true,
		"supportsRunInTerminalRequest": true, "locale": "en", "supportsProgressReporting": true, "supportsInvalidatedEvent": true,
		"supportsMemoryReferences": true, "supportsArgsCanBeInterpretedByShell": true, "supportsMemoryEvent": true,
		"supportsStartDebuggingRequest": true, "supportsANSIStyling": true,
	})
	v.body("attach", map[string]any{"name": "a.ipynb", "type": "Python Kernel Debug Adapter", "request": "attach", "justMyCode": true,
		"__mode": mode, "__cellIndex": len(cells) - 1, "__notebookUri": "file:///a.ipynb", "__sessionId": "1"})
	v.event("initialized")
	v.body("debugInfo", nil)
	for cell, line := range points {
		v.breakpoint(cell, line)
	}
	v.body("setExceptionBreakpoints", map[string]any{"filters": []string{}})
	// Before the extension runs the cell, it sends the code of all cells.
	for _, c := range cells {
		v.paths[c] = v.body("dumpCell", map[string]any{"code": c})["sourcePath"]
	}
	return v
}

// breakpoint sets a breakpoint in a cell and checks that it is verified.
func (v *vscode) breakpoint(cell string, line int) {
	v.tb.Helper()
	path := v.body("dumpCell", map[string]any{"code": cell})["sourcePath"]
	set := v.body("setBreakpoints", map[string]any{"source": map[string]any{"name": "a.ipynb", "path": path},
		"lines": []int{line}, "breakpoints": []map[string]any{{"line": line}}, "sourceModified": false})["breakpoints"].([]any)
	if b := set[0].(map[string]any); len(set) != 1 || b["verified"] != true || b["line"] != float64(line) {
		v.tb.Errorf("a breakpoint at line %d became %v", line, set)
	}
}

// stopped waits for a stop and sends the requests that VS Code sends then. It returns the lines by
// cells.
func (v *vscode) stopped(levels int) (thread any, frame map[string]any, at string) {
	v.tb.Helper()
	thread = v.event("stopped")["threadId"]
	listed := false
	for _, t := range v.body("threads", nil)["threads"].([]any) {
		t := t.(map[string]any)
		listed = listed || t["id"] == thread && t["name"] == "cell"
	}
	if !listed {
		v.tb.Errorf("what has stopped, %v, is none of the threads", thread)
	}
	frames := v.body("stackTrace", map[string]any{"threadId": thread, "startFrame": 0, "levels": levels})["stackFrames"].([]any)
	if len(frames) > levels {
		v.tb.Errorf("%d frames, asked for %d", len(frames), levels)
	}
	frame = frames[0].(map[string]any)
	of := "?"
	for cell, path := range v.paths {
		if path == frame["source"].(map[string]any)["path"] {
			of = strings.Fields(cell)[0]
		}
	}
	return thread, frame, fmt.Sprint(of, ":", frame["line"])
}

// VS Code debugs a cell: it stops in a function of another cell, expands the variables, with a list
// in pages of a hundred, evaluates, sets variables and steps.
func TestDebugsACellForVSCode(t *testing.T) {
	cells := []string{perceptronCell, strings.Replace(trainCell, "mistakes := 0", "mistakes := 0\nlong := make([]int, 250)\nlong[200] = 7", 1)}
	v := openVSCode(t, "cell", cells, map[string]int{perceptronCell: 10})
	v.must(cells[0])
	v.body("configurationDone", nil)
	v.start(t.Context(), 2, cells[1])
	thread, frame, at := v.stopped(20)
	if at != "type:10" {
		t.Errorf("stopped at %s", at)
	}
	var locals, globals map[string]map[string]any
	var reference any
	for _, s := range v.body("scopes", map[string]any{"frameId": frame["id"]})["scopes"].([]any) {
		s := s.(map[string]any)
		vars := list(map[string]any{"body": v.body("variables", map[string]any{"variablesReference": s["variablesReference"]})})
		if s["name"] == "Locals" {
			locals, reference = vars, s["variablesReference"]
		} else {
			globals = vars
		}
	}
	// A frontend other than JupyterLab gets the types.
	if y := locals["y"]; y["value"] != "1" || y["type"] != "float64" {
		t.Errorf("y is %v", y)
	}
	part := func(of map[string]any, args map[string]any) map[string]map[string]any {
		t.Helper()
		args["variablesReference"] = of["variablesReference"]
		return list(map[string]any{"body": v.body("variables", args)})
	}
	if p := part(locals["p"], map[string]any{}); p["w"]["value"] != "[]float64{0, 0}" || p["b"]["evaluateName"] != "p.b" {
		t.Errorf("p is %v", p)
	}
	if globals["long"]["indexedVariables"] != 250.0 {
		t.Errorf("long is %v", globals["long"])
	}
	chunk := part(globals["long"], map[string]any{"filter": "indexed", "start": 200, "count": 50})
	if len(chunk) != 50 || chunk["200"]["value"] != "7" {
		t.Errorf("the third hundred of long is %v", chunk)
	}
	for _, context := range []string{"watch", "hover", "repl"} {
		r := v.body("evaluate", map[string]any{"expression": "p.w[0] + y", "frameId": frame["id"], "context": context})
		if r["result"] != "1" || r["type"] != "float64" {
			t.Errorf("%s: %v", context, r)
		}
	}
	if r := v.ask("evaluate", map[string]any{"expression": "for", "frameId": frame["id"], "context": "hover"}); r["success"] != false {
		t.Errorf("a keyword below the mouse is %v", r)
	}
	v.body("setVariable", map[string]any{"variablesReference": reference, "name": "y", "value": "-1"})
	for _, want := range []string{"type:13", "type:14"} {
		v.body("next", map[string]any{"threadId": thread})
		v.event("continued")
		if _, _, at := v.stopped(20); at != want {
			t.Errorf("stepped to %s, want %s", at, want)
		}
	}
	v.body("setBreakpoints", map[string]any{"source": map[string]any{"name": "a.ipynb", "path": v.paths[perceptronCell]},
		"lines": []int{}, "breakpoints": []map[string]any{}, "sourceModified": false})
	v.body("continue", map[string]any{"threadId": thread})
	v.event("continued")
	if err := v.end(); err != nil {
		t.Fatal(err)
	}
	v.body("disconnect", map[string]any{"restart": false})
	if got := v.must("p.w"); got != "[]float64{1, -1}" {
		t.Errorf("with y = -1 at first the weights are %s", got)
	}
}

// VS Code runs a cell by line: the extension sets one breakpoint, steps in at each click, and reads
// only the first frame.
func TestRunsByLineForVSCode(t *testing.T) {
	const helper = "func double(x int) int {\n\ty := 2 * x\n\treturn y\n}"
	const cell = "// twice\n\na := double(1)\nif a > 1 {\n\ta++\n}\nb := double(a)\nb"
	v := openVSCode(t, "runByLine", []string{helper, cell}, nil)
	v.must(helper)
	v.body("configurationDone", nil)
	v.breakpoint(cell, 3)
	v.start(t.Context(), 2, cell)
	var lines []string
	for range 12 {
		thread, _, at := v.stopped(1)
		lines = append(lines, at)
		v.body("stepIn", map[string]any{"threadId": thread})
		v.event("continued")
		if at == "//:8" {
			break
		}
	}
	if want := []string{"//:3", "func:2", "func:3", "//:3", "//:4", "//:5", "//:7", "func:2", "func:3", "//:7", "//:8"}; !slices.Equal(lines, want) {
		t.Errorf("the lines are %q, want %q", lines, want)
	}
	if err := v.end(); err != nil {
		t.Fatal(err)
	}
	v.body("disconnect", map[string]any{"restart": false})
}
