//go:build go1.27

package rtype

// mapGroups is the part of a map's descriptor with the layout of a group of slots, from Go 1.27 on.
type mapGroups struct {
	keysOff, keyStride   uintptr
	elemsOff, elemStride uintptr
	elemOff              uintptr
}
