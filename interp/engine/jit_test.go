package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestStartJITMode(t *testing.T) {
	for value, want := range map[string]engine.JITMode{"": engine.DefaultJITMode(), "off": engine.JITOff, "on": engine.JITOn, "force": engine.JITForce} {
		t.Setenv(engine.JITVariable, value)
		if m, err := engine.StartJITMode(); m != want || err != nil {
			t.Errorf("%q: got %v, %v", value, m, err)
		}
	}
	for _, value := range []string{"1", "On", "true", "forced", " on"} {
		t.Setenv(engine.JITVariable, value)
		if _, err := engine.StartJITMode(); err == nil || !strings.Contains(err.Error(), "GOKERNEL_JIT: the mode of the JIT must be off, on or force, got \""+value+"\"") {
			t.Errorf("%q: %v", value, err)
		}
	}
	os.Unsetenv(engine.JITVariable)
	if m, err := engine.StartJITMode(); m != engine.DefaultJITMode() || err != nil {
		t.Errorf("not set: %v, %v", m, err)
	}
	t.Setenv("GOKERNEL_"+"NATIVE", "on")
	if _, err := engine.StartJITMode(); err == nil || !strings.Contains(err.Error(), "set GOKERNEL_JIT=on") {
		t.Errorf("the former name: %v", err)
	}
}
