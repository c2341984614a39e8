package embedded

import (
	"errors"
	"go/types"
	"reflect"
)

// Takes reports whether a variable of the type can hold embedded files.
func Takes(t types.Type) bool {
	if IsFS(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return false
}

// IsFS reports whether a type is embed.FS.
func IsFS(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "embed" && n.Obj().Name() == "FS"
}

// Set sets a variable to the contents of its files.
func Set(v reflect.Value, files []File) error {
	switch {
	case v.Kind() == reflect.Struct:
		fsys, err := FS(files)
		if err != nil {
			return err
		}
		v.Set(reflect.ValueOf(fsys))
		return nil
	case len(files) != 1:
		return errors.New("a string or []byte holds one file")
	case v.Kind() == reflect.String:
		v.SetString(files[0].Data)
	default:
		v.SetBytes([]byte(files[0].Data))
	}
	return nil
}
