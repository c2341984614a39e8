package evaluator

import (
	"strings"
	"testing"
)

func TestCheckOutput(t *testing.T) {
	half := strings.Repeat("x", MaxOutput/2)
	for name, tt := range map[string]struct {
		data map[string]any
		fail bool
	}{
		"small":       {map[string]any{"text/plain": "x"}, false},
		"at the edge": {map[string]any{"text/plain": half, "text/html": half}, false},
		"two texts":   {map[string]any{"text/plain": half, "text/html": half + "x"}, true},
		"bytes":       {map[string]any{"image/png": make([]byte, 25<<20)}, true}, // in base64
	} {
		err := CheckOutput(tt.data)
		if (err != nil) != tt.fail || tt.fail && !strings.Contains(err.Error(), "at most 32 MB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBounded(t *testing.T) {
	small := &Error{Name: "panic", Value: "boom", Traceback: []string{"a", "b"}}
	if small.Bounded() != small {
		t.Error("a small error was changed")
	}
	long := strings.Repeat("é", MaxError)
	for name, e := range map[string]*Error{
		"value":     {Name: "panic", Value: long, Traceback: []string{"panic: " + long, "at cell [1]"}},
		"traceback": {Name: "panic", Value: "boom", Traceback: strings.Split(strings.Repeat("0123456789\n", MaxError/5), "\n")},
	} {
		got := e.Bounded()
		size := len(got.Name) + len(got.Value)
		for _, line := range got.Traceback {
			size += len(line)
		}
		text := got.Value + strings.Join(got.Traceback, "")
		if got.Name != "panic" || size > MaxError+200 || size < MaxError-200 || !strings.Contains(text, " more ") || strings.Contains(text, "\ufffd") {
			t.Errorf("%s: the bounded error has %d bytes", name, size)
		}
	}
}
