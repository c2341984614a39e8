//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// clients returns faults of misbehaving frontends. The time to answer is measured by a
// well-behaved frontend at the same time.
func clients() []*fault {
	list := []*fault{
		{name: "20 requests with a wrong signature", do: forged},
		{name: "a request sent twice", do: replayed},
		{name: "noise instead of ZeroMQ, on all sockets", do: noise},
		{name: "20 connections that say nothing", do: silent},
		{name: "a handshake that stops halfway", do: halfOpen},
		{name: "a frame that claims 2^62 bytes", do: hugeFrame},
		{name: "messages with too few, too many or no frames", do: oddFrames},
		{name: "invalid headers", do: oddHeaders},
		{name: "header fields of wrong types: each request is answered", do: oddFields},
		{name: "contents of wrong types, for each request", do: malformed},
		{name: "JSON nested 100,000 deep", do: nested},
		{name: "lone surrogates and NUL in strings", do: surrogates},
		{name: "10,000 requests at once", do: queued},
		{name: "200 frontends at once", do: crowd},
		{name: "1000 comms opened, used and closed", do: comms},
		{name: "two frontends with one identity", do: namesakes},
		{name: "a subscriber that never reads", do: stuck, long: true},
		{name: "a subscriber that reads slowly", do: slowReader},
		{name: "40 subscribers that never read", do: manyStuck},
		{name: "a frontend that disconnects while its cell runs", do: leaver},
		{name: "50 interrupts at once while a cell runs", do: interrupts, state: either},
		{name: "50 interrupts at once while none runs", do: idleInterrupts},
		{name: "50 SIGINT to the kernel while none runs", do: signals},
		{name: "50 subshells made, used and deleted", do: subshells},
		{name: "shutdown and a new kernel", do: restart, alone: true, state: none},
		{name: "a kernel killed (kill -9): evaluator and programs end with it", do: orphans, alone: true, state: none},
		{name: "a kernel terminated (SIGTERM) while a cell runs", do: terminated, alone: true, state: none},
	}
	for _, f := range list {
		f.group = "clients"
	}
	return list
}

// good runs a cell of a well-behaved frontend, which must be answered.
func (t *trial) good() error {
	x := t.c.cell("6 * 7")
	t.took = x.took
	if x.value != "42" {
		return fmt.Errorf("6 * 7 is %s %q during the fault", x.status, x.value)
	}
	return nil
}

// another connects a second frontend for the duration of use.
func (t *trial) another(use func(c *client) error) error {
	c, err := dial(t.k.conn)
	if err != nil {
		return err
	}
	defer c.close()
	if err := use(c); err != nil {
		return err
	}
	if a := c.closeAll(false); !a.clean() {
		return fmt.Errorf("another frontend: %d lost, %d doubled replies, %d idle missing, %d not last", a.lost, a.doubled, a.noIdle, a.notLast)
	}
	return nil
}

// plain opens bare connections to all sockets of the kernel.
func (t *trial) plain(use func(nc net.Conn)) error {
	k := t.k.conn
	for _, port := range []int{k.ShellPort, k.ControlPort, k.StdinPort, k.IOPubPort, k.HBPort} {
		nc, err := net.Dial("tcp", net.JoinHostPort(k.IP, strconv.Itoa(port)))
		if err != nil {
			return err
		}
		use(nc)
		defer nc.Close()
	}
	return t.good()
}

// dealer connects a bare DEALER to the shell.
func (t *trial) dealer(identity string) (*transport.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return t.k.conn.Dial(ctx, t.k.conn.ShellPort, transport.Dealer, identity)
}

func forged(t *trial) error {
	signer, err := wire.NewSigner(wire.Scheme, "another key")
	if err != nil {
		return err
	}
	d, err := t.dealer("forger")
	if err != nil {
		return err
	}
	defer d.Close()
	for i := range 20 {
		h := fmt.Sprintf(`{"msg_id":"f%d","session":"s","username":"u","date":"2026-01-01T00:00:00Z","msg_type":"execute_request","version":"5.4"}`, i)
		if err := d.Send(signer.Encode(wire.Message{Header: []byte(h), Parent: []byte("{}"), Metadata: []byte("{}"), Content: []byte(`{"code":"kept = -1"}`)})); err != nil {
			return err
		}
	}
	return t.good()
}

