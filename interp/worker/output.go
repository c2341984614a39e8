package worker

import (
	"context"

	"github.com/gokernel/gokernel/display"
)

// output is the evaluator.Output of a session in the evaluator process.
type output struct {
	server *server
	cell   uint32
}

func (o *output) Stdout(text string) { o.server.text(o.cell, false, text) }
func (o *output) Stderr(text string) { o.server.text(o.cell, true, text) }

func (o *output) Display(b display.Bundle) error { return o.bundle(kindDisplay, b) }
func (o *output) Update(b display.Bundle) error  { return o.bundle(kindUpdate, b) }
func (o *output) Page(b display.Bundle) error    { return o.bundle(kindPage, b) }

func (o *output) bundle(k kind, b display.Bundle) error {
	w, err := toWire(b)
	if err != nil {
		return err
	}
	return o.call(k, bundleCall{Cell: o.cell, Bundle: w})
}

func (o *output) Clear(wait bool) error {
	return o.call(kindClear, clearCall{Cell: o.cell, Wait: wait})
}

func (o *output) SetNextInput(text string, replace bool) error {
	return o.call(kindNextInput, nextInputCall{Cell: o.cell, Text: text, Replace: replace})
}

// Comm implements [display.Channel].
func (o *output) Comm(m display.CommMessage) error {
	return o.call(kindComm, commCall{Cell: o.cell, Message: m})
}

func (o *output) call(k kind, body any) error {
	return o.server.conn.call(context.Background(), k, body, nil)
}

func (o *output) Input(ctx context.Context, prompt string, password bool) (string, error) {
	var line string
	err := o.server.conn.call(ctx, kindInput, inputCall{Cell: o.cell, Prompt: prompt, Password: password}, &line)
	return line, err
}
