package widget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// reference is the prefix of a string that refers to another model.
const reference = "IPY_MODEL_"

// encode encodes the data of a message. Bytes in the value of key are sent as buffers, and their
// paths become its buffer_paths, which are relative to key.
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

// separate converts v for JSON: it replaces models by references and takes bytes out. In a list,
// null takes their position.
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
	// Content is a custom message of a view.
	Content any `json:"content"`
}

// decode decodes a message and inserts its buffers into the state.
func decode(data []byte, buffers [][]byte) (u update, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&u); err != nil {
		return u, fmt.Errorf("widget: malformed message of the frontend: %w", err)
	}
	for i, path := range u.Paths {
		if i >= len(buffers) || !insert(u.State, path, buffers[i]) {
			return u, fmt.Errorf("widget: malformed message of the frontend: buffer %d has no valid path", i)
		}
	}
	return u, nil
}

// insert stores b at a path in v and reports whether the path exists.
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
