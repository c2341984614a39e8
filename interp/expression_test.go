package interp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

func TestExpression(t *testing.T) {
	n := open(t)
	n.must("x := 20\nw := []float64{1, 2}\ncount := 0\nfunc next() int { fmt.Println(\"next\"); count++; return count }")
	for _, tt := range []struct{ code, want, failure string }{
		{"x + 1", "21", ""},
		{"2 * w", "[]float64{2, 4}", ""},
		{"strconv.Atoi(\"7\") * x", "140", ""},
		{"next()", "1", ""},
		{"func(x int) int { return x }(3)", "3", ""},
		{"1 +", "", "not an expression"},
		{"x := 5", "", "not an expression"},
		{"x = 5", "", "not an expression"},
		{"%who", "", "not an expression"},
		{"nobody", "", "undefined: nobody"},
		{"1 / (x - 20)", "", "divide by zero"},
		{"strconv.Atoi(\"seven\")", "", "invalid syntax"},
		{"os.Exit(1)", "", "exit status 1"},
		{"fmt.Println()", "", "no value"},
		{"Input(\"?\")", "", "nobody can be asked"},
	} {
		b, err := n.Expression(context.Background(), tt.code)
		if got, _ := b.Data[display.MIMEText].(string); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.code, got, tt.want)
		}
		var failed *evaluator.Error
		switch {
		case tt.failure == "" && err != nil:
			t.Errorf("%s: %v", tt.code, err)
		case tt.failure != "" && (!errors.As(err, &failed) || !strings.Contains(failed.Value, tt.failure)):
			t.Errorf("%s: the error is %v, want one with %q", tt.code, err, tt.failure)
		}
	}
	if got := n.must("fmt.Sprint(x, w, count)"); got != `"20 [1 2] 1"` {
		t.Errorf("after the expressions the variables are %s", got)
	}
	_, out, err := n.eval(context.Background(), "%who var")
	if lines := strings.Split(strings.Join(out.shown, "\n"), "\n"); err != nil || len(lines) != 4 { // a heading and three
		t.Errorf("the variables of the session are not the three that cells declared: %v\n%s", err, strings.Join(lines, "\n"))
	}
}

// Output that a goroutine of a cell prints while an expression is evaluated, and later, belongs to
// the goroutine's cell.
func TestExpressionLeavesOutputAlone(t *testing.T) {
	n := open(t)
	printed := make(chan string, 1)
	out := &onPrint{then: func(s string) { printed <- s }}
	_, err := n.Eval(context.Background(), evaluator.Cell{Code: "c := make(chan int)\ngo func() { fmt.Println(<-c) }()", Number: 1}, out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Expression(context.Background(), "func() int { c <- 42; return 0 }()"); err != nil {
		t.Fatal(err)
	}
	if got := <-printed; got != "42\n" {
		t.Errorf("the cell's goroutine printed %q, want 42", got)
	}
}

// onPrint calls then with what its cell prints.
type onPrint struct {
	recorder
	then func(text string)
}

func (o *onPrint) Stdout(s string) {
	o.recorder.Stdout(s)
	o.then(s)
}
