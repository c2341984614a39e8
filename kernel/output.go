package kernel

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// Stream text is coalesced: Jupyter's server drops output beyond 1000 messages or 1 MB per
// second, and JupyterLab shows at most 50 outputs of a cell.
const (
	firstDelay = 2 * time.Millisecond   // delay before text that follows a pause is sent
	flushDelay = 200 * time.Millisecond // delay between two messages of steady output
	// A cell that prints a lot gets messages of minFlush bytes at first; the size doubles up to
	// maxFlush.
	minFlush = 64 << 10
	maxFlush = 1 << 20
	// maxSegments is the maximum number of switches between stdout and stderr whose order one
	// flush preserves.
	maxSegments = 8
	// afterInterrupt is the number of bytes that an interrupted cell can still print.
	afterInterrupt = 64 << 10
)

// segment is text of one stream.
type segment struct {
	name string
	text []byte
}

// output is the Output of one cell. It keeps the request that started the cell, so that text that
// a goroutine prints later still belongs to the cell.
type output struct {
	s          *Server
	parent     *request
	announce   func() // announces the cell to clients, once, before its first message
	silent     bool
	allowStdin bool

	// ctx is canceled when the cell ends or is interrupted; kernel is canceled when the evaluator
	// ends. The two contexts bound the waits for input and for slow subscribers.
	ctx    context.Context
	cancel context.CancelFunc
	kernel context.Context

	mu          sync.Mutex
	segments    []segment
	size        int // total size of segments, in bytes
	limit       int // the size at which segments are flushed
	last        time.Time
	timer       *time.Timer
	armed       bool
	interrupted bool
	budget      int // bytes that an interrupted cell can still print
	payload     msg.List[any]
	finished    bool
	replay      replay
}

func newOutput(ctx context.Context, s *Server, parent *request, announce func(), silent, allowStdin bool) *output {
	o := &output{s: s, parent: parent, announce: announce, silent: silent, allowStdin: allowStdin, kernel: ctx, limit: minFlush}
	o.ctx, o.cancel = context.WithCancel(ctx)
	return o
}

// Stdout implements Output.
func (o *output) Stdout(text string) { o.write("stdout", text) }

// Stderr implements Output.
func (o *output) Stderr(text string) { o.write("stderr", text) }

func (o *output) write(name, text string) {
	if o.silent || text == "" {
		return
	}
	o.mu.Lock()
	if o.interrupted && !o.finished {
		if o.budget -= len(text); o.budget < 0 {
			o.mu.Unlock()
			return
		}
	}
	o.append(name, text)
	full := o.size >= o.limit
	if full {
		o.flush(false)
		o.limit = min(2*o.limit, maxFlush)
	} else if !o.armed {
		o.arm()
	}
	wait := o.waiting()
	o.mu.Unlock()
	if full {
		// If the cell was interrupted, Ready returns immediately; its error does not matter.
		_ = o.s.iopub.Ready(wait)
	}
}

// waiting returns the context that bounds waits for slow subscribers. The caller must hold o.mu.
func (o *output) waiting() context.Context {
	if o.finished {
		return o.kernel
	}
	return o.ctx
}

func (o *output) append(name, text string) {
	o.size += len(text)
	n := len(o.segments)
	if n > 0 && o.segments[n-1].name == name {
		o.segments[n-1].text = append(o.segments[n-1].text, text...)
		return
	}
	if n >= maxSegments {
		for i := n - 1; i >= 0; i-- {
			if o.segments[i].name == name {
				o.segments[i].text = append(o.segments[i].text, text...)
				return
			}
		}
	}
	o.segments = append(o.segments, segment{name, []byte(text)})
}

// arm starts the timer that flushes the text.
func (o *output) arm() {
	delay := firstDelay
	if since := time.Since(o.last); since < flushDelay {
		delay = flushDelay - since
	}
	o.armed = true
	if o.timer == nil {
		o.timer = time.AfterFunc(delay, o.tick)
	} else {
		o.timer.Reset(delay)
	}
}

func (o *output) tick() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.armed = false
	o.flush(false)
	o.limit = minFlush
	if o.size > 0 {
		o.arm()
	}
}

// flush publishes the text. Unless all is true, it holds back an incomplete character at the end.
func (o *output) flush(all bool) {
	if o.size == 0 {
		return
	}
	var rest segment
	if n := len(o.segments); !all {
		rest = o.segments[n-1].holdBack()
	}
	for _, g := range o.segments {
		if len(g.text) > 0 {
			// The encoding cannot fail, because the content has only strings.
			content := msg.Stream{Name: g.name, Text: string(g.text)}
			_ = o.publish("stream", content, true)
			o.keep("stream", content)
		}
	}
	clear(o.segments) // lets the garbage collector free their text, which may be long
	o.segments = o.segments[:0]
	o.size = len(rest.text)
	if o.size > 0 {
		o.segments = append(o.segments, rest)
	}
	o.last = time.Now()
}

