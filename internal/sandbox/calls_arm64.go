//go:build linux

package sandbox

import "golang.org/x/sys/unix"

// refused are the system calls that start programs or processes, look into those of others,
// open the network, or go around this filter.
var refused = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_CHROOT, unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE,
}
