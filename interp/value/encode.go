package value

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/msg"
)

// encoded returns b with values that implement MarshalJSON in JSON form. The method may belong to
// the cell, so it must run while the value is shown and not on the way to the frontend.
func encoded(b display.Bundle) (display.Bundle, error) {
	for _, m := range []*map[string]any{&b.Data, &b.Metadata, &b.Transient} {
		if err := encodeAll(m); err != nil {
			return display.Bundle{}, err
		}
	}
	return b, nil
}

// encodeAll replaces a map that contains values whose JSON form may need code of cells. In the new
// map, these values are in JSON form.
func encodeAll(m *map[string]any) error {
	var made map[string]any
	for k, v := range *m {
		if plain(v) {
			continue
		}
		raw, err := msg.Marshal(v)
		if err != nil {
			return fmt.Errorf("display: %s: %w", k, err)
		}
		if made == nil {
			made = make(map[string]any, len(*m))
			for k, v := range *m {
				made[k] = v
			}
		}
		made[k] = json.RawMessage(raw)
	}
	if made != nil {
		*m = made
	}
	return nil
}

// own is the path prefix of packages whose types do not use code of cells for their JSON form.
const own = "github.com/gokernel/gokernel/"

// plain reports whether v consists of types without methods of cells.
func plain(v any) bool {
	switch v := v.(type) {
	case nil, bool, string, int, int64, float64, []byte, []string, []int, []float64, json.RawMessage, map[string]string:
		return true
	case []any:
		for _, e := range v {
			if !plain(e) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, e := range v {
			if !plain(e) {
				return false
			}
		}
		return true
	}
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return strings.HasPrefix(t.PkgPath(), own)
}
