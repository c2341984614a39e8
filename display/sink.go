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
	shown map[string]bool // display ids that the sink has an output for
}{sink: TextSink(os.Stdout)}

// SetSink makes s the place that Show, Update, Clear and Progress send to, and
// returns the one before it. A notebook session sets one for each cell. Nil sets
// the sink that is there at the start, which prints text to standard output.
// Progress bars that are still open on the previous sink are taken away.
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

// Lend calls f, and s takes what it shows. What the cell has shown by then can be updated
// again afterwards.
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

// Show shows the values one below the other, at once, while the cell runs. All
// are shown, also when one of them cannot be; the error joins those of all.
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

// Update shows v under a name; the next Update of the cell with that name
// replaces it where it stands.
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

// named is the bundle with a display id.
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

// Clear removes what the cell has shown so far.
func Clear() error {
	current.Lock()
	sink := current.sink
	current.shown = nil
	current.Unlock()
	return sink.Clear(false)
}

// ClearNext removes what the cell has shown so far as soon as it shows something
// new: an animation does not flicker that way.
func ClearNext() error {
	current.Lock()
	sink := current.sink
	current.shown = nil
	current.Unlock()
	return sink.Clear(true)
}

// Page shows v in the pager of the frontend, beside the notebook.
func Page(v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	return CurrentSink().Page(b)
}

// TextSink is a sink that writes the text of each bundle to w, for programs that
// run outside a notebook. What has been written cannot be cleared: an update is
// written below.
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
	return errors.New("display: there is no notebook whose next cell could be set")
}
