package table

// fromSource contains functions of the standard library that cells run from source, although they
// are not generic. These functions mostly call methods of their argument, and such calls are fast
// only between functions of the same engine.
var fromSource = map[string]map[string]bool{
	"container/heap": {"Init": true, "Push": true, "Pop": true, "Remove": true, "Fix": true},
}

// FromSource reports whether cells run a function from source that is not generic.
func FromSource(path, name string) bool { return fromSource[path][name] }

// HasFromSource reports whether a package has functions that FromSource reports.
func HasFromSource(path string) bool { return fromSource[path] != nil }
