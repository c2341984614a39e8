// Package wrappers holds the types that let values of interpreted types satisfy compiled
// interfaces. They have the form that the yaegi interpreter expects: a struct with the value and a
// function for each method. They are generated. Only the fallback engine needs them.
package wrappers

import "iter"

// Wrapper is the wrapper of one interface.
type Wrapper struct {
	Path, Name string
	Type       any // a nil pointer to the wrapper
}

// All yields every wrapper.
func All() iter.Seq[Wrapper] {
	return func(yield func(Wrapper) bool) {
		for _, group := range [][]Wrapper{std[:], science[:], library[:]} {
			for _, w := range group {
				if !yield(w) {
					return
				}
			}
		}
	}
}
