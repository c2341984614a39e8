package persist

import (
	"reflect"

	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Register makes your own types known to [Save] and [Load]. Pass a value of each type, as a model
// holds it: &Majority{} for a model or transformer, MyKernel{} for a kernel that is not a pointer.
//
// Register a type before you save it, and again before you load it in another session or program.
// If you declare the type again, register it again. A file contains the names and types of the
// fields. Load returns an error if the fields of the registered type differ from those of the file.
//
// All fields of a type are saved, except that only the exported fields of a layer of a network are.
// Save returns an error if a field holds a function or a value of a type that is not registered.
//
// Register panics with a [*model.Error] for a type without a name.
func Register(values ...any) {
	for _, v := range values {
		t := reflect.TypeOf(v)
		if t == nil {
			panic(model.Errorf("Register", "the values must not be nil").WithHint("pass an empty value of the type, such as &T{}"))
		}
		named, star := t, ""
		if t.Kind() == reflect.Pointer {
			named, star = t.Elem(), "*"
		}
		if named.Name() == "" {
			panic(model.Errorf("Register", "the type must have a name, got %s", t).WithHint("declare it: type T struct { ... }"))
		}
		if name, ok := snapshot.Name(t); ok && snapshot.Type(name) == t {
			continue // a type of the library, or registered before
		}
		snapshot.RegisterOwn(star+named.PkgPath()+"."+named.Name(), t)
	}
}