func replayed(t *trial) error {
	x, frames := t.c.prepare("execute_request", map[string]any{"code": "kept++\nkept--"})
	for range 3 {
		if err := t.c.sockets["shell"].Send(frames); err != nil {
			return err
		}
	}
	x.wait()
	return t.good()
}

func noise(t *trial) error {
	b := make([]byte, 4096)
	for i := range b {
		b[i] = byte(t.rand.Uint32())
	}
	return t.plain(func(nc net.Conn) { _, _ = nc.Write(b) }) // the kernel may disconnect it early
}

func silent(t *trial) error {
	for range 19 {
		nc, err := net.Dial("tcp", net.JoinHostPort(t.k.conn.IP, strconv.Itoa(t.k.conn.ShellPort)))
		if err != nil {
			return err
		}
		defer nc.Close()
	}
	return t.plain(func(net.Conn) {})
}

// greeting returns the start of the ZMTP 3.0 handshake of a client, ready the command that
// follows.
func greeting() []byte {
	b := make([]byte, 64)
	b[0], b[9], b[10] = 0xff, 0x7f, 3
	copy(b[12:], "NULL")
	return b
}

func ready(socket string) []byte {
	body := append([]byte{5}, "READY"...)
	property := func(name, value string) {
		body = append(append(body, byte(len(name))), name...)
		body = append(binary.BigEndian.AppendUint32(body, uint32(len(value))), value...)
	}
	property("Socket-Type", socket)
	property("Identity", "")
	return append([]byte{4, byte(len(body))}, body...)
}

func halfOpen(t *trial) error {
	return t.plain(func(nc net.Conn) { _, _ = nc.Write(greeting()[:t.rand.IntN(64)]) })
}

func hugeFrame(t *trial) error {
	return t.plain(func(nc net.Conn) {
		huge := binary.BigEndian.AppendUint64([]byte{2}, 1<<62)
		_, _ = nc.Write(append(append(greeting(), ready("DEALER")...), huge...))
	})
}

func oddFrames(t *trial) error {
	d, err := t.dealer("odd")
	if err != nil {
		return err
	}
	defer d.Close()
	for _, frames := range [][][]byte{
		{{}}, {[]byte("<IDS|MSG>")}, {[]byte("x"), []byte("y")}, {[]byte("<IDS|MSG>"), {}, {}, {}},
		make([][]byte, 4000), {[]byte("<IDS|MSG>"), []byte("zz"), []byte("{}"), []byte("{}"), []byte("{}"), []byte("{}")},
	} {
		if err := d.Send(frames); err != nil {
			return err
		}
	}
	return t.good()
}

func oddHeaders(t *trial) error {
	d, err := t.dealer("headers")
	if err != nil {
		return err
	}
	defer d.Close()
	for _, h := range []string{"", "null", "[]", "{}", `{"msg_id":5}`, `{"msg_type":"execute_request"}`, `{"msg_id":"a","msg_type":[]}`, strings.Repeat("[", 100000), "\xff\xfe"} {
		m := wire.Message{Header: []byte(h), Parent: []byte("{}"), Metadata: []byte("{}"), Content: []byte("{}")}
		if err := d.Send(t.c.signer.Encode(m)); err != nil {
			return err
		}
	}
	return t.good()
}

// oddFields sends requests with one header field of another type. Each must be answered, so that no
// frontend waits forever.
func oddFields(t *trial) error {
	for _, field := range []string{"subshell_id", "session", "username", "date", "version"} {
		d, err := t.dealer("fields")
		if err != nil {
			return err
		}
		h := map[string]any{"msg_id": fmt.Sprintf("%s-%d", field, t.rand.Int64()), "session": "s", "username": "u", "date": "2026-01-01T00:00:00Z", "msg_type": "kernel_info_request", "version": "5.4"}
		h[field] = 5
		header, err := json.Marshal(h)
		if err != nil {
			return err
		}
		replies := make(chan error, 1)
		if err := d.Send(t.c.signer.Encode(wire.Message{Header: header, Parent: []byte("{}"), Metadata: []byte("{}"), Content: []byte("{}")})); err != nil {
			return err
		}
		go func() {
			_, err := d.Recv()
			replies <- err
		}()
		select {
		case err = <-replies:
		case <-time.After(patience):
			err = errSilent
		}
		d.Close()
		if err != nil {
			return fmt.Errorf("a request whose %s is a number: %w", field, err)
		}
	}
	return t.good()
}

