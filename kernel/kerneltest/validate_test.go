package kerneltest

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/msg"
)

// valid returns a message that Validate accepts.
func valid(channel, kind string, content map[string]any) Message {
	return Message{
		Channel: channel, Topic: "kernel.1." + kind, ParentID: "p", Content: content,
		Header: msg.Header{ID: "1", Session: "s", Username: "u", Date: "2026-01-02T03:04:05.000006Z", Type: kind, Version: "5.5"},
	}
}

type dict = map[string]any

func TestValidate(t *testing.T) {
	with := func(m Message, change func(*Message)) Message {
		change(&m)
		return m
	}
	status := valid("iopub", "status", dict{"execution_state": "idle"})
	display := valid("iopub", "display_data", dict{"data": dict{"text/plain": "x"}, "metadata": dict{}})
	tests := []struct {
		name string
		m    Message
		want string // part of the error; empty for none
	}{
		{"status", status, ""},
		{"display_data", display, ""},
		{"aborted", valid("shell", "execute_reply", dict{"status": "aborted"}), ""},
		{"failed", valid("shell", "inspect_reply", dict{"status": "error", "ename": "e", "evalue": "v", "traceback": []any{}}), ""},
		{"JSON data", valid("iopub", "display_data", dict{"data": dict{"application/x+json": dict{}}, "metadata": dict{}}), ""},

		{"unknown type", valid("iopub", "strange", dict{}), "unknown"},
		{"wrong channel", with(status, func(m *Message) { m.Channel = "shell" }), "want iopub"},
		{"no zone", with(status, func(m *Message) { m.Header.Date = "2026-01-02T03:04:05" }), "zone"},
		{"no session", with(status, func(m *Message) { m.Header.Session = "" }), "session"},
		{"no parent", with(status, func(m *Message) { m.ParentID = "" }), "parent"},
		{"welcome with parent", valid("iopub", "iopub_welcome", dict{"subscription": ""}), "parent"},
		{"starting with parent", valid("iopub", "status", dict{"execution_state": "starting"}), "parent"},
		{"wrong topic", with(status, func(m *Message) { m.Topic = "x" }), "topic"},
		{"odd state", valid("iopub", "status", dict{"execution_state": "asleep"}), "asleep"},
		{"missing field", valid("iopub", "stream", dict{"name": "stdout"}), "text is missing"},
		{"odd status", valid("shell", "inspect_reply", dict{"status": "abort"}), "status"},
		{"failed without traceback", valid("shell", "inspect_reply", dict{"status": "error", "ename": "e", "evalue": "v"}), "traceback"},
		{"null for a dict", valid("iopub", "display_data", dict{"data": dict{}, "metadata": nil}), "metadata"},
		{"null for a list", valid("shell", "complete_reply", dict{"status": "ok", "matches": nil, "cursor_start": 0.0, "cursor_end": 0.0, "metadata": dict{}}), "matches"},
		{"matches of numbers", valid("shell", "complete_reply", dict{"status": "ok", "matches": []any{1.0}, "cursor_start": 0.0, "cursor_end": 0.0, "metadata": dict{}}), "matches"},
		{"string for a bool", valid("iopub", "clear_output", dict{"wait": "yes"}), "wait"},
		{"MIME type with parameters", valid("iopub", "display_data", dict{"data": dict{"text/plain;charset=utf-8": "x"}, "metadata": dict{}}), "MIME"},
		{"object as text", valid("iopub", "display_data", dict{"data": dict{"text/plain": dict{}}, "metadata": dict{}}), "text/plain"},
		{"update without transient", valid("iopub", "update_display_data", dict{"data": dict{}, "metadata": dict{}}), "transient"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(tt.m)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
