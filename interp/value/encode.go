package value

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/msg"
)

// encoded returns b with what writes itself as JSON in its JSON form: a method
// MarshalJSON may be the cell's, and runs while the value is shown, not on the way to the
// frontend.
func encoded(b display.Bundle) (display.Bundle, error) {
	for _, m := range []*map[string]any{&b.Data, &b.Metadata, &b.Transient} {
		if err := encodeAll(m); err != nil {
			return display.Bundle{}, err
		}
	}
	return b, nil
}

// encodeAll replaces a map that holds such values by one that holds none.
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

// own begins the paths of packages whose types write themselves without code of cells.
const own = "github.com/gokernel/gokernel/"

// plain reports whether v consists of types that no cell has given methods.
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
