// Package value formats the values of a cell's last expression for Out[n].
package value

import (
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/program"
)

// Of formats the values of one expression: a single one as itself, several as a list. It returns
// nil if there is nothing to show. The error is about a value that can't be shown, such as a chart
// of columns of unequal length.
func Of(vals []reflect.Value) (*display.Bundle, error) {
	if len(vals) == 0 {
		return nil, nil
	}
	values := make([]any, len(vals))
	for i, v := range vals {
		values[i] = interfaceOf(v)
	}
	b, err := program.Join(values...)
	if err == nil {
		b, err = encoded(b)
	}
	if err != nil {
		return nil, err
	}
	return &b, nil
}

// interfaceOf returns the value as an interface, or nil if there is none.
func interfaceOf(v reflect.Value) any {
	if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
		return nil
	}
	return v.Interface()
}

// one formats one value; the bundle of a value that can't be shown explains why.
func one(v reflect.Value) (display.Bundle, error) { return display.Of(interfaceOf(v)) }

// maxLine is the length at which a value in a list is truncated.
const maxLine = 60

// Line returns a value as one short line, for a list of variables.
func Line(v reflect.Value) string {
	b, _ := one(v)
	s, _ := b.Data[display.MIMEText].(string)
	s, _, cut := strings.Cut(s, "\n")
	if r := []rune(s); len(r) > maxLine {
		s, cut = string(r[:maxLine]), true
	}
	if cut {
		s += " ..."
	}
	return s
}
