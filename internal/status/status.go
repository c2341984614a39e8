// Package status shows the progress of a long task. On a terminal, it rewrites one line;
// elsewhere, it writes a line now and then.
package status

import (
	"fmt"
	"io"
	"os"
	"time"
)

// These are the intervals at which the line is written: on a terminal, and to a file or a pipe.
const (
	often  = 200 * time.Millisecond
	seldom = 10 * time.Second
)

// At regular intervals, Show writes the line that text returns, until stop is called. stop must be
// called once. It replaces the line by the line last. If last is empty, it clears the line on a
// terminal. Show calls text in another goroutine, and never after stop has returned.
func Show(w io.Writer, text func() string) (stop func(last string)) {
	every, terminal := seldom, false
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		every, terminal = often, true
	}
	ticker := time.NewTicker(every)
	end := show(w, terminal, ticker.C, text)
	return func(last string) {
		ticker.Stop()
		end(last)
	}
}

// isTerminal reports whether the file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// show implements Show and writes at each tick.
func show(w io.Writer, terminal bool, tick <-chan time.Time, text func() string) (stop func(last string)) {
	written := ""
	write := func() {
		line := text()
		switch {
		case line == "" || line == written:
		case terminal:
			fmt.Fprint(w, "\r\x1b[K", fit(line))
		default:
			fmt.Fprintln(w, line)
		}
		written = line
	}
	write()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-tick:
				write()
			case <-done:
				return
			}
		}
	}()
	return func(last string) {
		close(done)
		<-ended
		if terminal && written != "" {
			fmt.Fprint(w, "\r\x1b[K")
		}
		if last != "" && (terminal || last != written) {
			fmt.Fprintln(w, last)
		}
	}
}

// fit shortens a line that would wrap on the narrowest usual terminal, because a wrapped line
// cannot be overwritten.
func fit(line string) string {
	const width = 79
	if r := []rune(line); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return line
}

// Duration formats a time for readers: 8 s, 2 min 5 s.
func Duration(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}
