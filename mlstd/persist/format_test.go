package persist_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/persist"
)

var update = flag.Bool("update", false, "save the models that testdata has none of")

// format1 has a model of each kind as version 1 of the format wrote it, and what
// each answered when it was saved.
const format1 = "testdata/format1"

// Models saved by earlier versions still load and predict the same.
//
// When a type gets a field whose zero value means what the old files mean, tag it
// `snapshot:"added"` and the files load. A change that they do not survive breaks
// the files of users: it is one for CHANGELOG.md, and the file of the model in
// testdata is removed by hand. -update saves the models that have no file, and
// touches no other.
func TestFormat1(t *testing.T) {
	file := filepath.Join(format1, "answers.json")
	said := make(map[string]string)
	if *update {
		saveMissing(t, format1, persist.ModelTypes())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	for _, typ := range persist.ModelTypes() {
		name := strings.TrimPrefix(typ.String(), "*")
		want, ok := said[name]
		delete(said, name)
		if !ok {
			t.Errorf("%s has no saved model; write one with go test ./mlstd/persist -run TestFormat1 -update", name)
			continue
		}
		m, err := persist.LoadFile(filepath.Join(format1, name+".model"))
		if err != nil {
			t.Errorf("%s no longer loads (see the comment of this test): %v", name, err)
			continue
		}
		if reflect.TypeOf(m) != typ {
			t.Errorf("%s: loaded a %T", name, m)
			continue
		}
		if got := fmt.Sprint(short(of(typ).answer(m))); !sameText(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		t.Errorf("%s was saved and is no model any more", name)
	}
}

// saveMissing saves a model of each of the types that has no file in dir, and adds
// what it answers to answers.json. The other answers stay as they are.
func saveMissing(t *testing.T, dir string, types []reflect.Type) {
	t.Helper()
	file := filepath.Join(dir, "answers.json")
	said := make(map[string]string)
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatal(err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, typ := range types {
		how, name := of(typ), strings.TrimPrefix(typ.String(), "*")
		path := filepath.Join(dir, name+".model")
		if _, err := os.Stat(path); err == nil {
			continue
		}
		m := how.fitted(t)
		if err := persist.SaveFile(path, m); err != nil {
			t.Fatal(err)
		}
		said[name] = fmt.Sprint(short(how.answer(m)))
	}
	text, err := json.MarshalIndent(said, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSaveMissing checks that only what is missing is written.
func TestSaveMissing(t *testing.T) {
	dir := t.TempDir()
	types := persist.ModelTypes()[:3]
	saveMissing(t, dir, types[:2])
	first := strings.TrimPrefix(types[0].String(), "*")
	frozen := filepath.Join(dir, first+".model")
	if err := os.WriteFile(frozen, []byte("frozen"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "answers.json")
	if err := os.WriteFile(file, []byte(`{"`+first+`": "an old answer"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	saveMissing(t, dir, types)
	if b, err := os.ReadFile(frozen); err != nil || string(b) != "frozen" {
		t.Errorf("the file of %s was changed: %q, %v", first, b, err)
	}
	for _, typ := range types {
		if _, err := os.Stat(filepath.Join(dir, strings.TrimPrefix(typ.String(), "*")+".model")); err != nil {
			t.Error(err)
		}
	}
	said := make(map[string]string)
	if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &said) != nil {
		t.Fatal(err)
	}
	third := strings.TrimPrefix(types[2].String(), "*")
	if len(said) != 2 || said[first] != "an old answer" || said[third] == "" {
		t.Errorf("the answers are %v, want that of before and that of %s", said, third)
	}
}

// short rounds the numbers of an answer, which another processor may compute with
// another last digit, to six digits.
func short(answer any) string {
	var b strings.Builder
	var write func(v reflect.Value)
	write = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			write(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				write(v.Index(i))
			}
			b.WriteString("; ")
		case reflect.Struct:
			fmt.Fprint(&b, v.Addr().Interface())
		case reflect.Float64:
			fmt.Fprintf(&b, "%.6g ", v.Float())
		default:
			fmt.Fprint(&b, v.Interface(), " ")
		}
	}
	write(reflect.ValueOf(answer))
	return b.String()
}

// sameText compares the words of two answers, numbers to five digits.
func sameText(got, want string) bool {
	return slices.EqualFunc(strings.Fields(got), strings.Fields(want), func(a, b string) bool {
		var x, y float64
		if _, err := fmt.Sscan(a, &x); err != nil {
			return a == b
		}
		if _, err := fmt.Sscan(b, &y); err != nil {
			return false
		}
		return math.Abs(x-y) <= 1e-5*math.Max(1, math.Abs(y))
	})
}
