package source

import (
	"syscall"
	"unsafe"
)

// systemCalls contains the system calls of golang.org/x/sys/unix, implemented by package syscall.
var systemCalls = map[string]any{
	"golang.org/x/sys/unix.Syscall":           syscall.Syscall,
	"golang.org/x/sys/unix.Syscall6":          syscall.Syscall6,
	"golang.org/x/sys/unix.RawSyscall":        syscall.RawSyscall,
	"golang.org/x/sys/unix.RawSyscall6":       syscall.RawSyscall6,
	"golang.org/x/sys/unix.SyscallNoError":    plain(syscall.Syscall),
	"golang.org/x/sys/unix.RawSyscallNoError": plain(syscall.RawSyscall),
	// Its parameter is a pointer to a type of the package; all pointers are passed in the same way.
	"golang.org/x/sys/unix.gettimeofday": func(tv unsafe.Pointer) syscall.Errno {
		_, _, err := syscall.RawSyscall(syscall.SYS_GETTIMEOFDAY, uintptr(tv), 0, 0)
		return err
	},
	"syscall.prlimit": func(pid, resource int, to, old *syscall.Rlimit) error {
		return failed(syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(resource),
			uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(old)), 0, 0))
	},
	"syscall.getsockopt": func(s, level, name int, val unsafe.Pointer, size *uint32) error {
		return failed(syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(s), uintptr(level), uintptr(name), uintptr(val), uintptr(unsafe.Pointer(size)), 0))
	},
	"syscall.setsockopt": func(s, level, name int, val unsafe.Pointer, size uintptr) error {
		return failed(syscall.Syscall6(syscall.SYS_SETSOCKOPT, uintptr(s), uintptr(level), uintptr(name), uintptr(val), size, 0))
	},
	"runtime.getAuxv":    func() []uintptr { return nil },
	"runtime.vgetrandom": func([]byte, uint32) (int, bool) { return -1, false },
}

func failed(_, _ uintptr, err syscall.Errno) error {
	if err != 0 {
		return err
	}
	return nil
}

func plain(call func(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)) func(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	return func(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
		r1, r2, _ = call(trap, a1, a2, a3)
		return r1, r2
	}
}
