package kernel

import (
	"maps"
	"slices"
)

// MessageTypes returns the message types that a server handles.
func MessageTypes() []string { return slices.Sorted(maps.Keys((&Server{}).table())) }
