package interp

import (
	"context"
	"errors"
	"go/parser"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// expressionName is the name of an expression in positions.
const expressionName = "expression"

// Expression returns the value of one user expression, which a frontend sends with a cell and which
// runs after the cell. The expression declares nothing, and the session drops its output. Only
// changes that its calls make to variables remain. The error is an *evaluator.Error.
func (s *Session) Expression(ctx context.Context, code string) (display.Bundle, error) {
	defer s.take()()
	return s.expression(ctx, code)
}

func (s *Session) expression(ctx context.Context, code string) (display.Bundle, error) {
	if _, err := parser.ParseExpr(code); err != nil {
		return display.Bundle{}, fault.Plain("compile error", "this is not an expression: "+err.Error())
	}
	defer s.outputs.lend(0, nowhere{})()
	res, err := s.eval(ctx, &scope.Source{Name: expressionName, Text: code}, evaluator.Cell{Code: code}, nowhere{})
	switch {
	case err != nil:
		return display.Bundle{}, err
	case res.Value == nil:
		return display.Bundle{}, fault.Plain("error", "the expression has no value")
	}
	return *res.Value, nil
}

// nowhere discards the output of an expression.
type nowhere struct{}

func (nowhere) Stdout(string)                   {}
func (nowhere) Stderr(string)                   {}
func (nowhere) Display(display.Bundle) error    { return nil }
func (nowhere) Update(display.Bundle) error     { return nil }
func (nowhere) Clear(bool) error                { return nil }
func (nowhere) Page(display.Bundle) error       { return nil }
func (nowhere) SetNextInput(string, bool) error { return nil }
func (nowhere) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("an expression cannot ask for input")
}
