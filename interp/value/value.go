// Package value makes what Out[n] shows of the values of a cell's last
// expression.
package value

import (
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// Of shows the values of one expression: one as itself, several as a list. It
// is nil when there is nothing to show.
func Of(vals []reflect.Value) *display.Bundle {
	if len(vals) == 0 {
		return nil
	}
	if len(vals) == 1 {
		b := one(vals[0])
		return &b
	}
	texts := make([]string, len(vals))
	for i, v := range vals {
		texts[i], _ = one(v).Data[display.MIMEText].(string)
	}
	sep := ", "
	if strings.Contains(strings.Join(texts, ""), "\n") {
		sep = "\n"
	}
	b := display.Text(strings.Join(texts, sep))
	return &b
}

// one shows one value; an error of its own Display method is what is shown.
func one(v reflect.Value) display.Bundle {
	if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
		b, _ := display.Of(nil)
		return b
	}
	b, _ := display.Of(v.Interface())
	return b
}

// maxLine is the length at which a value in a list is cut.
const maxLine = 60

// Line gives a value as one short line, for a list of variables.
func Line(v reflect.Value) string {
	b := one(v)
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
