package kernel

import (
	"github.com/gokernel/gokernel/kernel/msg"
)

// maxReplay is the maximum number of bytes of a cell's output that are kept so that a single output
// can be removed.
const maxReplay = 1 << 20

// replay keeps the messages that a cell has published. The protocol can clear all outputs of a
// cell, but not a single output. To remove one output, the kernel clears all outputs and publishes
// the others again.
type replay struct {
	shown    []published
	size     int
	overflow bool // too much was published to publish it again
	clearing bool // the next output replaces the outputs shown
}

type published struct {
	kind    string
	content any
	id      string // id of a display; may be empty
	size    int
}

// add records a published message.
func (r *replay) add(kind string, content any) {
	p := published{kind: kind, content: content}
	switch c := content.(type) {
	case msg.Stream:
		p.size = len(c.Text)
	case msg.DisplayData:
		p.id, _ = c.Transient["display_id"].(string)
		for _, v := range c.Data {
			switch v := v.(type) {
			case string:
				p.size += len(v)
			default:
				p.size += 1 << 10 // an estimate of the size as JSON
			}
		}
	case msg.ClearOutput:
		if c.Wait {
			r.clearing = true
		} else {
			*r = replay{}
		}
		return
	default:
		return
	}
	if kind == "update_display_data" {
		for i := range r.shown {
			if r.shown[i].id == p.id {
				r.size += p.size - r.shown[i].size
				r.shown[i].content, r.shown[i].size = content, p.size
			}
		}
	} else {
		if r.clearing {
			*r = replay{}
		}
		if !r.overflow {
			r.shown = append(r.shown, p)
		}
		r.size += p.size
	}
	if r.size > maxReplay {
		r.overflow, r.shown = true, nil
	}
}

// without removes the displays with the given id and returns the other outputs. It returns false
// if the outputs are no longer known, or if there is no such display.
func (r *replay) without(id string) (rest []published, ok bool) {
	if r.overflow {
		return nil, false
	}
	size := 0
	for _, p := range r.shown {
		if p.id != id {
			rest = append(rest, p)
			size += p.size
		}
	}
	if len(rest) == len(r.shown) {
		return nil, false
	}
	r.shown, r.size = rest, size
	return rest, true
}

// remove removes the display with the given id from the cell's outputs.
func (o *output) remove(id string) error {
	if o.silent {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush(true)
	rest, ok := o.replay.without(id)
	if !ok {
		// The display stays, but shows nothing.
		empty := msg.DisplayData{Data: map[string]any{"text/plain": ""}, Transient: map[string]any{"display_id": id}}
		return o.publish("update_display_data", empty, false)
	}
	if err := o.publish("clear_output", msg.ClearOutput{Wait: len(rest) > 0}, false); err != nil {
		return err
	}
	for _, p := range rest {
		if err := o.publish(p.kind, p.content, false); err != nil {
			return err
		}
	}
	return nil
}
