package verbs

import "github.com/gokernel/gokernel/display/widget"

// Interact makes controls for the parameters of a function and shows its result after each
// change: Interact(func(k int) any { ... }, Range(1, 30)) has a slider. See [widget.Interact].
func Interact(f any, controls ...any) *widget.Interactive { return widget.Interact(f, controls...) }

// Options makes a parameter of Interact take one of the values. See [widget.Options].
func Options(values ...any) widget.Values { return widget.Options(values...) }