// manyStuck subscribes often without reading. A cell that prints must not wait for any of them.
func manyStuck(t *trial) error {
	for range 40 {
		s, err := subscribe(t.k.conn)
		if err != nil {
			return err
		}
		defer s.Close()
	}
	x := t.c.cell("for range 2000 {\n\tfmt.Println(strings.Repeat(`x`, 999))\n}")
	t.took = x.took
	if x.status != "ok" {
		return fmt.Errorf("the cell that prints 2 MB ends with %s", x.name)
	}
	return t.good()
}

// contents are contents that are malformed for every message type.
var contents = []string{
	``, `null`, `[]`, `"x"`, `5`, `{`, `{}{}`, `{"a":`, "\xff\xfe", `{"code":5}`, `{"code":null}`,
	`{"code":"x","cursor_pos":"y"}`, `{"code":"x","cursor_pos":1e99}`, `{"code":"x","cursor_pos":-7}`, `{"code":"x","detail_level":[]}`,
	`{"code":"1","silent":"yes"}`, `{"code":"1","user_expressions":[]}`, `{"code":"1","store_history":3}`,
	`{"hist_access_type":"odd"}`, `{"hist_access_type":"tail","n":-1}`, `{"hist_access_type":"range","session":"x"}`,
	`{"comm_id":5}`, `{"comm_id":"c","target_name":[]}`, `{"subshell_id":{}}`, `{"seq":"x"}`, `{"type":"request","seq":1,"command":"evaluate","arguments":[]}`,
}

// kinds are the message types that the kernel handles.
var kinds = []string{
	"comm_close", "comm_info_request", "comm_msg", "comm_open", "complete_request", "connect_request", "create_subshell_request",
	"debug_request", "delete_subshell_request", "execute_request", "history_request", "inspect_request", "interrupt_request",
	"is_complete_request", "kernel_info_request", "list_subshell_request", "shutdown_request", "usage_request", "no_such_request",
}

func malformed(t *trial) error {
	var all []*exchange
	for _, kind := range kinds {
		for _, content := range contents {
			if kind == "shutdown_request" && (strings.HasPrefix(content, "{") && json.Valid([]byte(content)) || content == "" || content == "null") {
				continue // these are valid
			}
			channel := "shell"
			if kind == "interrupt_request" || kind == "debug_request" || kind == "shutdown_request" {
				channel = "control"
			}
			all = append(all, t.c.send(channel, kind, json.RawMessage(content)))
		}
	}
	for _, x := range all {
		x.wait()
	}
	return t.good()
}

func nested(t *trial) error {
	deep := strings.Repeat("[", 100000) + strings.Repeat("]", 100000)
	for _, content := range []string{`{"code":` + deep + `}`, `{"code":"1","user_expressions":` + deep + `}`, strings.Repeat(`{"a":`, 100000)} {
		t.c.send("shell", "execute_request", json.RawMessage(content)).wait()
	}
	return t.good()
}

func surrogates(t *trial) error {
	for _, code := range []string{`\"\ud800\"`, `x := \"\udc00\ud800\"`, `// \u0000`, `\u0000`, `\ufeff1`} {
		t.c.send("shell", "execute_request", json.RawMessage(`{"code":"`+code+`"}`)).wait()
		t.c.send("shell", "complete_request", json.RawMessage(`{"code":"`+code+`","cursor_pos":3}`)).wait()
		t.c.send("shell", "inspect_request", json.RawMessage(`{"code":"`+code+`","cursor_pos":2}`)).wait()
	}
	return t.good()
}

