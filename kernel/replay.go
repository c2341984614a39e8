package kernel

import (
	"github.com/gokernel/gokernel/kernel/msg"
)

// maxReplay is how many bytes of a cell's outputs are kept so that one of them
// can be taken away.
const maxReplay = 1 << 20

// replay keeps what a cell has published. The protocol can clear all outputs of a
// cell but not one of them: to take one away, all are cleared and the others are
// published again.
type replay struct {
	shown    []published
	size     int
	overflow bool // too much was published to do so again
	clearing bool // what comes next replaces what is shown
}

type published struct {
	kind    string
	content any
	id      string // of a display
	size    int
}

// add keeps a message that was published.
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
				p.size += 1 << 10 // of JSON: about
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

// without takes the displays of an id out of what is shown and gives the rest.
// ok is false when that is not known any more, or when there is no such display.
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

// remove takes the display of an id away.
func (o *output) remove(id string) error {
	if o.silent {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush(true)
	rest, ok := o.replay.without(id)
	if !ok {
		// An empty text is the least that can be left.
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
