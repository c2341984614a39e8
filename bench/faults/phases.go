//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/kernel/wire"
)

// phases returns faults at random moments of a kernel's life: processes that are suspended or
// killed in different states, and messages that are replayed.
func phases() []*fault {
	endless := strings.Repeat("var _ = func(a, b int) int { for a < b { a++ }; return a }\n", 500) + "for {}"
	list := []*fault{
		held("before a cell", "", "for {}", 0),
		held("while a cell runs", "for {}", "", 50*time.Millisecond),
		held("while a cell prints", "for {\n\tfmt.Println(`again`)\n}", "", 50*time.Millisecond),
		held("while a cell is compiled", endless, "", 100*time.Millisecond),
		{name: "the evaluator is suspended briefly, then continued (kill -CONT)", do: pausedEvaluator},
		{name: "the kernel process is suspended briefly, then continued (kill -CONT)", do: pausedKernel},
		{name: "the kernel process is killed (kill -9) when it starts", do: killedStart, alone: true, state: none},
		{name: "the kernel process is killed (kill -9) while it writes the history", do: killedHistory, alone: true, state: none, slow: true},
		{name: "the evaluator is killed (kill -9) while a cell saves a model", do: killedSave, state: lost},
		{name: "50 simultaneous shutdown requests, with cells between them", do: manyShutdowns, alone: true, state: none},
		{name: "a session recorded and replayed by another connection", do: recorded},
		{name: "truncated, empty and wrong signatures, and modified messages", do: tampered},
		{name: "each field of each request of each wrong type", do: wrongFields},
		{name: "the history of a week, 100,000 cells", do: weekOfHistory, alone: true, state: none, slow: true},
	}
	for _, f := range list {
		f.group = "at random moments"
	}
	return list
}

// held suspends the evaluator, before or after a cell is sent, and sends interrupts until the
// evaluator is replaced.
func held(when, before, after string, most time.Duration) *fault {
	return &fault{name: "the evaluator is suspended (kill -STOP) " + when + ", interrupted twice", state: lost, do: func(t *trial) error {
		var x *exchange
		if before != "" {
			x = t.c.start(before)
			time.Sleep(time.Duration(t.rand.Int64N(int64(most))))
		}
		if err := hold(t.k.evaluator()); err != nil {
			return err
		}
		if after != "" {
			x = t.c.start(after)
			time.Sleep(20 * time.Millisecond)
		}
		// Two interrupts within a tenth of a second count as one, and on a busy machine the first
		// one may come before the cell.
		at := time.Now()
		for range 30 {
			t.c.send("control", "interrupt_request", map[string]any{}).wait()
			select {
			case <-x.done:
				t.took = time.Since(at)
				return nil
			case <-time.After(150 * time.Millisecond):
			}
		}
		if !x.wait() {
			return fmt.Errorf("the cell still runs %v after the last of 30 interrupts", patience)
		}
		t.took = time.Since(at)
		return nil
	}}
}

// pause is the time for which a process is suspended before it continues.
const pause = 100 * time.Millisecond

func pausedEvaluator(t *trial) error {
	id := t.k.evaluator()
	x := t.c.start("for i := range 20 {\n\tfmt.Println(i)\n\ttime.Sleep(time.Millisecond)\n}\nkept")
	time.Sleep(time.Duration(t.rand.Int64N(int64(30 * time.Millisecond))))
	if err := hold(id); err != nil {
		return err
	}
	time.Sleep(pause)
	if err := syscall.Kill(id, syscall.SIGCONT); err != nil {
		return err
	}
	x.wait()
	if lines := strings.Count(x.text.String(), "\n"); x.status != "ok" || lines != 20 {
		return fmt.Errorf("the cell ends with %s %s and %d lines of 20", x.status, x.value, lines)
	}
	return t.good()
}

func pausedKernel(t *trial) error {
	id := t.k.cmd.Process.Pid
	x := t.c.start("for i := range 20 {\n\tfmt.Println(i)\n\ttime.Sleep(time.Millisecond)\n}")
	time.Sleep(time.Duration(t.rand.Int64N(int64(30 * time.Millisecond))))
	if err := hold(id); err != nil {
		return err
	}
	all := []*exchange{x}
	for range 10 {
		all = append(all, t.c.start("6 * 7"), t.c.send("control", "kernel_info_request", map[string]any{}))
	}
	time.Sleep(pause)
	if err := syscall.Kill(id, syscall.SIGCONT); err != nil {
		return err
	}
	for _, x := range all {
		if !x.wait() || x.status != "ok" {
			return fmt.Errorf("a request that came while it was suspended ends with %q %s", x.status, x.value)
		}
	}
	return t.good()
}

