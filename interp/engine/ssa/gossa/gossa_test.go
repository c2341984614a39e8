package gossa

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Fatal(err)
	}
}

// If a field of go/ssa has changed, Check returns an error that names the field.
func TestPrivateFieldsThatAreOthers(t *testing.T) {
	for _, change := range []func(p *privateField){
		func(p *privateField) { p.name += "2" },
		func(p *privateField) { p.typ = "int" },
	} {
		for _, p := range []*privateField{&packageCreated, &programMode, &functionBuildshared, &taskDone, &genericInstances} {
			was := *p
			change(p)
			err := findPrivate()
			if err == nil || !strings.Contains(err.Error(), p.of+"."+p.name+" of type "+p.typ) {
				t.Errorf("%+v: got %v", *p, err)
			}
			*p = was
		}
	}
	if err := findPrivate(); err != nil {
		t.Error(err)
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := tryPrivate(); err != nil {
			b.Fatal(err)
		}
	}
}
