// errors.Is, errors.As, errors.Join and wrapping with declared error types.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

type NotFound struct{ Name string }

func (e NotFound) Error() string { return e.Name + " not found" }

type Timeout struct {
	err error
	n   int
}

func (e *Timeout) Error() string        { return "timeout: " + e.err.Error() }
func (e *Timeout) Unwrap() error        { return e.err }
func (e *Timeout) Timeout() bool        { return true }
func (e *Timeout) Is(target error) bool { return target == ErrSlow }

type many []error

func (m many) Error() string   { return fmt.Sprint(len(m), " errors") }
func (m many) Unwrap() []error { return m }

type asser struct{}

func (asser) Error() string { return "asser" }
func (asser) As(target any) bool {
	if n, ok := target.(*NotFound); ok {
		*n = NotFound{"made by As"}
		return true
	}
	return false
}

var ErrSlow = errors.New("slow")

func find(name string) error {
	if name == "" {
		return fmt.Errorf("find: %w", NotFound{"nothing"})
	}
	return &Timeout{io.ErrUnexpectedEOF, len(name)}
}

func nilError() error {
	var e *Timeout
	return e
}

func main() {
	err := find("")
	var nf NotFound
	fmt.Println(err, errors.As(err, &nf), nf.Name, errors.Is(err, NotFound{"nothing"}), errors.Is(err, NotFound{"x"}))
	err = fmt.Errorf("outer: %w", find("abc"))
	var to *Timeout
	fmt.Println(err, errors.As(err, &to), to.n, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, ErrSlow), errors.Is(err, io.EOF))
	var tr interface{ Timeout() bool }
	fmt.Println(errors.As(err, &tr), tr.Timeout())
	joined := errors.Join(find(""), nil, find("x"))
	fmt.Printf("%v|%q %v\n", joined, joined.Error(), errors.Is(joined, ErrSlow))
	m := many{io.EOF, find("")}
	fmt.Println(m, errors.Is(m, io.EOF), errors.As(error(m), &nf), nf)
	fmt.Println(errors.As(fmt.Errorf("x %w", asser{}), &nf), nf)
	fmt.Println(nilError() == nil, nilError() != nil)
	_, err = os.Open("/does/not/exist")
	var pe *fs.PathError
	fmt.Println(errors.As(err, &pe), pe.Op, errors.Is(err, fs.ErrNotExist))
	_, err = strconv.Atoi("12x")
	var ne *strconv.NumError
	fmt.Println(errors.As(err, &ne), ne.Num, ne.Err)
	switch e := find("").(type) {
	case NotFound:
		fmt.Println("unwrapped", e)
	case interface{ Unwrap() error }:
		fmt.Printf("%T %v\n", e, e.Unwrap())
	}
	if a, ok := errors.AsType[NotFound](find("")); ok {
		fmt.Println(a.Name)
	}
	defer func() {
		r := recover()
		e, ok := r.(error)
		fmt.Println(ok, e)
		var re interface{ RuntimeError() }
		fmt.Println(errors.As(e, &re))
	}()
	var x any = find("")
	_ = x.(NotFound)
}