func queued(t *trial) error {
	var all []*exchange
	for i := range t.count(10000) {
		if i%4 == 3 {
			all = append(all, t.c.send("shell", "complete_request", map[string]any{"code": "kep", "cursor_pos": 3}))
			continue
		}
		all = append(all, t.c.start("1"))
	}
	for _, x := range all {
		x.wait()
	}
	t.took = all[len(all)-1].took
	return nil
}

func crowd(t *trial) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	for range t.count(200) {
		wg.Go(func() {
			err := t.another(func(c *client) error {
				if x := c.cell("kept + 0"); x.status != "ok" {
					return fmt.Errorf("one of them gets %s %s", x.name, x.value)
				}
				return nil
			})
			mu.Lock()
			defer mu.Unlock()
			if failed == nil {
				failed = err
			}
		})
	}
	err := t.good()
	wg.Wait()
	if failed != nil {
		return failed
	}
	return err
}

func comms(t *trial) error {
	var all []*exchange
	for i := range t.count(1000) {
		id := map[string]any{"comm_id": fmt.Sprint("c", i), "target_name": "nobody", "data": map[string]any{}}
		all = append(all, t.c.send("shell", "comm_open", id), t.c.send("shell", "comm_msg", id), t.c.send("shell", "comm_close", id))
	}
	err := t.good()
	for _, x := range all {
		x.wait()
	}
	return err
}

func namesakes(t *trial) error {
	d, err := t.dealer(t.c.session)
	if err != nil {
		return err
	}
	// Either of the two may get the reply. When the second has disconnected, the first gets all
	// replies.
	x, frames := t.c.prepare("kernel_info_request", map[string]any{})
	if err := t.c.sockets["shell"].Send(frames); err != nil {
		return err
	}
	_ = d.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	if _, err := d.Recv(); err == nil {
		t.c.mu.Lock()
		x.replies++
		t.c.mu.Unlock()
	}
	d.Close()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		probe := t.c.send("control", "kernel_info_request", map[string]any{})
		probe.wait()
		if !sameIdentity(t) {
			break
		}
	}
	return t.good()
}

// sameIdentity reports whether the kernel still has two connections with the same identity. Then
// a request on the shell is not answered.
func sameIdentity(t *trial) bool {
	x, frames := t.c.prepare("kernel_info_request", map[string]any{})
	if err := t.c.sockets["shell"].Send(frames); err != nil {
		return false
	}
	select {
	case <-x.done:
		return false
	case <-time.After(time.Second):
		t.c.mu.Lock()
		delete(t.c.exchanges, x.id) // the other one got its reply
		t.c.mu.Unlock()
		return true
	}
}

// subscriber connects a frontend that reads published messages only when take is called.
func (t *trial) subscriber(use func(s *transport.Conn) error) error {
	s, err := subscribe(t.k.conn)
	if err != nil {
		return err
	}
	defer s.Close()
	return use(s)
}

