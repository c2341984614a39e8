//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowed are the system calls that a Go program needs to compute, and to read and write files that
// Landlock confines to a folder. All other system calls are refused, including those that future
// kernels add. Refused calls can start programs, open sockets, inspect or stop other processes, or
// share memory with them. They can also change the system, and the modes, owners, times and
// attributes of files.
var allowed = append([]uint32{
	// Files that are open or are being opened.
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV,
	unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_LSEEK, unix.SYS_FSTAT, unix.SYS_STATX,
	fstatat, unix.SYS_FSTATFS, unix.SYS_STATFS, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64,
	unix.SYS_FTRUNCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FLOCK, unix.SYS_FADVISE64,
	unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2,
	// Names of files.
	unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT,
	unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_UMASK,
	// Waiting.
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EVENTFD2,
	unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_SCHED_YIELD, unix.SYS_RESTART_SYSCALL,
	unix.SYS_WAIT4, unix.SYS_WAITID,
	// Memory. The rule below checks mmap.
	unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_MSYNC, unix.SYS_BRK,
	// Threads and signals of this process. The rules below check clone, kill and tgkill.
	unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGTIMEDWAIT,
	unix.SYS_SIGALTSTACK, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	// Clocks, and timers that signal this process.
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETITIMER, unix.SYS_SETITIMER,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_DELETE,
	// Queries about the process and the system.
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID,
	unix.SYS_GETRESGID, unix.SYS_GETGROUPS, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_CAPGET, unix.SYS_GETPRIORITY, unix.SYS_GETRUSAGE,
	unix.SYS_GETRLIMIT, unix.SYS_GETCPU, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER,
	unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_GETRANDOM,
}, ownAllowed...)

// These are the instructions of a system call filter.
const (
	load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	anySet  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	result  = unix.BPF_RET | unix.BPF_K

	allow   = 0x7fff0000
	deny    = 0x00050000 | uint32(unix.EPERM)
	unknown = 0x00050000 | uint32(unix.ENOSYS)
	lacking = 0x00050000 | uint32(unix.EOPNOTSUPP)

	offsetNumber = 0
	offsetArch   = 4
)

// argument returns the offset of the lower half of argument n in the data of a system call.
func argument(n int) uint32 { return 16 + 8*uint32(n) }

// On x86, the same system calls have a second set of numbers (x32). otherNumbers is the first of
// these.
const otherNumbers = 0x40000000

// namespaces are the flags of clone that create namespaces.
const namespaces = unix.CLONE_NEWCGROUP | unix.CLONE_NEWIPC | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUSER | unix.CLONE_NEWUTS

// uncounted are the flags of mmap for memory that is locked or that no limit counts: a stack that
// grows by itself, and huge pages.
const uncounted = unix.MAP_LOCKED | unix.MAP_HUGETLB | unix.MAP_GROWSDOWN

// fcntls lists the commands of fcntl that change only this process's descriptors and locks. F_SETFL
// is checked. F_SETOWN and F_SETSIG would send signals to other processes.
var fcntls = []uint32{
	unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW,
	unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW, unix.F_GETPIPE_SZ,
}

// ioctls lists the commands of ioctl that only query: whether a file is a terminal, its size, and
// how many bytes are available.
var ioctls = []uint32{unix.TCGETS, unix.TIOCGWINSZ, fionread}

const fionread = 0x541B

// prctls lists the options of prctl that name a thread or memory.
var prctls = []uint32{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA, unix.PR_GET_DUMPABLE}

// filter is the program with which the kernel decides about each system call of the process.
type filter []unix.SockFilter

func (f *filter) add(code uint16, jt, jf uint8, k uint32) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

// call adds the rules for one system call. The rules must end in a decision.
func (f *filter) call(number uint32, rules func(*filter)) {
	var own filter
	rules(&own)
	f.add(equal, 0, uint8(len(own)), number)
	*f = append(*f, own...)
}

// oneOf allows a call whose argument n is in the list and refuses it otherwise.
func oneOf(n int, list []uint32) func(*filter) {
	return func(f *filter) {
		f.add(load, 0, 0, argument(n))
		for _, v := range list {
			f.add(equal, 0, 1, v)
			f.add(result, 0, 0, allow)
		}
		f.add(result, 0, 0, deny)
	}
}

func newFilter(arch uint32, pid int, truncates bool) filter {
	var f filter
	f.add(load, 0, 0, offsetArch)
	f.add(equal, 1, 0, arch)
	f.add(result, 0, 0, deny) // another architecture has other numbers for system calls
	f.add(load, 0, 0, offsetNumber)
	f.add(atLeast, 0, 1, otherNumbers)
	f.add(result, 0, 0, deny)
	calls := slices.Clone(allowed)
	if truncates {
		calls = append(calls, unix.SYS_TRUNCATE)
	}
	for _, number := range calls {
		f.add(equal, 0, 1, number)
		f.add(result, 0, 0, allow)
	}
	// The filter can't check the flags of clone3, because they are behind a pointer. Without
	// clone3, threads are created by clone.
	f.call(unix.SYS_CLONE3, func(f *filter) { f.add(result, 0, 0, unknown) })
	// No limit counts the space that fallocate reserves without writing. Programs that call
	// fallocate also work on file systems that don't support it.
	f.call(unix.SYS_FALLOCATE, func(f *filter) { f.add(result, 0, 0, lacking) })
	f.call(unix.SYS_CLONE, func(f *filter) {
		f.add(load, 0, 0, argument(0))
		f.add(anySet, 0, 2, unix.CLONE_THREAD)
		f.add(anySet, 1, 0, namespaces)
		f.add(result, 0, 0, allow)
		f.add(result, 0, 0, deny)
	})
	// A process may signal and limit itself. As a process ID, 0 means the calling process or, for
	// kill, its process group, of which it is the only member.
	for _, number := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_PRLIMIT64} {
		f.call(number, oneOf(0, []uint32{uint32(pid), 0}))
	}
	f.call(unix.SYS_MMAP, func(f *filter) {
		f.add(load, 0, 0, argument(3))
		f.add(anySet, 4, 0, uncounted)
		f.add(anySet, 0, 4, unix.MAP_SHARED)
		f.add(anySet, 2, 0, unix.MAP_ANONYMOUS)
		f.add(load, 0, 0, argument(2))
		f.add(anySet, 0, 1, unix.PROT_WRITE)
		f.add(result, 0, 0, deny)
		f.add(result, 0, 0, allow)
	})
	f.call(unix.SYS_FCNTL, func(f *filter) {
		f.add(load, 0, 0, argument(1))
		f.add(equal, 0, 4, unix.F_SETFL)
		f.add(load, 0, 0, argument(2))
		f.add(anySet, 0, 1, unix.O_ASYNC)
		f.add(result, 0, 0, deny)
		f.add(result, 0, 0, allow)
		oneOf(1, fcntls)(f)
	})
	f.call(unix.SYS_IOCTL, oneOf(1, ioctls))
	f.call(unix.SYS_PRCTL, oneOf(0, prctls))
	f.add(result, 0, 0, deny)
	return f
}

// filterCalls makes the system refuse all calls except those of newFilter, in all threads of the
// process.
func filterCalls() error {
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	// Landlock before its third version has no rule for truncating a file by name.
	f := newFilter(arch, os.Getpid(), landlockVersion() >= 3)
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(f)
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}
