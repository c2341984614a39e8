package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/internal/csv"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	between = "\x1f" // separates the fields of a matched line
	// Longer lines are not read.
	longestLine = 1 << 26
)

// lines reads lines by a regular expression: its groups become the fields of separated
// values.
type lines struct {
	re    *regexp.Regexp
	names []string
	// These are of the last complete reading:
	matched, lost int
	first         int // number of the first line left out, counted from 1
	example       string
}

func newLines(f *Format) (*lines, error) {
	if f.Separator != "" || f.Comment != "" || f.Skip != 0 || f.NoHeader || f.NoQuotes || f.Ragged {
		return nil, model.Errorf("Read", "Pattern must be the only option, without Separator, Comment, Skip, NoHeader, NoQuotes or Ragged").
			WithHint("remove these options; lines that do not match are skipped")
	}
	re, err := regexp.Compile(f.Pattern)
	if err != nil {
		return nil, model.Errorf("Read", "Pattern must be a regular expression: %v", err).WithHint("see the documentation of package regexp/syntax")
	}
	x := &lines{re: re}
	for i, name := range re.SubexpNames()[1:] {
		if name == "" {
			name = "x" + strconv.Itoa(i+1)
		}
		x.names = append(x.names, name)
	}
	if len(x.names) == 0 {
		return nil, model.Errorf("Read", "Pattern must have a group for each column, got %q", f.Pattern).WithHint("write a named group, as in `(?P<status>\\d+)`")
	}
	return x, nil
}

// of converts a source of lines to a source of separated values.
func (x *lines) of(source csv.Source) csv.Source {
	return func() (io.ReadCloser, error) {
		in, err := source()
		if err != nil {
			return nil, err
		}
		r := &lineReader{Closer: in, to: x, run: lines{re: x.re}}
		r.in = bufio.NewScanner(in)
		r.in.Buffer(nil, longestLine)
		for _, name := range x.names {
			r.out = append(append(r.out, name...), between...)
		}
		r.out = append(r.out, "\x1e\n"...)
		return r, nil
	}
}

// note returns a note on the number of lines left out.
func (x *lines) note() []string {
	if x.lost == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d lines do not match the pattern and were left out; the first is line %d: %q", x.lost, x.lost+x.matched, x.first, x.example)}
}

// lineReader returns the fields of each line, followed by an empty field that is ignored, so that a
// line is never blank.
type lineReader struct {
	io.Closer
	in     *bufio.Scanner
	number int
	out    []byte
	at     int
	run    lines
	to     *lines
}

func (r *lineReader) Read(p []byte) (int, error) {
	for r.at == len(r.out) {
		if !r.in.Scan() {
			if err := r.in.Err(); errors.Is(err, bufio.ErrTooLong) {
				return 0, model.Errorf("Read", "line %d must have at most %d bytes", r.number+1, longestLine)
			} else if err != nil {
				return 0, err
			}
			r.to.matched, r.to.lost, r.to.first, r.to.example = r.run.matched, r.run.lost, r.run.first, r.run.example
			return 0, io.EOF
		}
		r.number++
		if err := r.line(bytes.TrimSuffix(r.in.Bytes(), []byte("\r"))); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.out[r.at:])
	r.at += n
	return n, nil
}

func (r *lineReader) line(text []byte) error {
	r.out, r.at = r.out[:0], 0
	groups := r.run.re.FindSubmatch(text)
	switch {
	case groups == nil && len(bytes.TrimSpace(text)) == 0:
		return nil
	case groups == nil:
		if r.run.lost++; r.run.first == 0 {
			r.run.first, r.run.example = r.number, string(text[:min(len(text), 60)])
		}
		return nil
	}
	for _, g := range groups[1:] {
		if bytes.Contains(g, []byte(between)) {
			return model.Errorf("Read", "the fields of line %d must not contain the control character %q", r.number, between)
		}
		r.out = append(append(r.out, g...), between...)
	}
	r.out = append(r.out, "\n"...)
	r.run.matched++
	return nil
}
