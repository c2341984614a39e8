package table

import (
	"fmt"
	"go/types"
	"strings"
)

// HiddenTag is the prefix of the tag of the first field of a struct type that replaces another
// type: the type of an unexported field of a compiled struct. After it come the path of the
// package, the name of the struct's type and the index of the field.
const HiddenTag = "gokernel:"

// Hidden returns which type a type of export data replaces: the type of a field of a named struct
// type. It returns false if it replaces none.
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
