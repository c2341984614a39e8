package worker

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// crashStarts are the prefixes of the lines that the Go runtime writes when it gives up.
var crashStarts = []string{
	"fatal error: ",
	"panic: ",
	"runtime: ",
	"runtime/cgo: ",
	"unexpected fault address ",
	"SIGABRT: ",
	"SIGBUS: ",
	"SIGFPE: ",
	"SIGILL: ",
	"SIGQUIT: ",
	"SIGSEGV: ",
	"SIGSYS: ",
}

const (
	// holdFor is how long text that looks like a crash of the runtime is held back to see whether
	// the process ends. Unwinding a stack of a gigabyte after the first line takes most of a
	// second.
	holdFor = 2 * time.Second
	// fatalFor is how long text is held back after a "fatal error", which the runtime does not
	// survive, even if its dump takes long on a busy machine.
	fatalFor = time.Minute
	// holdLimit is the maximum number of bytes held back.
	holdLimit = 1 << 20
)

// crashFilter filters the evaluator's standard error before it reaches the cell. It holds back text
// that looks like a crash of the process. If the process ends, the text becomes part of the cell's
// error, and is not also shown as output.
type crashFilter struct {
	emit func(string)

	mu      sync.Mutex
	midLine bool
	held    strings.Builder
	timer   *time.Timer
}

func (c *crashFilter) write(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held.Len() == 0 {
		at := c.crashAt(text)
		if at < 0 {
			c.pass(text)
			return
		}
		c.pass(text[:at])
		text = text[at:]
		c.timer = time.AfterFunc(holdFor, c.release)
	}
	c.held.WriteString(text)
	if strings.Contains(text, "fatal error: ") {
		c.timer.Reset(fatalFor)
	}
	if c.held.Len() > holdLimit {
		c.releaseLocked()
	}
}

func (c *crashFilter) pass(text string) {
	if text == "" {
		return
	}
	c.midLine = !strings.HasSuffix(text, "\n")
	c.emit(text)
}

// crashAt returns the offset of the first line of text that begins like a crash, or -1.
func (c *crashFilter) crashAt(text string) int {
	at := 0
	if c.midLine {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return -1
		}
		at = n + 1
	}
	for at < len(text) {
		for _, s := range crashStarts {
			if strings.HasPrefix(text[at:], s) {
				return at
			}
		}
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	return -1
}

// release forwards the held text because the process lives.
func (c *crashFilter) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.releaseLocked()
}

func (c *crashFilter) releaseLocked() {
	if c.held.Len() == 0 {
		return
	}
	c.timer.Stop()
	text := c.held.String()
	c.held.Reset()
	c.pass(text)
}

// last returns the held text because the process has ended.
func (c *crashFilter) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.held.String()
	c.held.Reset()
	if c.timer != nil {
		c.timer.Stop()
	}
	return text
}

// crashPC returns the address of the instruction at which a signal ended the process, as given in
// the last output of the process, or 0 if that output names no address.
func crashPC(last string) uint64 {
	m := signalPC.FindStringSubmatch(last)
	if m == nil {
		return 0
	}
	pc, err := strconv.ParseUint(m[1], 16, 64)
	if err != nil {
		return 0
	}
	return pc
}

var signalPC = regexp.MustCompile(`(?i)\bpc=0x([0-9a-f]+)`)

// cause explains in one line why the evaluator ended, from its last output and its exit state.
func cause(last string, state *os.ProcessState) string {
	var first string
	for line := range strings.Lines(last) {
		line = strings.TrimSpace(line)
		switch {
		case line == "fatal error: runtime: out of memory", strings.HasPrefix(line, "fatal error: runtime: cannot allocate memory"):
			return "out of memory"
		case strings.HasPrefix(line, "fatal error: "), strings.HasPrefix(line, "SIG"):
			return line
		case strings.HasPrefix(line, "runtime: out of memory"):
			return strings.TrimPrefix(line, "runtime: ")
		}
		if first == "" && line != "" {
			first = line
		}
	}
	if first != "" {
		return first
	}
	return describeExit(state)
}
