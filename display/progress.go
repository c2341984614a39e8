package display

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A progress bar appears when the work has taken this long, and is redrawn at most this often.
const (
	progressDelay    = 500 * time.Millisecond
	progressInterval = 100 * time.Millisecond
)

// Bar is a progress bar in the output of the running cell. It appears when the work has taken
// half a second and disappears when the work is done, so it is never saved with the notebook. Its
// methods can be called from any goroutine.
type Bar struct {
	mu      sync.Mutex
	id      string
	sink    Sink
	label   string
	note    string
	n, at   int
	start   time.Time
	drawn   time.Time
	visible bool
	done    bool
	now     func() time.Time
}

var bars struct {
	sync.Mutex
	count int
	open  map[*Bar]bool
}

// Progress starts a bar for n steps; n = 0 means that the number of steps is not known.
//
//	bar := Progress(len(files))
//	for _, f := range files {
//		...
//		bar.Step()
//	}
//
// The bar ends at the n-th step, at Done, or with the cell.
func Progress(n int) *Bar { return newBar(n, CurrentSink(), time.Now) }

func newBar(n int, sink Sink, now func() time.Time) *Bar {
	bars.Lock()
	defer bars.Unlock()
	bars.count++
	b := &Bar{id: "progress-" + strconv.Itoa(bars.count), sink: sink, n: max(n, 0), start: now(), now: now}
	if bars.open == nil {
		bars.open = map[*Bar]bool{}
	}
	bars.open[b] = true
	return b
}

// endBars ends the bars that a cell has left open on a sink.
func endBars(sink Sink) {
	bars.Lock()
	var left []*Bar
	for b := range bars.open {
		if b.sink == sink {
			left = append(left, b)
		}
	}
	bars.Unlock()
	for _, b := range left {
		b.Done()
	}
}

// Label sets the text before the bar, such as the current task, and returns the bar.
func (b *Bar) Label(text string) *Bar {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.label = text
	return b
}

// Note sets the text after the bar, such as the current loss, and returns the bar.
func (b *Bar) Note(text string) *Bar {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = text
	return b
}

// Step adds one to the number of completed steps.
func (b *Bar) Step() {
	b.mu.Lock()
	at := b.at + 1
	b.mu.Unlock()
	b.Set(at)
}

// Set sets the number of completed steps to i.
func (b *Bar) Set(i int) {
	b.mu.Lock()
	b.at = max(i, 0)
	if b.n > 0 && b.at >= b.n {
		b.mu.Unlock()
		b.Done()
		return
	}
	defer b.mu.Unlock()
	if b.done {
		return
	}
	now := b.now()
	if now.Sub(b.start) < progressDelay || now.Sub(b.drawn) < progressInterval {
		return
	}
	b.drawn = now
	bundle := b.bundle(now)
	// The next output of the cell reports a broken connection, so errors are ignored here.
	if b.visible {
		_ = b.sink.Update(bundle)
	} else {
		_ = b.sink.Display(bundle)
		b.visible = true
	}
}

// Done removes the bar. Calling it again does nothing.
func (b *Bar) Done() {
	bars.Lock()
	delete(bars.open, b)
	bars.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return
	}
	b.done = true
	if !b.visible {
		return
	}
	_ = b.sink.Update(Bundle{}.named(b.id))
}

// bundle draws the bar.
func (b *Bar) bundle(now time.Time) Bundle {
	elapsed := now.Sub(b.start)
	var state string
	if b.n > 0 {
		state = fmt.Sprintf("%d/%d", b.at, b.n)
		if b.at > 0 {
			left := time.Duration(float64(elapsed) / float64(b.at) * float64(b.n-b.at))
			state += ", " + roundDuration(left) + " left"
		}
	} else {
		state = fmt.Sprintf("%d, %s", b.at, roundDuration(elapsed))
	}
	if b.note != "" {
		state += ", " + b.note
	}
	const cells = 30
	var text, bar string
	if b.n > 0 {
		at := min(b.at, b.n)
		full := cells * at / b.n
		text = strings.Repeat("█", full) + strings.Repeat("░", cells-full) + " " + strconv.Itoa(100*at/b.n) + "% " + state
		bar = fmt.Sprintf(`<progress value="%d" max="%d" style="width:16em;vertical-align:middle"></progress> `, b.at, b.n)
	} else {
		text = state
		bar = `<progress style="width:16em;vertical-align:middle"></progress> `
	}
	if b.label != "" {
		text = b.label + " " + text
		bar = html.EscapeString(b.label) + " " + bar
	}
	return Bundle{Data: map[string]any{
		MIMEText: text,
		MIMEHTML: `<div style="font-variant-numeric:tabular-nums">` + bar + html.EscapeString(state) + `</div>`,
	}}.named(b.id)
}

func roundDuration(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
