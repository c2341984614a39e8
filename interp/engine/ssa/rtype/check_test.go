package rtype

import (
	"errors"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Fatal(err)
	}
}

func TestVersions(t *testing.T) {
	for v, want := range map[string]string{
		"go1.26": "", "go1.27.2": "", "devel go1.27-abc": "",
		"go1.26.1 X:jsonv2":                        "built with go1.26.1 and GOEXPERIMENT=jsonv2",
		"go1.26.8-X:nogreenteagc":                  "built with go1.26.8 and GOEXPERIMENT=nogreenteagc",
		"go1.26.8-X:arenas,nogreenteagc":           "built with go1.26.8 and GOEXPERIMENT=arenas,nogreenteagc",
		"devel go1.27-abc X:arenas":                "built with devel go1.27-abc and GOEXPERIMENT=arenas",
		"go1.27-devel_abc Mon Nov X:runtimesecret": "GOEXPERIMENT=runtimesecret",
	} {
		if err := checkVersion(v); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", v, err, want)
		}
	}
}

var none map[string]int // stays nil

func TestAssumptionsThatDoNotHold(t *testing.T) {
	for _, a := range []assumption{
		{"error", func() error { return errDiffers }},
		{"panic", func() error { panic("x") }},
		{"nil", func() error { none["x"] = 1; return nil }},
		{"wild pointer", func() error { return errors.New(string(codeAt(8<<40, 4))) }},
	} {
		if a.hold() == nil {
			t.Errorf("%s: taken to hold", a.name)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		for _, a := range assumptions {
			if err := a.hold(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