// killedStart kills the kernel process at a random moment of its first half second, and checks
// for processes that it has started.
func killedStart(t *trial) error {
	file := filepath.Join(t.dir, "connection.json")
	if err := os.WriteFile(file, []byte(`{"transport":"tcp","ip":"127.0.0.1","key":"k","signature_scheme":"hmac-sha256"}`), 0o600); err != nil {
		return err
	}
	cmd, _ := t.command("kernel", "--connection-file", file)
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(t.rand.Int64N(int64(150 * time.Millisecond))))
	evaluators := children(cmd.Process.Pid)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for _, id := range evaluators {
		if !gone(id) {
			return fmt.Errorf("process %d is left", id)
		}
	}
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if err := t.own(); err != nil { // the next kernel uses the same files
		return err
	}
	defer t.c.close()
	defer t.k.stop()
	return t.good()
}

// entries requests cells of the history.
func (t *trial) entries(question map[string]any) (list [][3]any, err error) {
	at := time.Now()
	x := t.c.send("shell", "history_request", question)
	x.wait()
	t.took = time.Since(at)
	var reply struct{ History [][3]any }
	if err := json.Unmarshal(x.reply, &reply); err != nil {
		return nil, fmt.Errorf("history_request: %w", err)
	}
	return reply.History, nil
}

// killedHistory kills the kernel process while it writes cells or is about to. The cells that
// were written must be there in order, and more can be appended.
func killedHistory(t *trial) error {
	if err := t.own(); err != nil {
		return err
	}
	cells := 0
	for end := time.Now().Add(time.Duration(t.rand.Int64N(int64(1500 * time.Millisecond)))); time.Now().Before(end); {
		for range 5 {
			cells++
			t.c.cell(fmt.Sprintf("_ = %d", cells))
		}
		time.Sleep(time.Duration(t.rand.Int64N(int64(600 * time.Millisecond))))
	}
	t.c.closeAll(true)
	t.c.close()
	_ = t.k.cmd.Process.Kill()
	<-t.k.exited
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	defer t.k.stop()
	if err := t.good(); err != nil {
		return err
	}
	list, err := t.entries(map[string]any{"hist_access_type": "range", "session": -1, "start": 0, "stop": nil, "raw": true, "output": false})
	if err != nil {
		return err
	}
	for i, e := range list {
		if want := fmt.Sprintf("_ = %d", i+1); e[2] != want && e[2] != "6 * 7" {
			return fmt.Errorf("entry %d of the session before is %v, want %q", i+1, e[2], want)
		}
	}
	return nil
}

// killedSave kills the evaluator while a cell repeatedly saves one model over another. The file
// must contain one of them at any time.
func killedSave(t *trial) error {
	file := filepath.Join(t.dir, "a.model")
	fit := fmt.Sprintf("save := func(n int) error {\n\tm := &ml.KNN{}\n\tif err := m.Fit(ml.UniformCube(n, 2, 1), make([]int, n)); err != nil {\n\t\treturn err\n\t}\n\treturn ml.SaveFile(%q, m)\n}\nsave(20)\nfmt.Println(`begun`)\nfor n := 20; ; n = 3020 - n {\n\tsave(n)\n}", file)
	id := t.k.evaluator()
	x := t.c.start(fit)
	if err := x.started(); err != nil {
		return err
	}
	time.Sleep(time.Duration(t.rand.Int64N(int64(30 * time.Millisecond))))
	if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
		return err
	}
	x.wait()
	t.took = x.took
	x = t.c.cell(fmt.Sprintf("m, err := ml.LoadFile(%q)\nfmt.Sprintf(`%%T %%v`, m, err)", file))
	if want := `"*neighbors.KNN <nil>"`; x.value != want {
		return fmt.Errorf("the file is %s %s, want %s", x.status, x.value, want)
	}
	return nil
}

// manyShutdowns sends many shutdown requests. The first must be answered, and the kernel must
// exit normally. No kernel is left for the later ones.
func manyShutdowns(t *trial) error {
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	t.c.cell("x := 1")
	first := t.c.send("control", "shutdown_request", map[string]any{"restart": false})
	for range 49 {
		t.c.send("control", "shutdown_request", map[string]any{"restart": false})
		t.c.start("x++")
	}
	at := time.Now()
	err := t.ended("50 requests to shut down")
	t.took = time.Since(at)
	t.c.readers.Wait() // receives the last messages of the kernel
	t.c.mu.Lock()
	replies := first.replies
	t.c.mu.Unlock()
	if a := t.c.closeAll(true); a.doubled > 0 || replies != 1 {
		return fmt.Errorf("the first has %d replies, %d others more than one", replies, a.doubled)
	}
	return err
}

