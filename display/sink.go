package display

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

var current = struct {
	sync.Mutex
	sink  Sink
	shown map[string]bool // display ids for which the sink has an output
}{sink: TextSink(os.Stdout)}

// SetSink sets the sink that Show, Update, Clear and Progress use, and returns the previous one.
// A notebook session sets a sink for each cell. Nil restores the initial sink, which prints text
// to standard output. Progress bars that are still open on the previous sink are removed.
func SetSink(s Sink) (previous Sink) {
	if s == nil {
		s = TextSink(os.Stdout)
	}
	current.Lock()
	previous = current.sink
	current.sink, current.shown = s, nil
	current.Unlock()
	endBars(previous)
	return previous
}

// Lend calls f with s as the current sink. Afterwards Lend restores the previous sink, and the cell
// can still update its earlier outputs.
func Lend(s Sink, f func()) {
	current.Lock()
	sink, shown := current.sink, current.shown
	current.sink, current.shown = s, nil
	current.Unlock()
	defer func() {
		current.Lock()
		current.sink, current.shown = sink, shown
		current.Unlock()
		endBars(s)
	}()
	f()
}

// CurrentSink returns the sink of the running cell.
func CurrentSink() Sink {
	current.Lock()
	defer current.Unlock()
	return current.sink
}

// Show shows the values immediately, one below the other, while the cell runs. If a value cannot be
// shown, Show still shows the other values, and returns the joined errors.
func Show(values ...any) error {
	sink := CurrentSink()
	var errs []error
	for _, v := range values {
		b, err := Of(v)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if err := sink.Display(b); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Update shows v under the name id. If the cell has already shown a value under this name, v
// replaces it in its position.
func Update(id string, v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	b = b.named(id)
	current.Lock()
	sink, again := current.sink, current.shown[id]
	if current.shown == nil {
		current.shown = map[string]bool{}
	}
	current.shown[id] = true
	current.Unlock()
	if again {
		return sink.Update(b)
	}
	return sink.Display(b)
}

// named returns a copy of the bundle with a display id.
func (b Bundle) named(id string) Bundle {
	transient := map[string]any{"display_id": id}
	for k, v := range b.Transient {
		if k != "display_id" {
			transient[k] = v
		}
	}
	b.Transient = transient
	return b
}

// Clear removes the outputs of the cell.
func Clear() error {
	current.Lock()
	sink := current.sink
	current.shown = nil
	current.Unlock()
	return sink.Clear(false)
}

// ClearNext removes the cell's output as soon as the cell shows something new. Use ClearNext for
// animations, because they flicker with [Clear].
func ClearNext() error {
	current.Lock()
	sink := current.sink
	current.shown = nil
	current.Unlock()
	return sink.Clear(true)
}

// Page shows v in the frontend's pager, outside the notebook.
func Page(v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	return CurrentSink().Page(b)
}

// TextSink returns a sink that writes the text of each bundle to w, for programs that run outside a
// notebook. The sink cannot clear text that it has written; it writes an update below the earlier
// text.
func TextSink(w io.Writer) Sink { return &textSink{w: w} }

type textSink struct {
	mu sync.Mutex
	w  io.Writer
}

func (t *textSink) Display(b Bundle) error {
	text, _ := b.Data[MIMEText].(string)
	if text == "" {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := fmt.Fprintln(t.w, strings.TrimSuffix(text, "\n"))
	return err
}

func (t *textSink) Update(b Bundle) error { return t.Display(b) }
func (t *textSink) Clear(bool) error      { return nil }
func (t *textSink) Page(b Bundle) error   { return t.Display(b) }
func (t *textSink) SetNextInput(string, bool) error {
	return errors.New("display: SetNextInput needs a notebook, but the program runs outside one")
}
