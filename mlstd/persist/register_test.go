package persist_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// nearest is a classifier, doubled a transformer and overlap a kernel, as users write them.
type nearest struct {
	Rows *mat.Dense
	y    []int
}

func (m *nearest) Fit(x mat.Matrix, y []int) error {
	m.Rows, m.y = mat.DenseCopyOf(x), slices.Clone(y)
	return nil
}

func (m *nearest) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	out := make([]int, n)
	for i := range out {
		best := -1.0
		for k, class := range m.y {
			if d := floats.Distance(mat.Row(nil, i, x), m.Rows.RawRowView(k), 2); best < 0 || d < best {
				best, out[i] = d, class
			}
		}
	}
	return out
}

type doubled struct{ By float64 }

func (d *doubled) Fit(mat.Matrix) error { d.By = 2; return nil }

func (d *doubled) Transform(x mat.Matrix) *model.Table {
	z := mat.DenseCopyOf(x)
	z.Scale(d.By, z)
	return &model.Table{Dense: z}
}

type overlap struct{ Power float64 }

func (k overlap) Eval(a, b []float64) float64 { return k.Power + floats.Dot(a, b) }

var _ kernel.Kernel = overlap{}

type holder struct{ F func() }

func (*holder) Fit(mat.Matrix, []int) error { return nil }
func (*holder) Predict(x mat.Matrix) []int  { return nil }

type unregistered struct{ nearest }

// Registered types can be saved alone and as parts of models of the library.
func TestRegister(t *testing.T) {
	persist.Register(&nearest{}, &doubled{}, overlap{}, &holder{})
	persist.Register(&nearest{}) // again
	x, y, _ := blobs(30, 3)
	near, pipe := &nearest{}, eval.Pipe(&prep.StandardScaler{}, &doubled{}, &nearest{})
	support := &svm.SVC{Kernel: overlap{Power: 1}}
	for _, m := range []model.Classifier{near, pipe, support} {
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := persist.Save(&b, m); err != nil {
			t.Fatal(err)
		}
		again, err := persist.Load(&b)
		if err != nil {
			t.Fatal(err)
		}
		other, _, _ := blobs(20, 5)
		if got, want := again.(model.Classifier).Predict(other), m.Predict(other); !slices.Equal(got, want) {
			t.Errorf("%T: the loaded model predicts %v, want %v", m, got, want)
		}
	}
	var e *model.Error
	for want, err := range map[string]error{
		"ml.Register(&persist_test.unregistered{})": persist.Save(&bytes.Buffer{}, &unregistered{}),
		"functions cannot be saved":                 persist.Save(&bytes.Buffer{}, &holder{F: func() {}}),
	} {
		if !errors.As(err, &e) || !strings.Contains(e.What+e.Hint, want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, v := range []any{nil, struct{ A int }{}, &struct{ A int }{}} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("Register(%v) was accepted", v)
				}
			}()
			persist.Register(v)
		}()
	}
}

// inAnotherProgram returns a saved model as a program writes it in which nearest has another name.
func inAnotherProgram(t *testing.T, m any) *strings.Reader {
	t.Helper()
	var b bytes.Buffer
	if err := persist.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(strings.ReplaceAll(b.String(), "persist_test.nearest", "persist_test.missing"), "\n", 3)
	var h struct {
		Type    string `json:"type"`
		Library string `json:"library"`
		Bytes   int64  `json:"bytes"`
		SHA256  string `json:"sha256"`
	}
	if err := json.Unmarshal([]byte(parts[1]), &h); err != nil {
		t.Fatal(err)
	}
	h.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(h.Type+"\n"+h.Library+"\n"+parts[2])))
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReader(parts[0] + "\n" + string(line) + "\n" + parts[2])
}

// A file of a type that is not registered is refused, whether the type is that of the model or of a
// part of it.
func TestLoadUnregistered(t *testing.T) {
	persist.Register(&nearest{})
	x, y, _ := blobs(30, 3)
	near, pipe := &nearest{}, eval.Pipe(&prep.StandardScaler{}, &nearest{})
	for m, want := range map[model.Classifier]string{
		near: "ml.Register(&persist_test.missing{})",
		pipe: `persist_test.missing" is neither in this library nor passed to ml.Register`,
	} {
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		var e *model.Error
		if _, err := persist.Load(inAnotherProgram(t, m)); !errors.As(err, &e) || !strings.Contains(e.What+e.Hint, want) || strings.Contains(e.Error(), "own ") {
			t.Errorf("%T: got %v, want %s", m, err, want)
		}
	}
}

// A type that is declared again replaces the earlier type of the same name. A file of the earlier
// type can be loaded if the fields are the same.
func TestRegisterAgain(t *testing.T) {
	declareOne := func() any {
		type again struct{ A, B int }
		return &again{1, 2}
	}
	declareSame := func() any {
		type again struct{ A, B int }
		return &again{}
	}
	declareOther := func() any {
		type again struct{ A, C int }
		return &again{}
	}
	first := declareOne()
	persist.Register(first)
	var b bytes.Buffer
	if err := persist.Save(&b, first); err != nil {
		t.Fatal(err)
	}
	for _, declare := range []func() any{declareSame, declareOne} {
		persist.Register(declare())
		m, err := persist.Load(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if reflect.TypeOf(m) != reflect.TypeOf(declare()) || fmt.Sprint(m) != "&{1 2}" {
			t.Errorf("got %T %v, want %T with 1 and 2", m, m, declare())
		}
	}
	persist.Register(declareOther())
	var e *model.Error
	if _, err := persist.Load(bytes.NewReader(b.Bytes())); !errors.As(err, &e) || !strings.Contains(e.What, "the field persist_test.again.B of type int where this program has C") {
		t.Errorf("other fields: %v", err)
	}
}
