//go:build linux

package sandbox

import "golang.org/x/sys/unix"

// ownRefused are system calls that are refused and that other architectures do not have.
var ownRefused = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MKNOD, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN,
	unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
}
