// Package notebook reads and writes Jupyter notebooks (nbformat 4.5).
//
// The package keeps unknown content, such as the metadata of other tools, unchanged. It always
// writes the same notebook as the same bytes, in Jupyter's own layout.
package notebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/internal/wholefile"
)

// The types of cells.
const (
	Code     = "code"
	Markdown = "markdown"
	Raw      = "raw"
)

// Notebook is one notebook.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
	extra    map[string]any
}

// Cell is one cell. Only code cells have Outputs and Count.
type Cell struct {
	ID          string
	Type        string // Code, Markdown or Raw
	Source      string
	Metadata    map[string]any
	Attachments map[string]map[string]any // by file name, then MIME type
	Outputs     []*Output
	Count       int // the execution count; 0 if the cell has not run
	extra       map[string]any
}

// The types of outputs.
const (
	Stream        = "stream"
	DisplayData   = "display_data"
	ExecuteResult = "execute_result"
	Error         = "error"
)

// Output is one output of a code cell.
type Output struct {
	Type string // Stream, DisplayData, ExecuteResult or Error

	Name string // name of a stream: stdout or stderr
	Text string

	Data     map[string]any // by MIME type: strings, or any value for JSON types
	Metadata map[string]any
	Count    int // execution count of an ExecuteResult

	ErrorName, ErrorValue string
	Traceback             []string
	extra                 map[string]any
}

// SlideType returns the role of the cell in a deck of slides, which JupyterLab calls "Slide Type":
// slide, subslide, fragment, skip, notes, or "" if the author chose none.
func (c *Cell) SlideType() string {
	m, _ := c.Metadata["slideshow"].(map[string]any)
	t, _ := m["slide_type"].(string)
	if t == "-" {
		return ""
	}
	return t
}

// Tagged reports whether the cell has one of the tags.
func (c *Cell) Tagged(tags ...string) bool {
	list, _ := c.Metadata["tags"].([]any)
	return slices.ContainsFunc(list, func(t any) bool {
		s, ok := t.(string)
		return ok && slices.Contains(tags, s)
	})
}

// Language returns the notebook's language in lower case, or "" if the notebook does not name it.
func (nb *Notebook) Language() string {
	for _, at := range [][2]string{{"kernelspec", "language"}, {"language_info", "name"}} {
		if m, ok := nb.Metadata[at[0]].(map[string]any); ok {
			if s, ok := m[at[1]].(string); ok && s != "" {
				return strings.ToLower(s)
			}
		}
	}
	return ""
}

// Read reads the notebook in a file.
func Read(name string) (*Notebook, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	nb, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nb, nil
}

