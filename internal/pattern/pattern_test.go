package pattern_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/internal/pattern"
)

func TestPattern(t *testing.T) {
	p := pattern.New(`(\w)=(\d+)`)
	const text = "let x=12, y=3"
	if !p.MatchString(text) || p.MatchString("x = 12") {
		t.Error("MatchString")
	}
	if got := p.FindString(text); got != "x=12" {
		t.Errorf("FindString gives %q", got)
	}
	if d := cmp.Diff([]string{"x=12", "x", "12"}, p.FindStringSubmatch(text)); d != "" {
		t.Errorf("FindStringSubmatch (-want +got):\n%s", d)
	}
	if got := p.ReplaceAllString(text, "$2=$1"); got != "let 12=x, 3=y" {
		t.Errorf("ReplaceAllString gives %q", got)
	}
}

func TestWrongExpressionPanics(t *testing.T) {
	p := pattern.New("(")
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression is used in silence")
		}
	}()
	p.MatchString("")
}
