package kerneltest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Validate returns an error that lists the missing and unexpected parts of a message, according
// to the messaging specification 5.5.
func Validate(m Message) error {
	h := m.Header
	var errs []error
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for name, v := range map[string]string{"session": h.Session, "username": h.Username, "version": h.Version} {
		if v == "" {
			add("header: %s is empty", name)
		}
	}
	if _, err := time.Parse(time.RFC3339Nano, h.Date); err != nil {
		add("header: date %q is not ISO 8601 with a zone", h.Date)
	}
	spec, ok := specs[h.Type]
	if !ok {
		add("message type %q is unknown", h.Type)
		return errors.Join(errs...)
	}
	if !strings.Contains(spec.channels, m.Channel) {
		add("%s is sent on %s, want %s", h.Type, m.Channel, spec.channels)
	}
	starting := h.Type == "status" && m.Str("execution_state") == "starting"
	if wantParent := !starting && h.Type != "iopub_welcome"; wantParent && m.ParentID == "" {
		// A comm message that the kernel sends on its own initiative has no parent.
		if !strings.HasPrefix(h.Type, "comm_") {
			add("%s has no parent", h.Type)
		}
	} else if !wantParent && m.ParentID != "" {
		add("%s has a parent", h.Type)
	}
	if m.Channel == "iopub" && h.Type != "iopub_welcome" && !strings.HasSuffix(m.Topic, h.Type) {
		add("topic %q does not end in %s", m.Topic, h.Type)
	}
	fields := spec.fields
	if strings.HasSuffix(h.Type, "_reply") {
		switch status := m.Str("status"); {
		case status == "error":
			fields = errorFields
		case status == "aborted":
			fields = nil
		case status != "ok" && !ownStatus[h.Type]:
			add("status is %v, want ok, error or aborted", m.Content["status"])
		}
	}
	for _, f := range fields {
		if err := f.check(m.Content); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// replyType returns the type of the reply to a request, or "" for messages without a reply.
func replyType(kind string) string {
	name, ok := strings.CutSuffix(kind, "_request")
	if !ok {
		return ""
	}
	return name + "_reply"
}

// field describes one field of a content.
type field struct {
	name     string
	kind     string // string, number, bool, list, strings, dict, data
	optional bool
	values   string // allowed strings, separated by spaces
}

type spec struct {
	channels string
	fields   []field
}

var errorFields = []field{{name: "ename", kind: "string"}, {name: "evalue", kind: "string"}, {name: "traceback", kind: "strings"}}

// ownStatus lists the replies whose status is not ok, error or aborted. One reply has status values
// of its own; the other is a message of the Debug Adapter Protocol.
var ownStatus = map[string]bool{"is_complete_reply": true, "debug_reply": true}

var okStatus = field{name: "status", kind: "string", values: "ok"}

var specs = map[string]spec{
	"execute_reply": {"shell", []field{okStatus, {name: "execution_count", kind: "number"},
		{name: "payload", kind: "list"}, {name: "user_expressions", kind: "dict"}}},
	"inspect_reply": {"shell control", []field{okStatus, {name: "found", kind: "bool"},
		{name: "data", kind: "data"}, {name: "metadata", kind: "dict"}}},
	"complete_reply": {"shell control", []field{okStatus, {name: "matches", kind: "strings"},
		{name: "cursor_start", kind: "number"}, {name: "cursor_end", kind: "number"}, {name: "metadata", kind: "dict"}}},
	"is_complete_reply": {"shell control", []field{{name: "status", kind: "string", values: "complete incomplete invalid unknown"},
		{name: "indent", kind: "string", optional: true}}},
	"history_reply":   {"shell control", []field{okStatus, {name: "history", kind: "list"}}},
	"comm_info_reply": {"shell control", []field{okStatus, {name: "comms", kind: "dict"}}},
	"kernel_info_reply": {"shell control", []field{okStatus, {name: "protocol_version", kind: "string"},
		{name: "implementation", kind: "string"}, {name: "implementation_version", kind: "string"},
		{name: "language_info", kind: "dict"}, {name: "banner", kind: "string"}, {name: "help_links", kind: "list"},
		{name: "supported_features", kind: "strings"}}},
	"connect_reply": {"shell control", []field{okStatus, {name: "shell_port", kind: "number"}, {name: "iopub_port", kind: "number"},
		{name: "stdin_port", kind: "number"}, {name: "control_port", kind: "number"}, {name: "hb_port", kind: "number"}}},
	"shutdown_reply":  {"control shell iopub", []field{okStatus, {name: "restart", kind: "bool"}}},
	"interrupt_reply": {"control shell", []field{okStatus}},
	"debug_reply": {"control shell", []field{{name: "type", kind: "string", values: "response"}, {name: "request_seq", kind: "number"},
		{name: "success", kind: "bool"}, {name: "command", kind: "string"}}},
	"usage_reply": {"control shell", []field{{name: "hostname", kind: "string"}, {name: "pid", kind: "number"},
		{name: "kernel_cpu", kind: "number"}, {name: "kernel_memory", kind: "number"}, {name: "cpu_count", kind: "number"}}},
	"create_subshell_reply": {"control shell", []field{okStatus, {name: "subshell_id", kind: "string"}}},
	"delete_subshell_reply": {"control shell", []field{okStatus}},
	"list_subshell_reply":   {"control shell", []field{okStatus, {name: "subshell_id", kind: "strings"}}},
	"input_request":         {"stdin", []field{{name: "prompt", kind: "string"}, {name: "password", kind: "bool"}}},

	"status":        {"iopub", []field{{name: "execution_state", kind: "string", values: "starting busy idle"}}},
	"execute_input": {"iopub", []field{{name: "code", kind: "string"}, {name: "execution_count", kind: "number"}}},
	"stream":        {"iopub", []field{{name: "name", kind: "string", values: "stdout stderr"}, {name: "text", kind: "string"}}},
	"display_data":  {"iopub", []field{{name: "data", kind: "data"}, {name: "metadata", kind: "dict"}, {name: "transient", kind: "dict", optional: true}}},
	"update_display_data": {"iopub", []field{{name: "data", kind: "data"}, {name: "metadata", kind: "dict"},
		{name: "transient", kind: "dict"}}},
	"execute_result": {"iopub", []field{{name: "execution_count", kind: "number"}, {name: "data", kind: "data"},
		{name: "metadata", kind: "dict"}}},
	"error":         {"iopub", errorFields},
	"clear_output":  {"iopub", []field{{name: "wait", kind: "bool"}}},
	"debug_event":   {"iopub", []field{{name: "type", kind: "string", values: "event"}, {name: "event", kind: "string"}}},
	"iopub_welcome": {"iopub", []field{{name: "subscription", kind: "string"}}},
	"comm_open":     {"iopub shell", []field{{name: "comm_id", kind: "string"}, {name: "target_name", kind: "string"}, {name: "data", kind: "dict"}}},
	"comm_msg":      {"iopub shell", []field{{name: "comm_id", kind: "string"}, {name: "data", kind: "dict"}}},
	"comm_close":    {"iopub shell", []field{{name: "comm_id", kind: "string"}, {name: "data", kind: "dict"}}},
}

// mimeType matches the keys of data that jupyter_kernel_test accepts.
var mimeType = regexp.MustCompile(`^[\w\-+.]+/[\w\-+.]+$`)

func (f field) check(content map[string]any) error {
	v, ok := content[f.name]
	if !ok {
		if f.optional {
			return nil
		}
		return fmt.Errorf("%s is missing", f.name)
	}
	switch f.kind {
	case "string":
		s, ok := v.(string)
		if !ok {
			return f.mismatch(v)
		}
		if f.values != "" && !slices.Contains(strings.Fields(f.values), s) {
			return fmt.Errorf("%s is %q, want one of %s", f.name, s, f.values)
		}
	case "number":
		if _, ok := v.(float64); !ok {
			return f.mismatch(v)
		}
	case "bool":
		if _, ok := v.(bool); !ok {
			return f.mismatch(v)
		}
	case "list":
		if _, ok := v.([]any); !ok {
			return f.mismatch(v)
		}
	case "strings":
		return f.checkStrings(v)
	case "dict":
		if _, ok := v.(map[string]any); !ok {
			return f.mismatch(v)
		}
	case "data":
		return f.checkData(v)
	}
	return nil
}

func (f field) mismatch(v any) error { return fmt.Errorf("%s is %#v, want a %s", f.name, v, f.kind) }

func (f field) checkStrings(v any) error {
	l, ok := v.([]any)
	if !ok {
		return f.mismatch(v)
	}
	for _, e := range l {
		if _, ok := e.(string); !ok {
			return fmt.Errorf("%s holds %#v, want strings", f.name, e)
		}
	}
	return nil
}

func (f field) checkData(v any) error {
	d, ok := v.(map[string]any)
	if !ok {
		return f.mismatch(v)
	}
	for mime, v := range d {
		if !mimeType.MatchString(mime) {
			return fmt.Errorf("%s has the key %q, want a MIME type without parameters", f.name, mime)
		}
		if mime == "application/json" || strings.HasSuffix(mime, "+json") {
			continue
		}
		if _, ok := v.(string); !ok {
			return fmt.Errorf("%s of %s is %#v, want a string", f.name, mime, v)
		}
	}
	return nil
}