// recorded replays the messages of a frontend to the kernel. None of them may be executed.
func recorded(t *trial) error {
	if x := t.c.cell("plays := 0"); x.status != "ok" {
		return fmt.Errorf("%s: %s", x.name, x.value)
	}
	var tape [][][]byte
	for range 50 {
		x, frames := t.c.prepare("execute_request", map[string]any{"code": "plays++"})
		tape = append(tape, frames)
		if err := t.c.sockets["shell"].Send(frames); err != nil {
			return err
		}
		x.wait()
	}
	d, err := t.dealer("player")
	if err != nil {
		return err
	}
	defer d.Close()
	t.rand.Shuffle(len(tape), func(i, j int) { tape[i], tape[j] = tape[j], tape[i] })
	for _, frames := range slices.Concat(tape, tape) {
		if err := d.Send(frames); err != nil {
			return err
		}
	}
	// The replayed messages have been handled when a later request on the same connection is
	// answered.
	x, frames := t.c.prepare("kernel_info_request", map[string]any{})
	if err := d.Send(frames); err != nil {
		return err
	}
	if _, err := d.Recv(); err != nil {
		return err
	}
	idle := func() bool {
		t.c.mu.Lock()
		defer t.c.mu.Unlock()
		if x.idles > 0 {
			delete(t.c.exchanges, x.id) // the other connection got its reply
		}
		return x.idles > 0
	}
	for end := time.Now().Add(patience); !idle() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if x := t.c.cell("plays"); x.value != "50" {
		return fmt.Errorf("50 cells have run %s times", x.value)
	}
	return t.good()
}

// tampered sends messages with invalid signatures.
func tampered(t *trial) error {
	d, err := t.dealer("tamperer")
	if err != nil {
		return err
	}
	defer d.Close()
	message := func(i int) [][]byte {
		h := fmt.Sprintf(`{"msg_id":"t%d-%d","session":"s","username":"u","date":"2026-01-01T00:00:00Z","msg_type":"execute_request","version":"5.4"}`, i, t.rand.Uint64())
		return t.c.signer.Encode(wire.Message{Header: []byte(h), Parent: []byte("{}"), Metadata: []byte("{}"), Content: []byte(`{"code":"kept = -1"}`)})
	}
	const signature, header, content = 1, 2, 5
	other := message(0)[signature]
	for i, change := range []func(frames [][]byte){
		func(f [][]byte) { f[signature] = nil },
		func(f [][]byte) { f[signature] = f[signature][:62] },
		func(f [][]byte) { f[signature] = f[signature][:1] },
		func(f [][]byte) { f[signature] = append(f[signature], '0') },
		func(f [][]byte) { f[signature] = other },
		func(f [][]byte) { f[signature] = bytes.Repeat([]byte("0"), 64) },
		func(f [][]byte) { f[signature] = bytes.Repeat([]byte{0xff}, 64) },
		func(f [][]byte) { f[signature] = bytes.Repeat([]byte("0"), 1<<20) },
		func(f [][]byte) { f[header] = bytes.Replace(f[header], []byte(`"u"`), []byte(`"v"`), 1) },
		func(f [][]byte) { f[header+1] = []byte(`{"a":1}`) },
		func(f [][]byte) { f[header+2] = []byte(`{"a":1}`) },
		func(f [][]byte) { f[content] = []byte(`{"code":"kept = -2"}`) },
		func(f [][]byte) { f[header], f[content] = f[content], f[header] },
	} {
		frames := message(i + 1)
		change(frames)
		if err := d.Send(frames); err != nil {
			return err
		}
	}
	return t.good()
}

// fields are the fields of the contents of requests.
var fields = map[string][]string{
	"comm_close":              {"comm_id", "data"},
	"comm_info_request":       {"target_name"},
	"comm_msg":                {"comm_id", "data"},
	"comm_open":               {"comm_id", "target_name", "data"},
	"complete_request":        {"code", "cursor_pos"},
	"debug_request":           {"seq", "type", "command", "arguments"},
	"delete_subshell_request": {"subshell_id"},
	"execute_request":         {"code", "silent", "store_history", "user_expressions", "allow_stdin", "stop_on_error"},
	"history_request":         {"output", "raw", "hist_access_type", "session", "start", "stop", "n", "pattern", "unique"},
	"inspect_request":         {"code", "cursor_pos", "detail_level"},
	"is_complete_request":     {"code"},
}

