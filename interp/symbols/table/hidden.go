package table

import (
	"fmt"
	"go/types"
	"strings"
)

// HiddenTag begins the tag of the first field of a struct type that stands for
// another type: that of an unexported field of a compiled struct. Behind it are
// the path of the package, the name of the struct's type and the field's number.
const HiddenTag = "gokernel:"

// Hidden finds out what a type of export data stands for: the type of a field of
// a named struct type. It reports false if it stands for itself.
func Hidden(t *types.Struct) (path, name string, field int, ok bool) {
	if t.NumFields() != 2 {
		return "", "", 0, false
	}
	where, ok := strings.CutPrefix(t.Tag(0), HiddenTag)
	if !ok {
		return "", "", 0, false
	}
	n, err := fmt.Sscan(where, &path, &name, &field)
	return path, name, field, n == 3 && err == nil
}
