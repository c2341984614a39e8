package worker

import (
	"encoding/json"
	"fmt"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// The bodies of the calls.
type (
	hello struct {
		Protocol int
		Error    string `json:",omitempty"` // why there is no session
	}
	evalCall struct {
		ID   uint32 // identifies the cell in the evaluator's calls
		Cell evaluator.Cell
	}
	interruptCall struct {
		ID uint32
	}
	codeQuery struct {
		Code           string
		Cursor, Detail int
	}
	inspectReply struct {
		Bundle wireBundle
		Found  bool
	}
	resultReply struct {
		Value *wireBundle
	}
	textCall struct {
		Cell uint32
		Err  bool // standard error
		Text string
	}
	bundleCall struct {
		Cell   uint32
		Bundle wireBundle
	}
	clearCall struct {
		Cell uint32
		Wait bool
	}
	nextInputCall struct {
		Cell    uint32
		Text    string
		Replace bool
	}
	commCall struct {
		Cell    uint32
		Message display.CommMessage
	}
	inputCall struct {
		Cell     uint32
		Prompt   string
		Password bool
	}
)

// wireBundle is a display.Bundle with data in the form of Jupyter messages, which the kernel
// publishes unchanged. It keeps the difference between strings, bytes and JSON values. NaN and
// infinities, which JSON can't represent, are null in JSON values.
type wireBundle struct {
	Text      map[string]string          `json:",omitempty"`
	Bytes     map[string][]byte          `json:",omitempty"`
	JSON      map[string]json.RawMessage `json:",omitempty"`
	Metadata  map[string]any             `json:",omitempty"`
	Transient map[string]any             `json:",omitempty"`
}

func toWire(b display.Bundle) (wireBundle, error) {
	data, err := msg.Data(b.Data)
	if err != nil {
		return wireBundle{}, fmt.Errorf("display: %w", err)
	}
	if err := evaluator.CheckOutput(data); err != nil {
		return wireBundle{}, err
	}
	w := wireBundle{Metadata: b.Metadata, Transient: b.Transient}
	for mime, v := range data {
		switch v := v.(type) {
		case string:
			put(&w.Text, mime, v)
		case []byte:
			put(&w.Bytes, mime, v)
		case json.RawMessage:
			put(&w.JSON, mime, v)
		default: // nil
			put(&w.JSON, mime, json.RawMessage("null"))
		}
	}
	return w, nil
}

func (w wireBundle) bundle() display.Bundle {
	b := display.Bundle{
		Data:      make(map[string]any, len(w.Text)+len(w.Bytes)+len(w.JSON)),
		Metadata:  w.Metadata,
		Transient: w.Transient,
	}
	for k, v := range w.Text {
		b.Data[k] = v
	}
	for k, v := range w.Bytes {
		b.Data[k] = v
	}
	for k, v := range w.JSON {
		b.Data[k] = v
	}
	return b
}

func put[V any](m *map[string]V, k string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[k] = v
}
