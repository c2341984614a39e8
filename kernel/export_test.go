package kernel

import (
	"maps"
	"slices"
)

// MessageTypes gives the types of message that a server handles.
func MessageTypes() []string { return slices.Sorted(maps.Keys((&Server{}).table())) }
