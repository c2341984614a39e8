package persist

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
)

const (
	magic   = "gokernel model "
	version = 1
	// maxHeader bounds the lines of text, so that a large file without line feeds
	// is not read as a header.
	maxHeader = 4096
	module    = "github.com/gokernel/gokernel"
)

// header is the second line of a file.
type header struct {
	Type    string `json:"type"`
	Library string `json:"library"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

func (h header) sum(state []byte) string {
	s := sha256.New()
	io.WriteString(s, h.Type+"\n"+h.Library+"\n")
	s.Write(state)
	return hex.EncodeToString(s.Sum(nil))
}

// Save writes m to w. m must be a pointer to a model of the library or to a type passed to
// [Register]. Save returns a [*model.Error] for any other m, and for an m that depends on a
// function; see the package comment.
func Save(w io.Writer, m any) error {
	const op = "persist.Save"
	t := reflect.TypeOf(m)
	if t == nil {
		return model.Errorf(op, "the model must not be nil")
	}
	name, ok := snapshot.Name(t)
	if !ok || !isModel(t) {
		if isModel(reflect.PointerTo(t)) {
			return model.Errorf(op, "the model must be a pointer, got %s", t).WithHint("pass its address, &m")
		}
		if _, fits := t.MethodByName("Fit"); fits && !ok && t.Kind() == reflect.Pointer {
			return model.Errorf(op, "the model must be one of this library, or its type must be registered, got %s", t).
				WithHint("register your own type before you save: ml.Register(&%s{})", inCells(t.Elem().String()))
		}
		return model.Errorf(op, "the model must be one of this library, got %s", t).
			WithHint("pass a pointer to a model, such as &ml.DecisionTree{}")
	}
	state, err := snapshot.Encode(m, omit)
	if err != nil {
		return model.Errorf(op, "%v", err).WithHint("use only kernels, distances and models of this library, and types passed to ml.Register")
	}
	h := header{Type: name, Library: libraryVersion(), Bytes: int64(len(state))}
	h.SHA256 = h.sum(state)
	line, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n%s\n", magic, version, line)
	b.Write(state)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// Load reads a model that [Save] wrote and returns a pointer to it. It does not read beyond the end
// of the model. For a damaged, truncated or foreign input it returns a [*model.Error] that states
// the problem and its position.
func Load(r io.Reader) (any, error) {
	const op = "persist.Load"
	first, err := line(r)
	if err != nil {
		return nil, fault(op, "first", first, err)
	}
	text, ok := strings.CutPrefix(first, magic)
	if !ok {
		return nil, model.Errorf(op, "the input must be a saved model, got %.20q", first).
			WithHint("pass a file that Save wrote")
	}
	if v, err := strconv.Atoi(text); err != nil || v < 1 {
		return nil, model.Errorf(op, "the version of the format must be a number, got %.20q", text)
	} else if v > version {
		return nil, model.Errorf(op, "the version of the format must be at most %d, got %d", version, v).
			WithHint("update the library")
	}
	second, err := line(r)
	if err != nil {
		return nil, fault(op, "second", second, err)
	}
	var h header
	if err := json.Unmarshal([]byte(second), &h); err != nil {
		return nil, model.Errorf(op, "the second line is damaged: %v", err)
	}
	if h.Bytes < 0 {
		return nil, model.Errorf(op, "the second line is damaged: it declares %d bytes", h.Bytes)
	}
	var state bytes.Buffer
	if n, err := io.CopyN(&state, r, h.Bytes); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, model.Errorf(op, "the input is cut off: it has %d of the %d bytes of the model", n, h.Bytes)
		}
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if got := h.sum(state.Bytes()); got != h.SHA256 {
		return nil, model.Errorf(op, "the input is damaged: the checksum of the %s is %.16s…, not %.16s…", h.Type, got, h.SHA256).
			WithHint("save the model again, or copy the file again")
	}
	t := snapshot.Type(h.Type)
	if own, ok := strings.CutPrefix(h.Type, snapshot.Own+"*"); ok && t == nil {
		return nil, model.Errorf(op, "the type %s of the model must be registered", own).
			WithHint("run the cell that declares the type, and register it: ml.Register(&%s{})", inCells(path.Base(own)))
	}
	if t == nil || !isModel(t) {
		return nil, model.Errorf(op, "the model must be one of this library, got %q (written by version %s)", h.Type, h.Library)
	}
	m, err := snapshot.Decode(state.Bytes(), t, omit)
	if err != nil {
		return nil, model.Errorf(op, "%v (written by version %s)", err, h.Library).
			WithHint("fit and save the model again")
	}
	return m, nil
}

// line reads up to a line feed, a byte at a time, so that nothing after it is taken
// from r.
func line(r io.Reader) (string, error) {
	var text []byte
	var b [1]byte
	for len(text) < maxHeader {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return string(text), err
		}
		if b[0] == '\n' {
			return string(text), nil
		}
		text = append(text, b[0])
	}
	return string(text), errLong
}

var errLong = errors.New("the line is too long")

// fault returns the error for a line that could not be read completely.
func fault(op, which, text string, err error) error {
	switch {
	case !strings.HasPrefix(text, magic[:min(len(magic), len(text))]) && which == "first", err == errLong:
		return model.Errorf(op, "the input must be a saved model, got %.20q", text).
			WithHint("pass a file that Save wrote")
	case errors.Is(err, io.EOF):
		return model.Errorf(op, "the input is cut off in the %s line", which)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// SaveFile writes m to a file, as [Save] does. After an error, the file is unchanged. A read-only
// file is not overwritten.
func SaveFile(path string, m any) error {
	const op = "persist.SaveFile"
	if err := wholefile.Stream(path, func(w io.Writer) error { return Save(w, m) }); err != nil {
		return fmt.Errorf("%s: %s: %w", op, path, err)
	}
	return nil
}

// LoadFile reads the model in a file, as [Load] does. It returns an error if the file has data
// after the model. Convert the result with a type assertion, such as m.(*tree.DecisionTree) or
// m.(model.Classifier); [LoadClassifier], [LoadRegressor] and [LoadTransformer] do that themselves.
func LoadFile(path string) (any, error) {
	const op = "persist.LoadFile"
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	m, err := Load(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", op, path, err)
	}
	if _, err := in.ReadByte(); err == nil {
		return nil, model.Errorf(op, "%s: trailing data after the model", path).WithHint("save the model again")
	} else if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s: %w", op, path, err)
	}
	return m, nil
}

// LoadClassifier reads the classifier in a file, as [LoadFile] does. It returns an error if the
// file holds another kind of model.
func LoadClassifier(path string) (model.Classifier, error) {
	return loadAs[model.Classifier]("persist.LoadClassifier", path, "classifier")
}

// LoadRegressor reads the regressor in a file, as [LoadFile] does. It returns an error if the file
// holds another kind of model.
func LoadRegressor(path string) (model.Regressor, error) {
	return loadAs[model.Regressor]("persist.LoadRegressor", path, "regressor")
}

// LoadTransformer reads the transformer in a file, as [LoadFile] does. It returns an error if the
// file holds another kind of model.
func LoadTransformer(path string) (model.Transformer, error) {
	return loadAs[model.Transformer]("persist.LoadTransformer", path, "transformer")
}

func loadAs[T any](op, path, what string) (T, error) {
	var none T
	m, err := LoadFile(path)
	if err != nil {
		return none, err
	}
	t, ok := m.(T)
	if !ok {
		return none, model.Errorf(op, "%s: the model must be a %[3]s, got %[2]T", path, m, what).WithHint("%s", loaderOf(m))
	}
	return t, nil
}

// loaderOf returns the hint that names the function to load m with.
func loaderOf(m any) string {
	switch m.(type) {
	case model.Classifier:
		return "use LoadClassifier"
	case model.Regressor:
		return "use LoadRegressor"
	case model.Transformer:
		return "use LoadTransformer"
	}
	return fmt.Sprintf("use LoadFile, and assert the result to *%s", strings.TrimPrefix(fmt.Sprintf("%T", m), "*"))
}

func isModel(t reflect.Type) bool {
	if name, ok := snapshot.Name(t); ok && strings.HasPrefix(name, snapshot.Own) {
		return t.Kind() == reflect.Pointer
	}
	for _, m := range models {
		if reflect.TypeOf(m) == t {
			return true
		}
	}
	return false
}

// inCells returns the name of a type as it is written in cells.
func inCells(name string) string { return strings.ReplaceAll(name, "main.", "") }

// omit reports whether a field belongs to one fit and not to the model: its Control, or a function
// that only Fit calls. Networks and their layers have their weights in exported fields; the other
// fields are working memory.
func omit(owner reflect.Type, f reflect.StructField) bool {
	if owner == reflect.TypeFor[nn.Network]() || reflect.PointerTo(owner).Implements(reflect.TypeFor[nn.Layer]()) {
		return !f.IsExported()
	}
	if f.Type == reflect.TypeFor[model.Control]() {
		return true
	}
	switch f.Type {
	case reflect.TypeFor[eval.Scoring](), reflect.TypeFor[eval.RegressionScoring]():
		return true
	}
	if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Func {
		return f.Name == "New"
	}
	return f.Type.Kind() == reflect.Func && (f.Name == "New" || f.Name == "NewRegressor" || f.Name == "Final" || f.Name == "Omega")
}

// libraryVersion is the version of the library as the go command recorded it.
func libraryVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Version != "" {
				return m.Version
			}
		}
	}
	return "(devel)"
}