// Decode decodes a notebook of any format 4. A cell without an ID gets an ID that depends only on
// the notebook.
func Decode(b []byte) (*Notebook, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		return nil, notJSON(b, err)
	}
	if rest := bytes.TrimSpace(b[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("notebook: trailing data after the notebook, which ends on line %d", 1+bytes.Count(b[:d.InputOffset()], []byte("\n")))
	}
	switch major := m["nbformat"]; fmt.Sprint(major) {
	case "4":
	case "1", "2", "3":
		return nil, fmt.Errorf("notebook: nbformat must be 4, got %v: convert it with `jupyter nbconvert --to notebook`, or open and save it in JupyterLab", major)
	default:
		if major == nil {
			return nil, errors.New("notebook: the JSON must have nbformat, as notebooks do")
		}
		return nil, fmt.Errorf("notebook: nbformat must be 4, got %v", major)
	}
	nb := &Notebook{Metadata: object(m["metadata"])}
	cells, ok := m["cells"].([]any)
	if !ok {
		return nil, errors.New("notebook: it must have a list of cells")
	}
	for i, v := range cells {
		c, err := decodeCell(v)
		if err != nil {
			return nil, fmt.Errorf("notebook: cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	nb.extra = without(m, "cells", "metadata", "nbformat", "nbformat_minor")
	nb.identify()
	return nb, nil
}

// notJSON explains why b is not a notebook's JSON.
func notJSON(b []byte, err error) error {
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return errors.New("notebook: the file is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("notebook: the file is truncated")
	}
	e := (*json.SyntaxError)(nil)
	if !errors.As(err, &e) {
		return fmt.Errorf("notebook: not a notebook's JSON: %w", err)
	}
	before := b[:max(e.Offset-1, 0)]
	line := bytes.Count(before, []byte("\n"))
	text := string(bytes.Split(b, []byte("\n"))[line])
	if slices.ContainsFunc([]string{"<<<<<<<", "=======", ">>>>>>>"}, func(mark string) bool { return strings.HasPrefix(text, mark) }) {
		return fmt.Errorf("notebook: not JSON: line %d is a merge conflict marker: resolve the conflict", line+1)
	}
	return fmt.Errorf("notebook: not JSON: line %d: %w", line+1, err)
}

func decodeCell(v any) (*Cell, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it must be an object")
	}
	c := &Cell{Metadata: object(m["metadata"])}
	c.ID, _ = m["id"].(string)
	c.Type, _ = m["cell_type"].(string)
	switch c.Type {
	case Code, Markdown, Raw:
	default:
		return nil, fmt.Errorf("cell_type must be code, markdown or raw, got %q", c.Type)
	}
	var err error
	if c.Source, err = lines(m["source"]); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if as, ok := m["attachments"].(map[string]any); ok {
		c.Attachments = make(map[string]map[string]any)
		for name, a := range as {
			if c.Attachments[name], err = decodeData(a); err != nil {
				return nil, fmt.Errorf("attachment %s: %w", name, err)
			}
		}
	}
	if c.Type == Code {
		c.Count = integer(m["execution_count"])
		outs, _ := m["outputs"].([]any)
		for i, v := range outs {
			o, err := decodeOutput(v)
			if err != nil {
				return nil, fmt.Errorf("output %d: %w", i+1, err)
			}
			c.Outputs = append(c.Outputs, o)
		}
	}
	c.extra = without(m, "id", "cell_type", "metadata", "source", "attachments", "execution_count", "outputs")
	return c, nil
}

func decodeOutput(v any) (*Output, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it must be an object")
	}
	o := &Output{}
	o.Type, _ = m["output_type"].(string)
	var err error
	switch o.Type {
	case Stream:
		o.Name, _ = m["name"].(string)
		if o.Text, err = lines(m["text"]); err != nil {
			return nil, fmt.Errorf("text: %w", err)
		}
	case DisplayData, ExecuteResult:
		if o.Data, err = decodeData(m["data"]); err != nil {
			return nil, err
		}
		o.Metadata = object(m["metadata"])
		o.Count = integer(m["execution_count"])
	case Error:
		o.ErrorName, _ = m["ename"].(string)
		o.ErrorValue, _ = m["evalue"].(string)
		tb, _ := m["traceback"].([]any)
		for _, l := range tb {
			s, _ := l.(string)
			o.Traceback = append(o.Traceback, s)
		}
	default:
		return nil, fmt.Errorf("output_type must be stream, display_data, execute_result or error, got %q", o.Type)
	}
	o.extra = without(m, "output_type", "name", "text", "data", "metadata", "execution_count", "ename", "evalue", "traceback")
	return o, nil
}

func decodeData(v any) (map[string]any, error) {
	data := object(v)
	for mime, v := range data {
		if IsJSON(mime) {
			continue
		}
		s, err := lines(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", mime, err)
		}
		data[mime] = s
	}
	return data, nil
}

// IsJSON reports whether values of the MIME type are JSON values, not strings.
func IsJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// isText reports whether values of the MIME type are written line by line.
func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}

