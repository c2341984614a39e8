package msg

// Status is the content of a status message.
type Status struct {
	State string `json:"execution_state"` // starting, busy, idle
}

// ExecuteInput is the content of an execute_input message.
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// Stream is the content of a stream message.
type Stream struct {
	Name string `json:"name"` // stdout or stderr
	Text string `json:"text"`
}

// DisplayData is the content of display_data and update_display_data.
type DisplayData struct {
	Data      Dict `json:"data"`
	Metadata  Dict `json:"metadata"`
	Transient Dict `json:"transient"`
}

// ExecuteResult is the content of an execute_result message.
type ExecuteResult struct {
	ExecutionCount int  `json:"execution_count"`
	Data           Dict `json:"data"`
	Metadata       Dict `json:"metadata"`
	Transient      Dict `json:"transient"`
}

// ClearOutput is the content of a clear_output message.
type ClearOutput struct {
	Wait bool `json:"wait"`
}

// Welcome is the content of an iopub_welcome message.
type Welcome struct {
	Subscription string `json:"subscription"`
}
