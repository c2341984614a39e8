package kernel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
)

// contents holds message contents that are malformed for every message type.
var contents = []string{
	``, `null`, `[]`, `"x"`, `5`, `{`, `{}{}`, `{"a":`, "\xff\xfe", `{"code":5}`, `{"code":null}`,
	`{"code":"x","cursor_pos":"y"}`, `{"code":"x","cursor_pos":1e99}`, `{"code":"x","detail_level":[]}`,
	`{"code":"nothing","silent":"yes"}`, `{"code":"nothing","user_expressions":[]}`, `{"code":"nothing","store_history":3}`,
	`{"hist_access_type":"odd"}`, `{"hist_access_type":"tail","n":-1}`, `{"hist_access_type":"range","session":"x"}`,
	`{"comm_id":5}`, `{"comm_id":"c","target_name":[]}`, `{"restart":"maybe"}`, `{"seq":"x"}`, strings.Repeat("[", 20000),
}

// TestMalformedContent sends each of these contents as each message type on both channels. The
// kernel must answer requests and survive.
func TestMalformedContent(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Allow("execute_reply", "control")
	for _, channel := range []string{"shell", "control"} {
		for _, kind := range kernel.MessageTypes() {
			if kind == "shutdown_request" {
				continue
			}
			for _, content := range contents {
				c.Request(channel, kind, json.RawMessage(content))
			}
		}
	}
	// A shutdown_request with a malformed content must not shut the kernel down.
	for _, content := range []string{`[]`, `{"restart":"maybe"}`, `{`} {
		if e := c.Request("control", "shutdown_request", json.RawMessage(content)); e.Status() != "error" {
			t.Errorf("shutdown_request %s: %v, want an error", content, e.Reply)
		}
	}
	if e := c.Execute("value 1"); e.Status() != "ok" {
		t.Errorf("afterwards: %v, want ok", e.Reply)
	}
}

// malformed has a malformed content for each message type, and part of the expected error. If want
// is empty, the type accepts any content or has no reply.
var malformed = map[string]struct{ content, want string }{
	"comm_close":              {`{"comm_id":5}`, ""},
	"comm_info_request":       {`{"target_name":5}`, `field "target_name" is a number, want a string`},
	"comm_msg":                {`{"comm_id":5}`, ""},
	"comm_open":               {`{"comm_id":5}`, ""},
	"complete_request":        {`{"code":"x","cursor_pos":"3"}`, `field "cursor_pos" is a string, want a whole number`},
	"connect_request":         {`[]`, ""},
	"create_subshell_request": {`[]`, ""},
	"debug_request":           {`[]`, ""},
	"delete_subshell_request": {`{"subshell_id":5}`, `field "subshell_id" is a number, want a string`},
	"execute_request":         {`{"code":5}`, `field "code" is a number, want a string`},
	"history_request":         {`{"hist_access_type":5}`, `field "hist_access_type" is a number, want a string`},
	"inspect_request":         {`{"code":"x","cursor_pos":1.5}`, `field "cursor_pos" is the number 1.5, want a whole number`},
	"interrupt_request":       {`[]`, ""},
	"is_complete_request":     {`[]`, `it is a list, want an object`},
	"kernel_info_request":     {`[]`, ""},
	"list_subshell_request":   {`[]`, ""},
	"shutdown_request":        {`{"restart":"maybe"}`, `field "restart" is a string, want true or false`},
	"usage_request":           {`[]`, ""},
}

// TestEachMessageMalformed sends a malformed content to each message type that the server
// handles. Every new type must be added to malformed.
func TestEachMessageMalformed(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	types := kernel.MessageTypes()
	if len(types) != len(malformed) {
		t.Errorf("%d types of message, %d malformed contents", len(types), len(malformed))
	}
	for _, kind := range types {
		m, ok := malformed[kind]
		if !ok {
			t.Errorf("%s: no malformed content in this test", kind)
			continue
		}
		channel := "shell"
		if strings.Contains(kind, "subshell") || kind == "shutdown_request" || kind == "interrupt_request" || kind == "debug_request" {
			channel = "control"
		}
		e := c.Request(channel, kind, json.RawMessage(m.content))
		if m.want != "" && (e.Status() != "error" || !strings.Contains(e.Reply.Str("evalue"), m.want)) {
			t.Errorf("%s %s: %v, want an error with %q", kind, m.content, e.Reply, m.want)
		}
	}
	if e := c.Execute("value 1"); e.Status() != "ok" {
		t.Errorf("afterwards: %v, want ok", e.Reply)
	}
}

// TestMalformedHeader checks that a message whose header has a field of the wrong type is
// answered, on each channel, and that the answer names the field.
func TestMalformedHeader(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for _, channel := range []string{"shell", "control"} {
		for field, value := range map[string]string{
			"subshell_id": "5", "session": "7", "username": "[]", "date": "{}", "version": "5.4",
		} {
			h := c.Header("kernel_info_request")
			raw, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			var dict map[string]json.RawMessage
			if err := json.Unmarshal(raw, &dict); err != nil {
				t.Fatal(err)
			}
			dict[field] = json.RawMessage(value)
			if raw, err = json.Marshal(dict); err != nil {
				t.Fatal(err)
			}
			c.SendRaw(channel, string(raw), "{}", "{}", "{}")
			m := c.Recv(channel)
			if m.Str("status") != "error" || !strings.Contains(m.Str("evalue"), field) {
				t.Errorf("%s, %s: %s: %v, want an error that names the field", channel, field, value, m)
			}
		}
	}
	if e := c.Execute("value 1"); e.Status() != "ok" {
		t.Errorf("afterwards: %v, want ok", e.Reply)
	}
}

