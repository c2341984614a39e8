package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/internal/filelock"
)

const (
	// maxSize is the size at which the older half of a journal is dropped.
	maxSize = 8 << 20
	// maxInput is the maximum size of a cell; larger cells are not kept. maxOutput is the maximum
	// size of the text of a result; longer texts are cut.
	maxInput  = 1 << 20
	maxOutput = 16 << 10
	// lockTimeout is how long a kernel waits for another kernel that writes.
	lockTimeout = 5 * time.Second
	lockPoll    = 2 * time.Millisecond
	// block is the number of bytes that are read from a journal at once.
	block = 64 << 10
)

// header is the first line of a journal.
var header = []byte(`{"format":"gokernel history","version":1}` + "\n")

// record is a line after the header: the beginning of a session, which has a time, or a cell.
type record struct {
	Session int64  `json:"session"`
	Start   string `json:"start,omitempty"`
	Line    int    `json:"line,omitempty"`
	Input   string `json:"input,omitempty"`
	Output  string `json:"output,omitempty"`
}

// journal is a file of records. Lines are only appended, until the journal is too large and the
// older half is dropped. A kernel that writes holds the lock on a second file. Lines that cannot
// be parsed are skipped.
type journal struct {
	path  string
	limit int64 // maximum size in bytes
}

