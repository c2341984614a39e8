package msg

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Data returns the data of a MIME bundle as messages carry it: JSON values unchanged, text as a
// string, everything else in base64.
func Data(data map[string]any) (Dict, error) {
	out := make(Dict, len(data))
	for mime, v := range data {
		w, err := datum(mime, v)
		if err != nil {
			return nil, fmt.Errorf("msg: %s: %w", mime, err)
		}
		out[mime] = w
	}
	return out, nil
}

func datum(mime string, v any) (any, error) {
	isJSON := mime == "application/json" || strings.HasSuffix(mime, "+json")
	switch v := v.(type) {
	case nil:
		if isJSON {
			return nil, nil
		}
		return "", nil
	case string:
		return v, nil
	case json.RawMessage: // encoded before it went through the pipe
		if isJSON {
			return v, nil
		}
		return strings.ToValidUTF8(string(v), string(utf8.RuneError)), nil
	case []byte:
		switch {
		case isJSON && json.Valid(v):
			return json.RawMessage(v), nil
		case strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml"):
			return strings.ToValidUTF8(string(v), string(utf8.RuneError)), nil
		}
		return v, nil // encoding/json encodes it in base64
	}
	if !isJSON {
		return fmt.Sprint(v), nil
	}
	// The value is encoded here, so that an encoding error is reported to the cell that shows it.
	b, err := Marshal(v)
	return json.RawMessage(b), err
}