// TestMissingFields checks that the error for each type names the missing field.
func TestMissingFields(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for kind, field := range map[string]string{
		"execute_request": "code", "inspect_request": "code", "complete_request": "code",
		"is_complete_request": "code", "history_request": "hist_access_type",
	} {
		e := c.Request("shell", kind, map[string]any{})
		if e.Status() != "error" || !strings.Contains(e.Reply.Str("evalue"), field) {
			t.Errorf("%s without %s: %v, want an error that names it", kind, field, e.Reply)
		}
	}
}

// TestWrongTypes checks that the error names the wrong field and the type that it should have, in
// JSON's terms.
func TestWrongTypes(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for _, tt := range []struct{ kind, content, want string }{
		{"execute_request", `{"code":5}`, `field "code" is a number, want a string`},
		{"execute_request", `{"code":"x","silent":"yes"}`, `field "silent" is a string, want true or false`},
		{"execute_request", `{"code":"x","user_expressions":[]}`, `field "user_expressions" is a list, want an object`},
		{"complete_request", `{"code":"x","cursor_pos":"3"}`, `field "cursor_pos" is a string, want a whole number`},
		{"inspect_request", `{"code":"x","cursor_pos":1.5}`, `field "cursor_pos" is the number 1.5, want a whole number`},
		{"is_complete_request", `[]`, `it is a list, want an object`},
	} {
		e := c.Request("shell", tt.kind, json.RawMessage(tt.content))
		if e.Status() != "error" || !strings.Contains(e.Reply.Str("evalue"), tt.want) {
			t.Errorf("%s %s: %v, want an error with %q", tt.kind, tt.content, e.Reply, tt.want)
		}
	}
}

// TestUnreadable sends messages that cannot be answered. The kernel must drop them, on every
// channel, and survive.
func TestUnreadable(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	good := `{"msg_id":"m","session":"s","username":"u","date":"2026-01-01T00:00:00Z","msg_type":"execute_request","version":"5.5"}`
	for _, channel := range []string{"shell", "control", "stdin"} {
		for _, header := range []string{``, `null`, `[]`, `5`, `{}`, `{"msg_id":5}`, `{"msg_id":"x"}`, `{"msg_type":"execute_request"}`, "\xff"} {
			c.SendRaw(channel, header, `{}`, `{}`, `{"code":"value 1"}`)
		}
		c.SendFrames(channel, [][]byte{{}})
		c.SendFrames(channel, [][]byte{[]byte("<IDS|MSG>")})
		c.SendFrames(channel, [][]byte{[]byte("<IDS|MSG>"), nil, nil, nil})
		c.SendFrames(channel, [][]byte{[]byte("a"), []byte("b"), []byte("c")})
	}
	for _, parent := range []string{``, `null`, `[`, `"x"`} {
		c.SendRaw("stdin", strings.Replace(good, "execute_request", "input_reply", 1), parent, `{}`, `{"value":1}`)
		c.SendRaw("stdin", strings.Replace(good, "execute_request", "input_reply", 1), parent, `{}`, `{"value":"x"}`)
	}
	if e := c.Execute("value 1"); e.Status() != "ok" || len(f.ran()) != 1 {
		t.Errorf("afterwards: %v and %d cells, want ok and 1", e.Reply, len(f.ran()))
	}
}

func TestBadSignature(t *testing.T) {
	f, conn := start(t)
	for _, key := range []string{"wrong", ""} {
		forged := conn
		forged.Key = key
		bad := kerneltest.Dial(t, forged)
		bad.Send("shell", "execute_request", map[string]any{"code": "value 1"})
		bad.Send("control", "shutdown_request", map[string]any{"restart": false})
		bad.Send("stdin", "input_reply", map[string]any{"value": "x"})
	}
	time.Sleep(100 * time.Millisecond)
	c := kerneltest.Connect(t, conn)
	if e := c.Execute("value 1"); e.Status() != "ok" || len(f.ran()) != 1 {
		t.Errorf("afterwards: %v and %d cells, want ok and only the signed one", e.Reply, len(f.ran()))
	}
}

// TestDroppedMessagesAreCounted forges messages on every channel. The log must have one line for
// them all, at the end.
func TestDroppedMessagesAreCounted(t *testing.T) {
	var text bytes.Buffer
	srv, err := kernel.New(kernel.Config{
		Evaluator: newFake(), Connection: kernel.Connection{Key: "k"}, Logger: slog.New(slog.NewTextHandler(&text, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx) }()
	c := kerneltest.Connect(t, srv.Connection())
	forged := [][]byte{[]byte("<IDS|MSG>"), []byte("00"), []byte(`{"msg_id":"1","msg_type":"kernel_info_request"}`), []byte("{}"), []byte("{}"), []byte("{}")}
	for range 3 {
		c.SendFrames("shell", forged)
		c.SendFrames("control", forged)
	}
	// The messages of one client come in order: these requests are answered after the forged
	// messages have been read.
	c.Request("shell", "kernel_info_request", map[string]any{})
	c.Request("control", "kernel_info_request", map[string]any{})
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := text.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "count=6") {
		t.Errorf("the log has %q, want one line that counts 6 messages", got)
	}
}

func TestEmptyKey(t *testing.T) {
	_, conn := start(t, func(c *kernel.Config) { c.Connection.Key = "" })
	if e := kerneltest.Connect(t, conn).Execute("value 1"); e.Status() != "ok" {
		t.Errorf("reply %v, want ok", e.Reply)
	}
}