// subscribe connects a bare subscriber to everything that the kernel publishes.
func subscribe(conn kernel.Connection) (*transport.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := conn.Dial(ctx, conn.IOPubPort, transport.Sub, "")
	if err != nil {
		return nil, err
	}
	if err := s.Subscribe(""); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func stuck(t *trial) error {
	return t.subscriber(func(*transport.Conn) error {
		x := t.c.cell("for range 20000 {\n\tfmt.Println(strings.Repeat(`x`, 999))\n}")
		t.took = x.took
		if x.status != "ok" {
			return fmt.Errorf("the cell that prints 20 MB ends with %s", x.name)
		}
		return nil
	})
}

func slowReader(t *trial) error {
	return t.subscriber(func(s *transport.Conn) error {
		go func() {
			for {
				if _, err := s.Recv(); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
		x := t.c.cell("for range 2000 {\n\tfmt.Println(strings.Repeat(`x`, 999))\n}")
		t.took = x.took
		if x.status != "ok" {
			return fmt.Errorf("the cell that prints 2 MB ends with %s", x.name)
		}
		return nil
	})
}

func leaver(t *trial) error {
	c, err := dial(t.k.conn)
	if err != nil {
		return err
	}
	c.start("for range 50 {\n\tfmt.Println(1)\n\ttime.Sleep(time.Millisecond)\n}")
	time.Sleep(10 * time.Millisecond)
	c.close()
	return t.good()
}

func interrupts(t *trial) error {
	x := t.c.start("fmt.Println(`begun`)\nfor {}")
	if err := x.started(); err != nil {
		return err
	}
	at := time.Now()
	for range 50 {
		t.c.send("control", "interrupt_request", map[string]any{})
	}
	x.wait()
	t.took = time.Since(at)
	t.c.send("control", "kernel_info_request", map[string]any{}).wait() // the interrupts come before it
	return nil
}

func idleInterrupts(t *trial) error {
	for range 50 {
		t.c.send("control", "interrupt_request", map[string]any{})
	}
	t.c.send("control", "kernel_info_request", map[string]any{}).wait()
	return t.good()
}

func signals(t *trial) error {
	for range 50 {
		if err := syscall.Kill(t.k.cmd.Process.Pid, syscall.SIGINT); err != nil {
			return err
		}
	}
	time.Sleep(20 * time.Millisecond)
	return t.good()
}

func subshells(t *trial) error {
	for range t.count(50) {
		x := t.c.send("control", "create_subshell_request", map[string]any{})
		x.wait()
		var made struct {
			ID string `json:"subshell_id"`
		}
		if err := json.Unmarshal(x.reply, &made); err != nil || made.ID == "" {
			return fmt.Errorf("no subshell: %s", x.reply)
		}
		if x = t.c.send("control", "delete_subshell_request", map[string]any{"subshell_id": made.ID}); !x.wait() || x.status != "ok" {
			return fmt.Errorf("it is not deleted: %s", x.value)
		}
		t.c.send("control", "delete_subshell_request", map[string]any{"subshell_id": made.ID}).wait() // it does not exist
	}
	return t.good()
}

// own starts a kernel for one trial.
func (t *trial) own(args ...string) error {
	k, err := launch(t.program, t.dir, args...)
	if err != nil {
		return err
	}
	t.k = k
	if t.c, err = dial(k.conn); err != nil {
		k.stop()
	}
	return err
}

func restart(t *trial) error {
	at := time.Now()
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	if err := t.good(); err != nil {
		return err
	}
	t.took = time.Since(at)
	x := t.c.send("control", "shutdown_request", map[string]any{"restart": false})
	if !x.wait() || x.status != "ok" {
		t.k.stop()
		return fmt.Errorf("shutdown is answered by %q", x.status)
	}
	return t.ended("a shutdown_request")
}

// ended waits for the end of the kernel and checks that it exits normally.
func (t *trial) ended(by string) error {
	select {
	case <-t.k.exited:
		if !t.k.cmd.ProcessState.Success() {
			return fmt.Errorf("after %s it ends with %v: %.300s", by, t.k.cmd.ProcessState, t.k.said)
		}
		return nil
	case <-time.After(patience):
		t.k.stop()
		return fmt.Errorf("it still runs %v after %s", patience, by)
	}
}

func orphans(t *trial) error {
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	x := t.c.start("import \"os/exec\"\nexec.Command(\"sleep\", \"1000\").Start()\nfmt.Println(`begun`)\nfor {}")
	if err := x.started(); err != nil {
		t.k.stop()
		return err
	}
	ids := []int{t.k.evaluator()}
	ids = append(ids, children(ids[0])...)
	at := time.Now()
	t.c.closeAll(true) // no kernel is left to answer
	_ = t.k.cmd.Process.Kill()
	for _, id := range ids {
		if !gone(id) {
			return fmt.Errorf("process %d is left", id)
		}
	}
	t.took = time.Since(at)
	return nil
}

func terminated(t *trial) error {
	if err := t.own(); err != nil {
		return err
	}
	defer t.c.close()
	x := t.c.start("fmt.Println(`begun`)\nfor {}")
	if err := x.started(); err != nil {
		t.k.stop()
		return err
	}
	at := time.Now()
	_ = t.k.cmd.Process.Signal(syscall.SIGTERM)
	err := t.ended("SIGTERM")
	t.took = time.Since(at)
	return err
}
