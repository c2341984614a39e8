package standin

import (
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"runtime"
	"strconv"
	"sync"
	"time"
	"weak"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// Package log asks the runtime for its caller, writes to the evaluator's own standard error, and
// ends the process after a fatal message. Cells get functions that log for the cell, at the cell's
// position.

// logging replaces the functions and methods of package log that print.
type logging struct {
	m       *machine.Machine
	callers *callers
	fileOf  func(*os.File) *File // the replacement of a standard file

	mu    sync.Mutex
	locks map[weak.Pointer[log.Logger]]*sync.Mutex // held while a goroutine writes
}

// note is the state of a thread while package log or slog calls code of cells.
type note struct {
	at    site  // position of the log call
	depth int32 // depth of the call of package log; 0 for a call of slog
	outer any   // note of the thread
}

func newLogging(s *Set, c *callers) *logging {
	return &logging{m: s.m, callers: c, fileOf: s.FileOf, locks: map[weak.Pointer[log.Logger]]*sync.Mutex{}}
}

// overrides returns the replacements by the names of the replaced functions.
func (l *logging) overrides() map[string]any {
	std := log.Default()
	return map[string]any{
		"log.Print":            func(a ...any) { l.output(std, 1, fmt.Sprint(a...)) },
		"log.Printf":           func(f string, a ...any) { l.output(std, 1, fmt.Sprintf(f, a...)) },
		"log.Println":          func(a ...any) { l.output(std, 1, fmt.Sprintln(a...)) },
		"log.Panic":            func(a ...any) { l.panic(std, fmt.Sprint(a...)) },
		"log.Panicf":           func(f string, a ...any) { l.panic(std, fmt.Sprintf(f, a...)) },
		"log.Panicln":          func(a ...any) { l.panic(std, fmt.Sprintln(a...)) },
		"log.Fatal":            func(a ...any) { l.fatal(std, fmt.Sprint(a...)) },
		"log.Fatalf":           func(f string, a ...any) { l.fatal(std, fmt.Sprintf(f, a...)) },
		"log.Fatalln":          func(a ...any) { l.fatal(std, fmt.Sprintln(a...)) },
		"log.Output":           func(depth int, s string) error { return l.output(std, depth, s) },
		"(*log.Logger).Print":  func(to *log.Logger, a ...any) { l.output(to, 1, fmt.Sprint(a...)) },
		"(*log.Logger).Printf": func(to *log.Logger, f string, a ...any) { l.output(to, 1, fmt.Sprintf(f, a...)) },
		"(*log.Logger).Println": func(to *log.Logger, a ...any) {
			l.output(to, 1, fmt.Sprintln(a...))
		},
		"(*log.Logger).Panic":   func(to *log.Logger, a ...any) { l.panic(to, fmt.Sprint(a...)) },
		"(*log.Logger).Panicf":  func(to *log.Logger, f string, a ...any) { l.panic(to, fmt.Sprintf(f, a...)) },
		"(*log.Logger).Panicln": func(to *log.Logger, a ...any) { l.panic(to, fmt.Sprintln(a...)) },
		"(*log.Logger).Fatal":   func(to *log.Logger, a ...any) { l.fatal(to, fmt.Sprint(a...)) },
		"(*log.Logger).Fatalf":  func(to *log.Logger, f string, a ...any) { l.fatal(to, fmt.Sprintf(f, a...)) },
		"(*log.Logger).Fatalln": func(to *log.Logger, a ...any) { l.fatal(to, fmt.Sprintln(a...)) },
		"(*log.Logger).Output":  l.output,
	}
}

func (l *logging) panic(to *log.Logger, s string) {
	l.output(to, 1, s)
	panic(s)
}

func (l *logging) fatal(to *log.Logger, s string) {
	l.output(to, 1, s)
	exit(1)
}

// output writes s as the logger does, with the position of a call on the stack: depth 1 is the
// innermost call.
func (l *logging) output(to *log.Logger, depth int, s string) error {
	if to.Writer() == io.Discard {
		return nil
	}
	var at site
	if to.Flags()&(log.Lshortfile|log.Llongfile) != 0 || l.standard(to.Writer()) == nil {
		if sites := l.callers.stackSites(depth); depth > 0 && depth <= len(sites) {
			at = sites[depth-1]
		}
	}
	return l.write(to, at, s)
}

// write writes s as the logger does, with the given position.
func (l *logging) write(to *log.Logger, at site, s string) error {
	w := to.Writer()
	text := append(logHeader(to, at, time.Now()), s...)
	if len(s) == 0 || s[len(s)-1] != '\n' {
		text = append(text, '\n')
	}
	if f := l.standard(w); f != nil {
		_, err := f.Write(text)
		return err
	}
	lock := l.lock(to)
	lock.Lock()
	defer lock.Unlock()
	if th := l.m.Thread(); th != nil {
		// The writer may be a handler of package slog, or may ask for its caller.
		defer func(before any) { th.Note = before }(th.Note)
		th.Note = &note{at: at, depth: th.Depth, outer: th.Note}
	}
	_, err := w.Write(text)
	return err
}

// standard returns the replacement of a writer that is a standard file of the session, whatever
// os.Stdout and os.Stderr hold now, or nil for other writers.
func (l *logging) standard(w io.Writer) *File {
	switch f := w.(type) {
	case *File:
		return f
	case *os.File:
		return l.fileOf(f)
	}
	return nil
}

// logHeader returns the header of a log line, as set by log.SetFlags.
func logHeader(to *log.Logger, at site, now time.Time) []byte {
	flags, prefix := to.Flags(), to.Prefix()
	var b []byte
	if flags&log.Lmsgprefix == 0 {
		b = append(b, prefix...)
	}
	if flags&log.LUTC != 0 {
		now = now.UTC()
	}
	if flags&log.Ldate != 0 {
		b = now.AppendFormat(b, "2006/01/02 ")
	}
	switch {
	case flags&log.Lmicroseconds != 0:
		b = now.AppendFormat(b, "15:04:05.000000 ")
	case flags&log.Ltime != 0:
		b = now.AppendFormat(b, "15:04:05 ")
	}
	if flags&(log.Lshortfile|log.Llongfile) != 0 {
		file, line := at.file, at.line
		if file == "" {
			file = "???"
		}
		if flags&log.Lshortfile != 0 {
			file = path.Base(file)
		}
		b = append(append(b, file...), ':')
		b = append(strconv.AppendInt(b, int64(line), 10), ": "...)
	}
	if flags&log.Lmsgprefix != 0 {
		b = append(b, prefix...)
	}
	return b
}

// lock returns the lock that a logger holds while it writes.
func (l *logging) lock(to *log.Logger) *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := weak.Make(to)
	m := l.locks[key]
	if m == nil {
		m = new(sync.Mutex)
		l.locks[key] = m
		runtime.AddCleanup(to, l.forget, key)
	}
	return m
}

func (l *logging) forget(key weak.Pointer[log.Logger]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.locks, key)
}