// check returns an error if the file exists and cannot be used.
func (j *journal) check() error {
	if err := j.regular(); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	f, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer f.Close()
	if _, err := checkHeader(f); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// regular returns an error if the path is not a regular file, because opening a pipe would block,
// and writing to a device would change the device.
func (j *journal) regular() error {
	info, err := os.Stat(j.path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s must be a regular file", j.path)
	}
	return nil // opening the file reports any other problem
}

// checkHeader reports whether the first line of the journal has yet to be written, because it is
// missing or a crash has cut it short. It returns an error if the file is not a journal.
func checkHeader(f *os.File) (missing bool, err error) {
	first := make([]byte, len(header))
	n, err := f.ReadAt(first, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if !bytes.HasPrefix(header, first[:n]) {
		return false, fmt.Errorf("%s must begin with the header of a gokernel history", f.Name())
	}
	return n < len(header), nil
}

func (j *journal) begin() (id int64, err error) {
	err = j.locked(func(f *os.File) error {
		if id, err = latest(f); err != nil {
			return err
		}
		id++
		line, err := json.Marshal(record{Session: id, Start: time.Now().UTC().Format(time.RFC3339)})
		if err != nil {
			return err
		}
		return write(f, append(line, '\n'))
	})
	return id, err
}

func (j *journal) add(cells []Entry) error {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, e := range cells {
		if len(e.Input) > maxInput {
			continue
		}
		if err := enc.Encode(record{Session: e.Session, Line: e.Line, Input: e.Input, Output: cut(e.Output)}); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	return j.locked(func(f *os.File) error {
		if err := write(f, lines.Bytes()); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil || info.Size() <= j.limit {
			return err
		}
		return j.compact(f)
	})
}

// cut shortens the text of a result to maxOutput bytes.
func cut(text string) string {
	if len(text) <= maxOutput {
		return text
	}
	n := maxOutput
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// locked calls f with the journal while no other kernel writes. It creates the file if necessary.
func (j *journal) locked(f func(*os.File) error) error {
	if err := j.withLock(f); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

func (j *journal) withLock(f func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(j.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // releases the lock
	for end := time.Now().Add(lockTimeout); !filelock.Try(lock); time.Sleep(lockPoll) {
		if time.Now().After(end) {
			return fmt.Errorf("another kernel has held the lock %s for %v", lock.Name(), lockTimeout)
		}
	}
	if err := j.regular(); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	err = j.prepare(file)
	if err == nil {
		err = f(file)
	}
	if closed := file.Close(); !errors.Is(closed, os.ErrClosed) { // compact has closed it
		err = errors.Join(err, closed)
	}
	return err
}

// prepare makes the journal ready for appending: it writes a missing header, and ends a line that a
// crash has cut short.
func (j *journal) prepare(f *os.File) error {
	missing, err := checkHeader(f)
	if err != nil {
		return err
	}
	if missing {
		if err := f.Truncate(0); err != nil {
			return err
		}
		_, err := f.Write(header)
		return errors.Join(err, f.Chmod(0o600))
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := f.Chmod(0o600); err != nil {
			return err
		}
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	return write(f, []byte("\n")) // a crash has cut a line short
}

// appended is a file to which lines are appended.
type appended interface {
	io.Writer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
}

// write appends all the lines or none. If it kept some of the lines after an error, such as a full
// disk, the next attempt would write these lines again.
func write(f appended, lines []byte) error {
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err = f.Write(lines); err != nil {
		return errors.Join(err, f.Truncate(before.Size()))
	}
	return nil
}

// compact replaces f with a journal of the newest lines that has at most half the allowed size, and
// closes f. The number of the last session is kept.
func (j *journal) compact(f *os.File) error {
	session, err := latest(f)
	if err != nil {
		return err
	}
	start, err := json.Marshal(record{Session: session, Start: time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	var kept [][]byte // newest first
	size := int64(len(header) + len(start) + 1)
	err = backward(f, func(line []byte) bool {
		if size += int64(len(line)) + 1; size > j.limit/2 {
			return false
		}
		if json.Valid(line) && !bytes.HasPrefix(header, line) {
			kept = append(kept, bytes.Clone(line))
		}
		return true
	})
	if err != nil {
		return err
	}
	out := append(bytes.Clone(header), append(start, '\n')...)
	for i := len(kept) - 1; i >= 0; i-- {
		out = append(append(out, kept[i]...), '\n')
	}
	if err := f.Close(); err != nil { // Windows cannot replace an open file
		return err
	}
	return j.replace(out)
}

// replace replaces the contents of the journal, completely or not at all.
func (j *journal) replace(contents []byte) error {
	f, err := os.OpenFile(j.path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(contents)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), j.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (j *journal) latest() (id int64, err error) {
	err = j.read(func(f *os.File) error {
		id, err = latest(f)
		return err
	})
	return id, err
}

func (j *journal) newest(yield func(Entry) bool) error {
	return j.read(func(f *os.File) error {
		return backward(f, func(line []byte) bool {
			var r record
			if json.Unmarshal(line, &r) != nil || r.Line <= 0 || r.Session <= 0 {
				return true
			}
			return yield(Entry{Session: r.Session, Line: r.Line, Input: r.Input, Output: r.Output})
		})
	})
}

// read calls f with the journal, if the file exists.
func (j *journal) read(f func(*os.File) error) error {
	file, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		defer file.Close()
		err = f(file)
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// latest returns the number of the newest session, or 0 if there is none.
func latest(f *os.File) (id int64, err error) {
	err = backward(f, func(line []byte) bool {
		if !bytes.Contains(line[:min(len(line), 40)], []byte(`"start":`)) {
			return true
		}
		var r record
		if json.Unmarshal(line, &r) == nil && r.Start != "" {
			id = r.Session
		}
		return id == 0
	})
	return id, err
}

// backward calls yield with the lines of f, starting with the last one, until yield returns false.
// A line is valid until yield returns. Text after the last newline is skipped: it is still being
// written, or a crash has cut it short.
func backward(f *os.File, yield func(line []byte) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at := info.Size() // offset of buf in f
	var buf []byte
	for whole := false; at > 0 || len(buf) > 0; {
		i := bytes.LastIndexByte(buf, '\n')
		if i < 0 && at > 0 {
			n := min(max(block, int64(len(buf))), at)
			more := make([]byte, n, n+int64(len(buf)))
			at -= n
			if _, err := f.ReadAt(more, at); err != nil {
				return err
			}
			buf = append(more, buf...)
			continue
		}
		if whole && !yield(buf[i+1:]) {
			return nil
		}
		whole, buf = true, buf[:max(i, 0)]
	}
	return nil
}
