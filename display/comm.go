package display

import "encoding/json"

// What a message of a comm does.
const (
	CommOpen  = "open"
	CommData  = "data"
	CommClose = "close"
)

// CommMessage goes between an object of the session and the part of it that is in the
// frontend, as widgets have one.
type CommMessage struct {
	Kind     string // CommOpen, CommData or CommClose
	ID       string // of the comm
	Target   string // what is to be opened; empty in other messages
	Data     json.RawMessage
	Metadata map[string]any
	Buffers  [][]byte
}

// Channel is a [Sink] by which messages reach the frontend. What programs outside of
// notebooks print to is none.
type Channel interface {
	Comm(m CommMessage) error
}
