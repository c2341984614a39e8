// Package ask asks the user of a cell for input: through Input, Password, Confirm, Choose and
// ChooseFile, and through Stdin, which replaces standard input.
package ask

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Handler asks the user for one line and waits for it. The error io.EOF means that the user ended
// the input.
type Handler func(prompt string, password bool) (string, error)

// Dialogs asks the user through controls and waits for the answer. If no frontend has shown the
// question, seen is false, and the user is asked for a line instead.
type Dialogs interface {
	Input(prompt string) (text string, seen bool, err error)
	Confirm(question string) (yes, seen bool, err error)
	Choose(question string, options []string) (i int, seen bool, err error)
	File(question string, types []string) (name string, content []byte, seen bool, err error)
}

var current struct {
	sync.Mutex
	handler Handler
	dialogs Dialogs
}

// SetHandler sets the handler of the running cell, and its dialogs if there are any. If the handler
// is nil, nobody can be asked.
func SetHandler(h Handler, d Dialogs) {
	current.Lock()
	current.handler, current.dialogs = h, d
	current.Unlock()
	Stdin.reset()
}

// dialogs returns the dialogs of the cell, or nil if it has none.
func dialogs() Dialogs {
	current.Lock()
	defer current.Unlock()
	return current.dialogs
}

// unseen removes the dialogs of a cell whose questions no frontend shows.
func unseen() {
	current.Lock()
	defer current.Unlock()
	current.dialogs = nil
}

// ErrNobody reports that nobody can answer: the cell runs without a frontend that supports input,
// or has ended.
var ErrNobody = errors.New("nobody can be asked for input here: run the cell in a frontend that takes input, such as JupyterLab, or read from a file")

// Input asks for a line of text.
func Input(prompt string) (string, error) {
	if d := dialogs(); d != nil {
		if text, seen, err := d.Input(prompt); seen || err != nil {
			return text, err
		}
		unseen()
	}
	return typed(prompt)
}

// typed asks for a line of typed text.
func typed(prompt string) (string, error) { return answer(line(prompt, false)) }

// Password asks for a line without showing it while the user types.
func Password(prompt string) (string, error) { return answer(line(prompt, true)) }

// Confirm asks a question that is answered with yes or no. If the frontend has controls, it shows
// two buttons. Otherwise it asks until the user types y, yes, n or no.
func Confirm(question string) (bool, error) {
	question = strings.TrimSpace(question)
	if d := dialogs(); d != nil {
		if yes, seen, err := d.Confirm(question); seen || err != nil {
			return yes, err
		}
		unseen()
	}
	for {
		text, err := typed(question + " [y/n] ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}

// Choose asks for one of the options and returns it. If the frontend has controls, it shows buttons
// or a list. Otherwise it asks for the number or the text of an option until it gets one.
func Choose(question string, options ...string) (string, error) {
	if len(options) == 0 {
		return "", errors.New("Choose: there are no options: give at least one")
	}
	question = strings.TrimSpace(question)
	if d := dialogs(); d != nil {
		i, seen, err := d.Choose(question, options)
		switch {
		case err != nil:
			return "", err
		case seen && i >= 0 && i < len(options):
			return options[i], nil
		}
		unseen()
	}
	var list strings.Builder
	for i, o := range options {
		fmt.Fprintf(&list, "%d) %s\n", i+1, o)
	}
	fmt.Fprintf(&list, "%s [1-%d] ", question, len(options))
	for {
		text, err := typed(list.String())
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(text)
		if i := slices.Index(options, text); i >= 0 {
			return options[i], nil
		}
		if i, err := strconv.Atoi(text); err == nil && i >= 1 && i <= len(options) {
			return options[i-1], nil
		}
	}
}

// ChooseFile asks for a file and returns its name and content. The types, such as ".csv" or
// "image/*", restrict the choice. If the frontend has controls, a button selects a file of the
// user's machine. Otherwise ChooseFile asks for a path on this machine until the file can be read.
func ChooseFile(question string, types ...string) (name string, content []byte, err error) {
	question = strings.TrimSpace(question)
	if d := dialogs(); d != nil {
		name, content, seen, err := d.File(question, types)
		if seen || err != nil {
			return name, content, err
		}
		unseen()
	}
	prompt := question + " [path] "
	for {
		path, err := typed(prompt)
		if err != nil {
			return "", nil, err
		}
		path = strings.TrimSpace(path)
		content, err := os.ReadFile(path)
		if err == nil {
			return filepath.Base(path), content, nil
		}
		prompt = fmt.Sprintf("%v\n%s [path] ", err, question)
	}
}

// answer replaces the error at the end of the input by a message.
func answer(text string, err error) (string, error) {
	if err == io.EOF {
		err = fmt.Errorf("the input has ended: %w", err)
	}
	return text, err
}

func line(prompt string, password bool) (string, error) {
	current.Lock()
	h := current.handler
	current.Unlock()
	if h == nil {
		return "", ErrNobody
	}
	return h(prompt, password)
}

// Reader is standard input as lines. It asks the user for a line when the previous one has been
// read.
type Reader struct {
	mu   sync.Mutex // held only briefly: a cell can end while one of its goroutines waits for a line
	rest []byte
	last rune // returned by ReadRune, for UnreadRune; -1 if none
	size int
}

// Stdin replaces os.Stdin in cells.
var Stdin = &Reader{last: -1}

// turn is held by the goroutine that reads Stdin, even while it waits for a line.
var turn sync.Mutex

func (r *Reader) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest, r.last = nil, -1
}

// fill asks for a line after all text has been read. If it returns no error, the caller holds mu
// and there is text to read. The caller holds turn.
func (r *Reader) fill() error {
	for {
		r.mu.Lock()
		if len(r.rest) > 0 {
			return nil
		}
		r.mu.Unlock()
		s, err := line("", false)
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.rest = append(r.rest, s+"\n"...)
		r.mu.Unlock()
	}
}

// Read implements [io.Reader].
func (r *Reader) Read(b []byte) (int, error) {
	turn.Lock()
	defer turn.Unlock()
	if len(b) == 0 {
		return 0, nil
	}
	if err := r.fill(); err != nil {
		return 0, err
	}
	defer r.mu.Unlock()
	n := copy(b, r.rest)
	r.rest, r.last = r.rest[n:], -1
	return n, nil
}

// ReadRune implements [io.RuneReader].
func (r *Reader) ReadRune() (rune, int, error) {
	turn.Lock()
	defer turn.Unlock()
	if err := r.fill(); err != nil {
		return 0, 0, err
	}
	defer r.mu.Unlock()
	for i, c := range string(r.rest) {
		if i > 0 {
			r.size = i
			break
		}
		r.last, r.size = c, len(r.rest)
	}
	r.rest = r.rest[r.size:]
	return r.last, r.size, nil
}

// UnreadRune implements [io.RuneScanner], so that a call of Fscan leaves unused text to the next
// one.
func (r *Reader) UnreadRune() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last < 0 {
		return errors.New("ask: UnreadRune must be called right after ReadRune")
	}
	r.rest = append([]byte(string(r.last)), r.rest...)
	r.last = -1
	return nil
}

var _ io.RuneScanner = Stdin
