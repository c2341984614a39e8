package msg

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Values of a reply's Status.
const (
	OK      = "ok"
	Failed  = "error"
	Aborted = "aborted"
)

// Error is the content of an iopub error message, and the common part of failed replies.
type Error struct {
	Name      string       `json:"ename"`
	Value     string       `json:"evalue"`
	Traceback List[string] `json:"traceback"`
}

// ErrorReply is the reply to a request that failed.
type ErrorReply struct {
	Status string `json:"status"`
	Error
}

// StatusReply is a reply that has only a status.
type StatusReply struct {
	Status string `json:"status"`
}

// ExecuteRequest is the content of an execute_request.
type ExecuteRequest struct {
	Code            *string           `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"` // default: not Silent
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"` // default true
}

func (r *ExecuteRequest) check() error { return required("code", r.Code != nil) }

func required(field string, present bool) error {
	if !present {
		return fmt.Errorf("field %q is missing", field)
	}
	return nil
}

// ExecuteReply is the content of a successful execute_reply.
type ExecuteReply struct {
	Status          string    `json:"status"`
	ExecutionCount  int       `json:"execution_count"`
	Payload         List[any] `json:"payload"`
	UserExpressions Dict      `json:"user_expressions"`
}

// ExecuteErrorReply is the content of the execute_reply of a cell that failed.
type ExecuteErrorReply struct {
	Status         string `json:"status"`
	ExecutionCount int    `json:"execution_count"`
	Error
	Payload         List[any] `json:"payload"`
	UserExpressions Dict      `json:"user_expressions"`
}

// Expression is the value of one user expression.
type Expression struct {
	Status   string `json:"status"`
	Data     Dict   `json:"data"`
	Metadata Dict   `json:"metadata"`
}

// PagePayload shows data in the frontend's pager.
type PagePayload struct {
	Source string `json:"source"` // "page"
	Data   Dict   `json:"data"`
	Start  int    `json:"start"`
}

// SetNextInputPayload puts text into a new cell after the current cell, or replaces the text of the
// current cell.
type SetNextInputPayload struct {
	Source  string `json:"source"` // "set_next_input"
	Text    string `json:"text"`
	Replace bool   `json:"replace"`
}

// InspectRequest is the content of an inspect_request.
type InspectRequest struct {
	Code        *string `json:"code"`
	CursorPos   *int    `json:"cursor_pos"` // code points; default: the end
	DetailLevel int     `json:"detail_level"`
}

func (r *InspectRequest) check() error { return required("code", r.Code != nil) }

// InspectReply is the content of an inspect_reply.
type InspectReply struct {
	Status   string `json:"status"`
	Found    bool   `json:"found"`
	Data     Dict   `json:"data"`
	Metadata Dict   `json:"metadata"`
}

// CompleteRequest is the content of a complete_request.
type CompleteRequest struct {
	Code      *string `json:"code"`
	CursorPos *int    `json:"cursor_pos"` // code points; default: the end
}

func (r *CompleteRequest) check() error { return required("code", r.Code != nil) }

// CompleteReply is the content of a complete_reply.
type CompleteReply struct {
	Status      string       `json:"status"`
	Matches     List[string] `json:"matches"`
	CursorStart int          `json:"cursor_start"`
	CursorEnd   int          `json:"cursor_end"`
	Metadata    Dict         `json:"metadata"`
}

// CompletionType is the type that JupyterLab shows next to a match. It is an element of the
// metadata _jupyter_types_experimental.
type CompletionType struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature"`
}

// IsCompleteRequest is the content of an is_complete_request.
type IsCompleteRequest struct {
	Code *string `json:"code"`
}

func (r *IsCompleteRequest) check() error { return required("code", r.Code != nil) }

// IsCompleteReply is the content of an is_complete_reply.
type IsCompleteReply struct {
	Status string  `json:"status"`
	Indent *string `json:"indent,omitempty"` // only when incomplete
}

// HistoryRequest is the content of a history_request.
type HistoryRequest struct {
	Output  bool   `json:"output"`
	Raw     bool   `json:"raw"`
	Access  string `json:"hist_access_type"` // range, tail or search
	Session int    `json:"session"`          // range: 0 or less counts back from the current session
	Start   *int   `json:"start"`            // range: default 1
	Stop    *int   `json:"stop"`             // range: exclusive; default: to the end
	N       *int   `json:"n"`                // tail and search: maximum number
	Pattern string `json:"pattern"`          // search: a glob
	Unique  bool   `json:"unique"`           // search: no duplicates
}

func (r *HistoryRequest) check() error {
	switch r.Access {
	case "range", "tail", "search":
	case "":
		return errors.New(`field "hist_access_type" is missing`)
	default:
		return fmt.Errorf("hist_access_type must be range, tail or search, got %q", r.Access)
	}
	if r.N != nil && *r.N < 0 {
		return fmt.Errorf("n must not be negative, got %d", *r.N)
	}
	return nil
}

// HistoryReply is the content of a history_reply; each element is a triple: the session, the line,
// and either the input or a pair of input and output.
type HistoryReply struct {
	Status  string       `json:"status"`
	History List[[3]any] `json:"history"`
}

// CommInfoRequest is the content of a comm_info_request.
type CommInfoRequest struct {
	Target *string `json:"target_name"`
}

// CommInfoReply is the content of a comm_info_reply.
type CommInfoReply struct {
	Status string              `json:"status"`
	Comms  map[string]CommInfo `json:"comms"`
}

// CommInfo describes one open comm.
type CommInfo struct {
	Target string `json:"target_name"`
}

// Comm is the content of comm_open, comm_msg and comm_close in both directions.
type Comm struct {
	ID           string          `json:"comm_id"`
	Target       string          `json:"target_name,omitempty"`   // comm_open
	TargetModule string          `json:"target_module,omitempty"` // comm_open
	Data         json.RawMessage `json:"data"`
}

func (r *Comm) check() error {
	if len(r.Data) == 0 || string(r.Data) == "null" {
		r.Data = json.RawMessage("{}")
	}
	return required("comm_id", r.ID != "")
}

// KernelInfoReply is the content of a kernel_info_reply.
type KernelInfoReply struct {
	Status                string       `json:"status"`
	ProtocolVersion       string       `json:"protocol_version"`
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	HelpLinks             List[Link]   `json:"help_links"`
	SupportedFeatures     List[string] `json:"supported_features"`
	Debugger              bool         `json:"debugger"`
}

// LanguageInfo tells frontends how to treat the kernel's language.
type LanguageInfo struct {
	Name          string `json:"name"`
	Version       string `json:"version"`
	Mimetype      string `json:"mimetype"`
	FileExtension string `json:"file_extension"`
	Pygments      string `json:"pygments_lexer"`
	CodeMirror    string `json:"codemirror_mode"`
	NBConvert     string `json:"nbconvert_exporter"`
}

// Link is an entry of the frontend's help menu.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// ConnectReply is the content of a connect_reply.
type ConnectReply struct {
	Status  string `json:"status"`
	Shell   int    `json:"shell_port"`
	IOPub   int    `json:"iopub_port"`
	Stdin   int    `json:"stdin_port"`
	Control int    `json:"control_port"`
	HB      int    `json:"hb_port"`
}
