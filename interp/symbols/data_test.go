package symbols

import "testing"

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Error(err)
	}
	for built, same := range map[string]bool{
		"go1.26.8": true, "go1.26": true, "go1.26.9 X:jsonv2": true, "go1.27.8": false, "go1.28rc1": false, "devel go1.28-abc": false,
	} {
		if err := match("go1.26.8", built); (err == nil) != same {
			t.Errorf("%s: got %v", built, err)
		}
	}
}

// TestEveryGenericSource checks the source of the generic functions of all
// packages against the outlines of the others.
func TestEveryGenericSource(t *testing.T) {
	im := NewImporter()
	for _, p := range Packages() {
		if p.Path == "unsafe" {
			continue
		}
		if _, err := im.Generics(p.Path); err != nil {
			t.Error(err)
		}
	}
}