// holdBack removes an incomplete UTF-8 sequence from the end of g and returns it.
func (g *segment) holdBack() segment {
	n := len(g.text)
	for i := 1; i < utf8.UTFMax && i <= n; i++ {
		if b := g.text[n-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(g.text[n-i:]) {
				rest := append([]byte(nil), g.text[n-i:]...)
				g.text = g.text[:n-i]
				return segment{g.name, rest}
			}
			break
		}
	}
	return segment{}
}

// interrupt limits the amount that the cell can still print. If drop is true, it drops the text
// that waits for slow subscribers. It must be called before the cell is stopped, because the end of
// a cell delivers all text. The cell's waits end when cancel is called.
func (o *output) interrupt(drop bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished || o.interrupted {
		return
	}
	o.interrupted = true
	o.budget = afterInterrupt
	if drop && o.s.iopub.Discard() {
		o.segments, o.size = nil, 0
		o.append("stdout", "\n[the interrupt dropped output that was not shown yet]\n")
		o.flush(true)
	}
}

// finish ends the cell's own output and returns the payload of its reply. Goroutines that outlive
// the cell can still write and may keep o for a long time, so finish drops the text that o holds.
func (o *output) finish() msg.List[any] {
	o.announce()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush(true)
	o.finished = true
	o.segments, o.replay = nil, replay{overflow: true}
	o.cancel()
	return o.payload
}

// keep records the messages that are published while the cell runs. The caller must hold o.mu.
func (o *output) keep(kind string, content any) {
	if !o.finished {
		o.replay.add(kind, content)
	}
}

// emit publishes a message after the text that precedes it. Like printing, it blocks while
// subscribers cannot keep up.
func (o *output) emit(kind string, content any) error {
	if o.silent {
		return nil
	}
	o.mu.Lock()
	o.flush(true)
	o.keep(kind, content)
	err := o.publish(kind, content, false)
	wait := o.waiting()
	o.mu.Unlock()
	if err == nil {
		_ = o.s.iopub.Ready(wait)
	}
	return err
}

func (o *output) publish(kind string, content any, droppable bool) error {
	o.announce()
	return o.s.publishWith(o.parent.Header, kind, content, nil, nil, droppable)
}

// Display implements display.Sink.
func (o *output) Display(b display.Bundle) error {
	d, err := displayData(b)
	if err != nil {
		return err
	}
	return o.emit("display_data", d)
}

// Update implements display.Sink.
func (o *output) Update(b display.Bundle) error {
	id, _ := b.Transient["display_id"].(string)
	if id == "" {
		return errors.New(`kernel: Update needs a display_id: set Transient["display_id"] to the one that was displayed`)
	}
	if len(b.Data) == 0 {
		return o.remove(id)
	}
	d, err := displayData(b)
	if err != nil {
		return err
	}
	return o.emit("update_display_data", d)
}

// Clear implements display.Sink.
func (o *output) Clear(wait bool) error {
	return o.emit("clear_output", msg.ClearOutput{Wait: wait})
}

// Page implements display.Sink.
func (o *output) Page(b display.Bundle) error {
	data, err := msg.Data(b.Data)
	if err != nil {
		return err
	}
	return o.addPayload("Page", msg.PagePayload{Source: "page", Data: data})
}

// SetNextInput implements display.Sink.
func (o *output) SetNextInput(text string, replace bool) error {
	return o.addPayload("SetNextInput", msg.SetNextInputPayload{Source: "set_next_input", Text: text, Replace: replace})
}

func (o *output) addPayload(verb string, p any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished {
		return fmt.Errorf("kernel: %s must be called while the cell runs, but the cell has finished", verb)
	}
	o.payload = append(o.payload, p)
	return nil
}

// Input implements Output.
func (o *output) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !o.allowStdin {
		return "", errors.New("kernel: this frontend does not support input: run the notebook in one that does, or read from a file")
	}
	o.mu.Lock()
	o.flush(true)
	finished := o.finished
	o.mu.Unlock()
	if finished {
		return "", errors.New("kernel: input must be read while the cell runs, but the cell has finished")
	}
	o.announce()
	return o.s.ask(ctx, o, prompt, password)
}

// displayData checks a bundle and converts it to the content of a message.
func displayData(b display.Bundle) (msg.DisplayData, error) {
	data, err := msg.Data(b.Data)
	if err != nil {
		return msg.DisplayData{}, err
	}
	if err := evaluator.CheckOutput(data); err != nil {
		return msg.DisplayData{}, err
	}
	return msg.DisplayData{Data: data, Metadata: b.Metadata, Transient: b.Transient}, nil
}
