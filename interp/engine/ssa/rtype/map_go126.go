//go:build !go1.27

package rtype

// mapGroups is the part of a map's descriptor with the layout of a group of slots, in Go 1.26.
type mapGroups struct {
	slotSize, elemOff uintptr
}
