package pattern_test

import (
	"testing"

	"github.com/gokernel/gokernel/internal/pattern"
)

func TestPattern(t *testing.T) {
	p := pattern.New(`(\w)=(\d+)`)
	const text = "let x=12, y=3"
	if got := p().ReplaceAllString(text, "$2=$1"); got != "let 12=x, 3=y" {
		t.Errorf("got %q", got)
	}
	if first, second := p(), p(); first != second {
		t.Error("the expression is compiled at each use")
	}
}

func TestWrongExpressionPanics(t *testing.T) {
	p := pattern.New("(")
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was accepted")
		}
	}()
	p()
}
