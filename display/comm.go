package display

import "encoding/json"

// The kinds of a CommMessage.
const (
	CommOpen  = "open"
	CommData  = "data"
	CommClose = "close"
)

// CommMessage is a message between an object of the session and its counterpart in the frontend.
// Widgets send such messages.
type CommMessage struct {
	Kind     string // CommOpen, CommData or CommClose
	ID       string // ID of the comm
	Target   string // the target to open; empty in other messages
	Data     json.RawMessage
	Metadata map[string]any
	Buffers  [][]byte
}

// Channel is a [Sink] that can also send messages to the frontend. The sink of a program that
// runs outside a notebook is not a Channel.
type Channel interface {
	Comm(m CommMessage) error
}
