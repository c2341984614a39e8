package site

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// problem is an error in the files of a course.
type problem struct {
	Where string // the file, and the cell or line in it
	What  string
	Do    string // an instruction that begins with a verb
}

func (p *problem) Error() string {
	text := p.Where + ": " + p.What
	if p.Do != "" {
		text += "\n    " + p.Do
	}
	return text
}

// wrong returns the error for a place in a file.
func wrong(where, what, do string) error { return &problem{where, what, do} }

// problems lists all errors of a course, in the order of their places.
type problems []error

func (list problems) Error() string {
	var b strings.Builder
	if len(list) == 1 {
		b.WriteString("1 problem; nothing was written:")
	} else {
		fmt.Fprintf(&b, "%d problems; nothing was written:", len(list))
	}
	for _, err := range list {
		b.WriteString("\n" + err.Error())
	}
	return b.String()
}

func (list problems) Unwrap() []error { return list }

// joined returns the errors as one error, without duplicates, or nil if there are none.
func joined(errs ...error) error {
	var list problems
	seen := map[string]bool{}
	var add func(err error)
	add = func(err error) {
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range many.Unwrap() {
				add(one)
			}
			return
		}
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			list = append(list, err)
		}
	}
	for _, err := range errs {
		add(err)
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b error) int { return cmp.Compare(placeOfError(a), placeOfError(b)) })
	return list
}

// placeOfError returns the file of an error, or "" for an error without a place, which is first.
func placeOfError(err error) string {
	var p *problem
	if !errors.As(err, &p) {
		return ""
	}
	file, _, _ := strings.Cut(p.Where, ",")
	return file
}

// in returns the path of a file of the course for messages: as the user would write it.
func (b *builder) in(name string) string {
	return filepath.ToSlash(filepath.Join(b.Dir, filepath.FromSlash(name)))
}
