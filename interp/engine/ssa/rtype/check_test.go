//go:build (linux || darwin) && (amd64 || arm64)

package rtype

import (
	"errors"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Fatal(err)
	}
}

func TestKnownVersions(t *testing.T) {
	for v, want := range map[string]bool{
		"go1.26": true, "go1.26.8": true, "go1.26rc1": false, "go1.27.1": false, "go1.260": false,
		"devel go1.27-abc": false, "go1.26.1 X:jsonv2": false,
	} {
		if got := knownVersion(v); got != want {
			t.Errorf("%s is known: %v", v, got)
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
