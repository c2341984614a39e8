//go:build !go1.27

package rtype

// mapGroups is what a map's descriptor has about the layout of a group of
// slots, in Go 1.26.
type mapGroups struct {
	slotSize, elemOff uintptr
}
