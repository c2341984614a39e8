package msg

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Header identifies a message.
type Header struct {
	ID         string  `json:"msg_id"`
	Session    string  `json:"session"`
	Username   string  `json:"username"`
	Date       string  `json:"date"`
	Type       string  `json:"msg_type"`
	Version    string  `json:"version"`
	SubshellID *string `json:"subshell_id,omitempty"`
}

// Date returns t as headers have it: ISO 8601 in UTC, with microseconds.
func Date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// DecodeHeader reads a header. One without an id or a type is an error, since
// it cannot be answered.
func DecodeHeader(b []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(b, &h); err != nil {
		return h, fmt.Errorf("msg: header: %w", err)
	}
	if h.ID == "" || h.Type == "" {
		return h, errors.New("msg: header: msg_id or msg_type is missing")
	}
	return h, nil
}

// Decode reads the content of a request into a value of type T. The error says
// which field is wrong.
func Decode[T any](content []byte) (T, error) {
	var v T
	if len(content) == 0 {
		content = []byte("{}")
	}
	if err := json.Unmarshal(content, &v); err != nil {
		return v, fmt.Errorf("msg: content: %w", err)
	}
	if c, ok := any(&v).(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			return v, fmt.Errorf("msg: content: %w", err)
		}
	}
	return v, nil
}
