package worker

import (
	"os"
	"sync"
	"unicode/utf8"
)

// pump passes the text that the evaluator prints on one of its standard streams to the function
// emit, in pieces that do not split a character.
type pump struct {
	f    *os.File
	emit func(text string)

	mu   sync.Mutex // held from before a read until its text is emitted
	buf  []byte
	rest int // bytes at the start of buf that begin a character
}

const (
	// pumpSize is the capacity of a pipe, so one read may empty it.
	pumpSize = 64 << 10
	// drainLimit is the maximum number of bytes that one call of drain emits, because a stream may
	// never pause.
	drainLimit = 1 << 20
)

func newPump(f *os.File, emit func(string)) *pump {
	return &pump{f: f, emit: emit, buf: make([]byte, pumpSize)}
}

// take emits the n new bytes that follow the rest. The caller holds mu.
func (p *pump) take(n int) {
	b := p.buf[:p.rest+n]
	cut := len(b) - incomplete(b)
	if cut > 0 {
		p.emit(string(b[:cut]))
	}
	p.rest = copy(p.buf, b[cut:])
}

// finish emits the bytes of an incomplete last character.
func (p *pump) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest > 0 {
		p.emit(string(p.buf[:p.rest]))
		p.rest = 0
	}
}

// incomplete returns the number of bytes at the end of b that belong to an incomplete character.
func incomplete(b []byte) int {
	for n := 1; n <= utf8.UTFMax-1 && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c < utf8.RuneSelf || utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