// lines joins a string that may be written as a list of its lines.
func lines(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case []any:
		var b strings.Builder
		for _, l := range v {
			s, ok := l.(string)
			if !ok {
				return "", fmt.Errorf("it must be a string or a list of strings, got a list with %T", l)
			}
			b.WriteString(s)
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("it must be a string or a list of strings, got %T", v)
}

func object(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

func integer(v any) int {
	n, ok := v.(json.Number)
	if !ok {
		return 0
	}
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return int(i)
}

func without(m map[string]any, keys ...string) map[string]any {
	rest := maps.Clone(m)
	for _, k := range keys {
		delete(rest, k)
	}
	return rest
}

var validID = pattern.New(`^[a-zA-Z0-9_-]{1,64}$`)

// identify assigns a new ID to each cell that has no ID, or has the ID of another cell.
func (nb *Notebook) identify() {
	seen := make(map[string]bool)
	for i, c := range nb.Cells {
		for n := 0; !validID().MatchString(c.ID) || seen[c.ID]; n++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s %s", i, n, c.Type, c.Source))
			c.ID = hex.EncodeToString(sum[:4])
		}
		seen[c.ID] = true
	}
}

// Encode returns the notebook in the form that Jupyter writes.
func (nb *Notebook) Encode() ([]byte, error) {
	nb.identify()
	m := maps.Clone(nb.extra)
	if m == nil {
		m = make(map[string]any)
	}
	m["nbformat"], m["nbformat_minor"] = 4, 5
	m["metadata"] = notNil(nb.Metadata)
	cells := make([]any, 0, len(nb.Cells))
	for _, c := range nb.Cells {
		cells = append(cells, c.encode())
	}
	m["cells"] = cells
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("notebook: can't encode it: %w", err)
	}
	return b.Bytes(), nil
}

func (c *Cell) encode() map[string]any {
	m := maps.Clone(c.extra)
	if m == nil {
		m = make(map[string]any)
	}
	m["id"], m["cell_type"] = c.ID, c.Type
	m["metadata"] = notNil(c.Metadata)
	m["source"] = split(c.Source)
	if c.Attachments != nil {
		as := make(map[string]any)
		for name, data := range c.Attachments {
			as[name] = encodeData(data)
		}
		m["attachments"] = as
	}
	if c.Type == Code {
		m["execution_count"] = count(c.Count)
		outs := make([]any, 0, len(c.Outputs))
		for _, o := range c.Outputs {
			outs = append(outs, o.encode())
		}
		m["outputs"] = outs
	}
	return m
}

func (o *Output) encode() map[string]any {
	m := maps.Clone(o.extra)
	if m == nil {
		m = make(map[string]any)
	}
	m["output_type"] = o.Type
	switch o.Type {
	case Stream:
		m["name"], m["text"] = o.Name, split(o.Text)
	case DisplayData, ExecuteResult:
		m["data"], m["metadata"] = encodeData(o.Data), notNil(o.Metadata)
		if o.Type == ExecuteResult {
			m["execution_count"] = count(o.Count)
		}
	case Error:
		m["ename"], m["evalue"] = o.ErrorName, o.ErrorValue
		m["traceback"] = append([]string{}, o.Traceback...)
	}
	return m
}

func encodeData(data map[string]any) map[string]any {
	m := make(map[string]any, len(data))
	for mime, v := range data {
		if s, ok := v.(string); ok && isText(mime) {
			v = split(s)
		}
		m[mime] = v
	}
	return m
}

func notNil(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// split returns the lines of s, including their line breaks.
func split(s string) []string {
	return slices.AppendSeq([]string{}, strings.Lines(s))
}

// WriteFile writes b to a file completely or not at all: at any time, the file has either the old
// contents or the new contents. A path that is not a regular file, such as /dev/stdout, is written
// to and not replaced.
func WriteFile(name string, b []byte) error {
	if err := wholefile.Write(name, b); err != nil {
		return WriteError(name, err)
	}
	return nil
}

// WriteError returns the error that a file could not be written.
func WriteError(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err // p.Path is the path of a temporary file
	}
	return fmt.Errorf("can't write %s: %w; the old file is unchanged", name, err)
}
