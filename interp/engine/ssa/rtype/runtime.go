//go:build (!go1.28 && !gokernel_closed) || gokernel_port

package rtype

//lint:file-ignore U1000 the functions without a body are written in assembly

import "unsafe"

// linked means that the functions of the runtime that this package uses are linked in.
const linked = true

// These are written in assembly: the method stubs, the code of func values, and the part of that
// code that has a frame.
func stubs()
func closureCode()
func closureEntry()

// Addresses of the first two, defined in the same file.
var stubsPC, closureCodePC uintptr

// The functions of the runtime that this package calls. Go marks each of them with its own linkname
// because widely used packages call it ("Do not remove or change the type signature",
// go.dev/issue/67401). The linker therefore needs no flag. Check tests them at start-up.

//go:linkname addReflectOff reflect.addReflectOff
func addReflectOff(ptr unsafe.Pointer) int32

//go:linkname typesByString reflect.typesByString
func typesByString(s string) []*Type

//go:linkname getitab runtime.getitab
func getitab(inter, typ *Type, canFail bool) *Itab

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(t *Type) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(t *Type, n int) unsafe.Pointer

//go:linkname typedmemmove reflect.typedmemmove
func typedmemmove(t *Type, dst, src unsafe.Pointer)

//go:linkname typedmemclr reflect.typedmemclr
func typedmemclr(t *Type, p unsafe.Pointer)

//go:linkname typedslicecopy reflect.typedslicecopy
func typedslicecopy(t *Type, dst, src Slice) int

//go:linkname typehash reflect.typehash
func typehash(t *Type, p unsafe.Pointer, seed uintptr) uintptr

//go:linkname growslice runtime.growslice
func growslice(old unsafe.Pointer, newLen, oldCap, num int, elem *Type) Slice

//go:linkname makeslice runtime.makeslice
func makeslice(elem *Type, len, cap int) unsafe.Pointer

//go:linkname makemap runtime.makemap
func makemap(t *Type, hint int, m unsafe.Pointer) unsafe.Pointer

//go:linkname mapaccess2 runtime.mapaccess2
func mapaccess2(t *Type, m, key unsafe.Pointer) (unsafe.Pointer, bool)

//go:linkname mapassign runtime.mapassign
func mapassign(t *Type, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapaccess2Fast64 runtime.mapaccess2_fast64
func mapaccess2Fast64(t *Type, m unsafe.Pointer, key uint64) (unsafe.Pointer, bool)

//go:linkname mapassignFast64 runtime.mapassign_fast64
func mapassignFast64(t *Type, m unsafe.Pointer, key uint64) unsafe.Pointer

//go:linkname mapaccess2Fast32 runtime.mapaccess2_fast32
func mapaccess2Fast32(t *Type, m unsafe.Pointer, key uint32) (unsafe.Pointer, bool)

//go:linkname mapassignFast32 runtime.mapassign_fast32
func mapassignFast32(t *Type, m unsafe.Pointer, key uint32) unsafe.Pointer

//go:linkname mapaccess2FastString runtime.mapaccess2_faststr
func mapaccess2FastString(t *Type, m unsafe.Pointer, key string) (unsafe.Pointer, bool)

//go:linkname mapassignFastString runtime.mapassign_faststr
func mapassignFastString(t *Type, m unsafe.Pointer, key string) unsafe.Pointer

//go:linkname mapdelete runtime.mapdelete
func mapdelete(t *Type, m, key unsafe.Pointer)

//go:linkname mapclear reflect.mapclear
func mapclear(t *Type, m unsafe.Pointer)

//go:linkname maplen reflect.maplen
func maplen(m unsafe.Pointer) int

//go:linkname mapiterinit runtime.mapiterinit
func mapiterinit(t *Type, m unsafe.Pointer, it *MapIter)

//go:linkname mapiternext runtime.mapiternext
func mapiternext(it *MapIter)

//go:linkname makechan reflect.makechan
func makechan(t *Type, size int) unsafe.Pointer

//go:linkname chansend reflect.chansend0
func chansend(c, elem unsafe.Pointer, nonBlocking bool) bool

//go:linkname chanrecv reflect.chanrecv
func chanrecv(c unsafe.Pointer, nonBlocking bool, elem unsafe.Pointer) (selected, received bool)

//go:linkname rselect reflect.rselect
//go:noescape
func rselect(cases []selectCase) (chosen int, received bool)

//go:linkname chanlen reflect.chanlen
func chanlen(c unsafe.Pointer) int

//go:linkname chancap reflect.chancap
func chancap(c unsafe.Pointer) int

//go:linkname chanclose reflect.chanclose
func chanclose(c unsafe.Pointer)

//go:linkname resolveTypeOff reflect.resolveTypeOff
func resolveTypeOff(base *Type, off typeOff) *Type

//go:linkname resolveNameOff reflect.resolveNameOff
func resolveNameOff(base *Type, off nameOff) *byte

//go:linkname typelinks reflect.typelinks
func typelinks() (sections []unsafe.Pointer, offsets [][]int32)

//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, size uintptr) uintptr

//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname traceAdvance runtime.traceAdvance
func traceAdvance(stopTrace bool)

//go:linkname traceClockNow runtime.traceClockNow
func traceClockNow() int64
