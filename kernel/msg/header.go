package msg

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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

// Date formats t for a header: ISO 8601 in UTC, with microseconds.
func Date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// DecodeHeader decodes a header. A header without an id or a type is an error, because it cannot
// be answered. If a field has the wrong JSON type, DecodeHeader returns the error together with
// the fields that it could decode. If these include the message type, the message can be
// answered.
func DecodeHeader(b []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(b, &h); err != nil {
		return h, fmt.Errorf("msg: header: %w", inJSON(err))
	}
	if h.ID == "" || h.Type == "" {
		return Header{}, errors.New("msg: header: msg_id or msg_type is missing")
	}
	return h, nil
}

// found maps the JSON types that encoding/json reports in a mismatch to their names. For some
// numbers, encoding/json reports the value instead.
var found = map[string]string{
	"string": "a string", "bool": "true or false", "number": "a number", "array": "a list", "object": "an object",
}

// inJSON describes a type mismatch with the type names of JSON and the field names of the message.
func inJSON(err error) error {
	var m *json.UnmarshalTypeError
	if !errors.As(err, &m) {
		return err
	}
	got, want := found[m.Value], "an object"
	if got == "" {
		got = "the " + m.Value
	}
	switch m.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	case reflect.Int:
		want = "a whole number"
	}
	if m.Field == "" {
		return fmt.Errorf("it is %s, want %s", got, want)
	}
	return fmt.Errorf("field %q is %s, want %s", m.Field, got, want)
}

// Decode decodes the content of a request into a value of type T. The error names the wrong
// field.
func Decode[T any](content []byte) (T, error) {
	var v T
	if len(content) == 0 {
		content = []byte("{}")
	}
	if err := json.Unmarshal(content, &v); err != nil {
		return v, fmt.Errorf("msg: content: %w", inJSON(err))
	}
	if c, ok := any(&v).(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			return v, fmt.Errorf("msg: content: %w", err)
		}
	}
	return v, nil
}