// right contains valid values for the fields other than the wrong one.
var right = map[string]string{
	"comm_id": `"c"`, "target_name": `"nobody"`, "data": `{}`, "code": `"1"`, "cursor_pos": `1`, "seq": `1`, "type": `"request"`, "command": `"debugInfo"`,
	"arguments": `{}`, "subshell_id": `"none"`, "silent": `true`, "store_history": `false`, "user_expressions": `{}`, "allow_stdin": `false`, "stop_on_error": `false`,
	"output": `false`, "raw": `true`, "hist_access_type": `"tail"`, "session": `0`, "start": `0`, "stop": `1`, "n": `1`, "pattern": `"x"`, "unique": `false`, "detail_level": `0`,
}

// wrongFields sends each request with one field that has the wrong type or value. It must be
// answered.
func wrongFields(t *trial) error {
	wrong := []string{`null`, `true`, `-1`, `0.5`, `1e999`, `99999999999999999999`, `"x"`, `""`, `[]`, `[[]]`, `{}`, `{"a":[{}]}`, `"` + strings.Repeat("x", 100000) + `"`}
	var all []*exchange
	for kind, names := range fields {
		channel := "shell"
		if kind == "debug_request" {
			channel = "control"
		}
		for _, name := range names {
			for _, value := range wrong {
				if name == "code" && kind == "execute_request" && strings.HasPrefix(value, `"x`) {
					continue // a failed cell aborts later requests
				}
				var b bytes.Buffer
				b.WriteByte('{')
				for i, other := range names {
					if i > 0 {
						b.WriteByte(',')
					}
					text := right[other]
					if other == name {
						text = value
					}
					fmt.Fprintf(&b, "%q:%s", other, text)
				}
				b.WriteByte('}')
				all = append(all, t.c.send(channel, kind, json.RawMessage(b.Bytes())))
			}
		}
	}
	for _, x := range all {
		x.wait()
	}
	return t.good()
}

// weekOfHistory starts a kernel with a history of 100,000 cells in 1000 sessions, and requests
// some of them.
func weekOfHistory(t *trial) error {
	const sessions, cells = 1000, 100
	var b bytes.Buffer
	b.WriteString(`{"format":"gokernel history","version":1}` + "\n")
	for s := range sessions {
		fmt.Fprintf(&b, `{"session":%d,"start":"2026-11-23T08:00:00Z"}`+"\n", s+1)
		for n := range cells {
			fmt.Fprintf(&b, `{"session":%d,"line":%d,"input":"x%d := %d"}`+"\n", s+1, n+1, s, n)
		}
	}
	if err := os.WriteFile(filepath.Join(t.dir, "history.jsonl"), b.Bytes(), 0o600); err != nil {
		return err
	}
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	defer t.k.stop()
	if err := t.good(); err != nil {
		return err
	}
	for _, tt := range []struct {
		question    map[string]any
		n           int
		first, last string
	}{
		{map[string]any{"hist_access_type": "tail", "n": 1000, "raw": true, "output": false}, 1000, "", "6 * 7"},
		{map[string]any{"hist_access_type": "search", "pattern": "x3 :=*", "n": 1000, "raw": true, "output": false}, cells, "x3 := 0", "x3 := 99"},
		{map[string]any{"hist_access_type": "search", "pattern": "nowhere*", "n": 10, "raw": true, "output": false}, 0, "", ""},
		{map[string]any{"hist_access_type": "range", "session": 500, "start": 10, "stop": 20, "raw": true, "output": false}, 10, "x499 := 9", "x499 := 18"},
	} {
		list, err := t.entries(tt.question)
		if err != nil {
			return err
		}
		if len(list) != tt.n {
			return fmt.Errorf("%v returns %d cells, want %d", tt.question, len(list), tt.n)
		}
		if tt.n > 0 && (tt.first != "" && list[0][2] != tt.first || list[tt.n-1][2] != tt.last) {
			return fmt.Errorf("%v returns %v to %v, want %s to %s", tt.question, list[0][2], list[tt.n-1][2], tt.first, tt.last)
		}
	}
	if !t.k.stop() {
		return fmt.Errorf("the kernel does not end in order: %v %.300s", t.k.cmd.ProcessState, t.k.said)
	}
	return nil
}
