package msg

// ShutdownRequest is the content of a shutdown_request.
type ShutdownRequest struct {
	Restart bool `json:"restart"`
}

// ShutdownReply is the content of a shutdown_reply, on control and on iopub.
type ShutdownReply struct {
	Status  string `json:"status"`
	Restart bool   `json:"restart"`
}

// CreateSubshellReply is the content of a create_subshell_reply.
type CreateSubshellReply struct {
	Status string `json:"status"`
	ID     string `json:"subshell_id"`
}

// DeleteSubshellRequest is the content of a delete_subshell_request.
type DeleteSubshellRequest struct {
	ID string `json:"subshell_id"`
}

func (r *DeleteSubshellRequest) check() error { return required("subshell_id", r.ID != "") }

// ListSubshellReply is the content of a list_subshell_reply.
type ListSubshellReply struct {
	Status string       `json:"status"`
	IDs    List[string] `json:"subshell_id"`
}

// DebugRequest is the content of a debug_request: a request of the Debug
// Adapter Protocol.
type DebugRequest struct {
	Seq     int    `json:"seq"`
	Type    string `json:"type"`
	Command string `json:"command"`
}

// DebugReply is the content of a debug_reply: a response of the Debug Adapter
// Protocol.
type DebugReply struct {
	Seq        int    `json:"seq"`
	Type       string `json:"type"` // "response"
	RequestSeq int    `json:"request_seq"`
	Command    string `json:"command"`
	Success    bool   `json:"success"`
	Message    string `json:"message,omitempty"`
	Body       Dict   `json:"body"`
}

// UsageReply is the content of a usage_reply.
type UsageReply struct {
	Status       string  `json:"status"`
	Hostname     string  `json:"hostname"`
	PID          int     `json:"pid"`
	KernelCPU    float64 `json:"kernel_cpu"`    // percent of one core, since the last request
	KernelMemory uint64  `json:"kernel_memory"` // bytes, with child processes
	CPUCount     int     `json:"cpu_count"`
	HostMemory   *Memory `json:"host_virtual_memory,omitempty"`
}

// Memory is the host's memory, in bytes.
type Memory struct {
	Total     uint64  `json:"total"`
	Available uint64  `json:"available"`
	Percent   float64 `json:"percent"`
	Used      uint64  `json:"used"`
	Free      uint64  `json:"free"`
}
