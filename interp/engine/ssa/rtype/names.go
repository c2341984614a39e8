package rtype

import (
	"encoding/binary"
	"sync"
	"unsafe"
)

// Bits of the first byte of a name, as internal/abi.Name defines them.
const (
	nameExported = 1 << 0
	nameTag      = 1 << 1
	namePkgPath  = 1 << 2
	nameEmbedded = 1 << 3
)

// nameKey identifies an encoded name.
type nameKey struct {
	name, tag, pkgPath string
	flags              byte
}

// names holds every name made so far, so that types of different cells share their names. The
// runtime keeps the offset of each name forever.
var names struct {
	sync.Mutex
	bytes map[nameKey]*byte
	offs  map[*byte]nameOff
}

// encode returns the runtime's form of a name: flags, length, text, then the tag and the offset of
// the package path if the flags say so.
func (k nameKey) encode() *byte {
	if k.tag != "" {
		k.flags |= nameTag
	}
	if k.pkgPath != "" {
		k.flags |= namePkgPath
	}
	names.Lock()
	defer names.Unlock()
	return k.encodeLocked()
}

func (k nameKey) encodeLocked() *byte {
	if p := names.bytes[k]; p != nil {
		return p
	}
	b := []byte{k.flags}
	b = binary.AppendUvarint(b, uint64(len(k.name)))
	b = append(b, k.name...)
	if k.tag != "" {
		b = binary.AppendUvarint(b, uint64(len(k.tag)))
		b = append(b, k.tag...)
	}
	if k.pkgPath != "" {
		off := offLocked(nameKey{name: k.pkgPath}.encodeLocked())
		b = binary.NativeEndian.AppendUint32(b, uint32(off))
	}
	b = append(make([]byte, 0, len(b)), b...)
	if names.bytes == nil {
		names.bytes = make(map[nameKey]*byte)
		names.offs = make(map[*byte]nameOff)
	}
	names.bytes[k] = &b[0]
	return &b[0]
}

func offLocked(p *byte) nameOff {
	off, ok := names.offs[p]
	if !ok {
		off = nameOff(addReflectOff(unsafe.Pointer(p)))
		names.offs[p] = off
	}
	return off
}

// off returns the name's offset, by which descriptors refer to it.
func (k nameKey) off() nameOff {
	p := k.encode()
	names.Lock()
	defer names.Unlock()
	return offLocked(p)
}

func exportedFlag(exported bool) byte {
	if exported {
		return nameExported
	}
	return 0
}

func (t *Type) off() typeOff { return typeOff(addReflectOff(unsafe.Pointer(t))) }

func codeOff(pc uintptr) textOff {
	return textOff(addReflectOff(*(*unsafe.Pointer)(unsafe.Pointer(&pc))))
}

// sameName compares encoded names without package paths.
func sameName(a, b *byte) bool {
	n := 2 + int(*(*byte)(unsafe.Add(unsafe.Pointer(a), 1)))
	if *a&nameTag != 0 {
		n += 1 + int(*(*byte)(unsafe.Add(unsafe.Pointer(a), n)))
	}
	return unsafe.String(a, n) == unsafe.String(b, n)
}
