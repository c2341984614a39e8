//go:build (go1.28 || gokernel_closed) && !gokernel_port

package goroutine

import "unsafe"

// Nothing in this file is called, because rtype.Check fails; see closed.go of package rtype.

// Linked reports whether the functions of the runtime are linked in.
const Linked = false

func notLinked() { panic("goroutine: used although rtype.Check has failed") }

func goroutine() (_ uintptr) { notLinked(); return }

func setProfLabel(unsafe.Pointer) { notLinked() }

func getProfLabel() (_ unsafe.Pointer) { notLinked(); return }

// Pin is not linked in.
func Pin() (_ int) { notLinked(); return }

// WriteBarrier is not linked in.
func WriteBarrier() (_ *uint32) { notLinked(); return }

// Unpin is not linked in.
func Unpin() { notLinked() }
