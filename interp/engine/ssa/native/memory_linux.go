//go:build amd64 || arm64

package native

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// maxMemory is the maximum size of all code pages in the process, in bytes.
const maxMemory = 64 << 20

// used is the size of all code pages in bytes.
var used atomic.Int64

// pages hold code. The pages are first writable, then executable, never both.
type pages struct {
	b     []byte
	start uintptr
}

// newPages returns pages that hold the given code.
func newPages(code []byte) (*pages, error) {
	page := syscall.Getpagesize()
	size := (len(code) + page - 1) &^ (page - 1)
	if used.Add(int64(size)) > maxMemory {
		used.Add(-int64(size))
		return nil, refusal("the memory for code is full")
	}
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		used.Add(-int64(size))
		return nil, err
	}
	p := &pages{b, uintptr(unsafe.Pointer(unsafe.SliceData(b)))}
	copy(b, code)
	if err := syscall.Mprotect(b, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		p.free()
		return nil, err
	}
	written(p.start, p.start+uintptr(len(code)))
	return p, nil
}

func (p *pages) free() {
	used.Add(-int64(len(p.b)))
	syscall.Munmap(p.b) // it fails only for an address that is not mapped
}
