package verbs

import "github.com/gokernel/gokernel/display/widget"

// Interact creates controls for the parameters of a function and shows the function's result after
// each change: Interact(func(k int) any { ... }, Range(1, 30)) shows a slider. See
// [widget.Interact].
func Interact(f any, controls ...any) *widget.Interactive { return widget.Interact(f, controls...) }

// Options lets the user choose a parameter of Interact from the given values. See [widget.Options].
func Options(values ...any) widget.Values { return widget.Options(values...) }
