//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/unix"
)

// execWithoutNamespaces executes the command so that no process of it can create namespaces, as in
// a container with the usual filter of system calls.
func execWithoutNamespaces(argv []string) error {
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		anySet  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		result  = unix.BPF_RET | unix.BPF_K
		allow   = 0x7fff0000
		deny    = 0x00050000 | uint32(unix.EPERM)
		unknown = 0x00050000 | uint32(unix.ENOSYS)
		all     = unix.CLONE_NEWCGROUP | unix.CLONE_NEWIPC | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUSER | unix.CLONE_NEWUTS
	)
	f := []unix.SockFilter{
		{Code: load, K: 0},
		{Code: equal, Jt: 4, K: unix.SYS_UNSHARE},
		{Code: equal, Jt: 4, K: unix.SYS_CLONE3},
		{Code: equal, Jf: 4, K: unix.SYS_CLONE},
		{Code: load, K: 16},
		{Code: anySet, Jf: 2, K: all},
		{Code: result, K: deny},
		{Code: result, K: unknown},
		{Code: result, K: allow},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	name, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	return unix.Exec(name, argv, os.Environ())
}
