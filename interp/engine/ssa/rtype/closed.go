//go:build (go1.28 || gokernel_closed) && !gokernel_port

package rtype

import "unsafe"

// If this package was not ported to a version of Go, that version may not allow links to the
// functions in runtime.go. A program that refers to such a function does not link. Such a build
// therefore links neither functions of the runtime nor assembler, and Check returns an error before
// any function here is called. The build tag gokernel_port links both, to try a port.
const linked = false

// These are not addresses of code.
var stubsPC, closureCodePC uintptr

func notLinked() { panic("rtype: used although Check has failed") }

func addReflectOff(ptr unsafe.Pointer) (_ int32) { notLinked(); return }

func typesByString(s string) (_ []*Type) { notLinked(); return }

func getitab(inter, typ *Type, canFail bool) (_ *Itab) { notLinked(); return }

func unsafeNew(t *Type) (_ unsafe.Pointer) { notLinked(); return }

func unsafeNewArray(t *Type, n int) (_ unsafe.Pointer) { notLinked(); return }

func typedmemmove(t *Type, dst, src unsafe.Pointer) { notLinked() }

func typedmemclr(t *Type, p unsafe.Pointer) { notLinked() }

func typedslicecopy(t *Type, dst, src Slice) (_ int) { notLinked(); return }

func typehash(t *Type, p unsafe.Pointer, seed uintptr) (_ uintptr) { notLinked(); return }

func growslice(old unsafe.Pointer, newLen, oldCap, num int, elem *Type) (_ Slice) {
	notLinked()
	return
}

func makeslice(elem *Type, len, cap int) (_ unsafe.Pointer) { notLinked(); return }

func makemap(t *Type, hint int, m unsafe.Pointer) (_ unsafe.Pointer) { notLinked(); return }

func mapaccess2(t *Type, m, key unsafe.Pointer) (_ unsafe.Pointer, _ bool) { notLinked(); return }

func mapassign(t *Type, m, key unsafe.Pointer) (_ unsafe.Pointer) { notLinked(); return }

func mapaccess2Fast64(t *Type, m unsafe.Pointer, key uint64) (_ unsafe.Pointer, _ bool) {
	notLinked()
	return
}

func mapassignFast64(t *Type, m unsafe.Pointer, key uint64) (_ unsafe.Pointer) { notLinked(); return }

func mapaccess2Fast32(t *Type, m unsafe.Pointer, key uint32) (_ unsafe.Pointer, _ bool) {
	notLinked()
	return
}

func mapassignFast32(t *Type, m unsafe.Pointer, key uint32) (_ unsafe.Pointer) { notLinked(); return }

func mapaccess2FastString(t *Type, m unsafe.Pointer, key string) (_ unsafe.Pointer, _ bool) {
	notLinked()
	return
}

func mapassignFastString(t *Type, m unsafe.Pointer, key string) (_ unsafe.Pointer) {
	notLinked()
	return
}

func mapdelete(t *Type, m, key unsafe.Pointer) { notLinked() }

func mapclear(t *Type, m unsafe.Pointer) { notLinked() }

func maplen(m unsafe.Pointer) (_ int) { notLinked(); return }

func mapiterinit(t *Type, m unsafe.Pointer, it *MapIter) { notLinked() }

func mapiternext(it *MapIter) { notLinked() }

func makechan(t *Type, size int) (_ unsafe.Pointer) { notLinked(); return }

func chansend(c, elem unsafe.Pointer, nonBlocking bool) (_ bool) { notLinked(); return }

func chanrecv(c unsafe.Pointer, nonBlocking bool, elem unsafe.Pointer) (selected, received bool) {
	notLinked()
	return
}

func rselect(cases []selectCase) (chosen int, received bool) { notLinked(); return }

func chanlen(c unsafe.Pointer) (_ int) { notLinked(); return }

func chancap(c unsafe.Pointer) (_ int) { notLinked(); return }

func chanclose(c unsafe.Pointer) { notLinked() }

func resolveTypeOff(base *Type, off typeOff) (_ *Type) { notLinked(); return }

func resolveNameOff(base *Type, off nameOff) (_ *byte) { notLinked(); return }

func typelinks() (sections []unsafe.Pointer, offsets [][]int32) { notLinked(); return }

func memhash(p unsafe.Pointer, seed, size uintptr) (_ uintptr) { notLinked(); return }

func strhash(p unsafe.Pointer, seed uintptr) (_ uintptr) { notLinked(); return }

func traceAdvance(stopTrace bool) { notLinked() }

func traceClockNow() (_ int64) { notLinked(); return }
