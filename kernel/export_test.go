package kernel

import (
	"maps"
	"slices"
)

// MessageTypes returns the types of message that a server handles.
func MessageTypes() []string { return slices.Sorted(maps.Keys((&Server{}).table())) }
