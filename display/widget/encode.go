package widget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// reference begins the text by which a state names another model.
const reference = "IPY_MODEL_"

// encode writes the data of a message. Bytes below the key go beside it, and their
// places become its buffer_paths, which begin behind the key.
func encode(data map[string]any, key string) (json.RawMessage, [][]byte, error) {
	paths := []any{}
	var buffers [][]byte
	data[key] = separate(data[key], nil, &paths, &buffers)
	data["buffer_paths"] = paths
	b, err := json.Marshal(data)
	if err != nil {
		return nil, nil, fmt.Errorf("widget: %w", err)
	}
	return b, buffers, nil
}

// separate returns v as JSON takes it: models by their names, bytes taken out. What goes
// missing in a list is null there.
func separate(v any, path []any, paths *[]any, buffers *[][]byte) any {
	switch v := v.(type) {
	case []byte:
		*paths, *buffers = append(*paths, slices.Clone(path)), append(*buffers, v)
		return nil
	case Widget:
		return reference + v.model().id
	case []Widget:
		names := make([]string, len(v))
		for i, w := range v {
			names[i] = reference + w.model().id
		}
		return names
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range sortedKeys(v) {
			x := separate(v[k], append(path, k), paths, buffers)
			if _, isBytes := v[k].([]byte); !isBytes {
				out[k] = x
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = separate(x, append(path, i), paths, buffers)
		}
		return out
	}
	return v
}

// update is a message of the frontend to a model.
type update struct {
	Method string         `json:"method"`
	State  map[string]any `json:"state"`
	Paths  [][]any        `json:"buffer_paths"`
	// Content is what a view says in its own words.
	Content any `json:"content"`
}

// decode reads a message and puts its buffers where they belong.
func decode(data []byte, buffers [][]byte) (u update, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&u); err != nil {
		return u, fmt.Errorf("widget: a message of the front end cannot be read: %w", err)
	}
	for i, path := range u.Paths {
		if i >= len(buffers) || !insert(u.State, path, buffers[i]) {
			return u, fmt.Errorf("widget: a message of the front end has no place for its buffer %d", i)
		}
	}
	return u, nil
}

// insert puts b at a path below v.
func insert(v any, path []any, b []byte) bool {
	if len(path) == 0 {
		return false
	}
	last := len(path) == 1
	switch at := v.(type) {
	case map[string]any:
		k, ok := path[0].(string)
		if !ok || at == nil {
			return false
		}
		if last {
			at[k] = b
			return true
		}
		return insert(at[k], path[1:], b)
	case []any:
		i, ok := path[0].(float64)
		if !ok || i < 0 || int(i) >= len(at) {
			return false
		}
		if last {
			at[int(i)] = b
			return true
		}
		return insert(at[int(i)], path[1:], b)
	}
	return false
}
