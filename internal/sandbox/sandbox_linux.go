//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// readable is what programs need to read of a system.
var readable = []string{"/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/usr/share/fonts", "/etc/localtime", "/etc/ssl", "/etc/mime.types", "/usr/share/mime", "/dev/urandom", "/dev/zero"}

// refused are the system calls that start programs, look into other processes or stop them, open the
// network, change files that are not opened, which no rule on files covers, change the system,
// or go around this filter.
var refused = append([]uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP,
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD,
	unix.SYS_SETPGID, unix.SYS_SETSID, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER,
	unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_SOCKET, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR,
	unix.SYS_LREMOVEXATTR, unix.SYS_MKNODAT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT,
	unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_PERSONALITY,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
	unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
}, ownRefused...)

func confine(dir string, args []string) error {
	version := landlockVersion()
	if version < 1 {
		return nil
	}
	// Reading and listing files, and all that changes them; starting programs is refused otherwise.
	const read = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	all := uint64(read | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM)
	if version >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	runtime.LockOSThread() // the rights are those of this thread, which becomes the program
	attr := unix.LandlockRulesetAttr{Handled_access_fs: all}
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return fmt.Errorf("sandbox: cannot restrict files: %w", errno)
	}
	// Who is root could make a device of the folder's, and read the disk through it.
	own := all &^ (unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK)
	rules := map[string]uint64{dir: own, "/dev/null": read&unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE}
	for _, name := range readable {
		rules[name] = read
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	rules[program] = read
	for name, access := range rules {
		if err := addRule(int(ruleset), name, access); err != nil {
			return fmt.Errorf("sandbox: cannot restrict files: %s: %w", name, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("sandbox: cannot restrict files: %w", errno)
	}
	unix.Close(int(ruleset))
	err = unix.Exec("/proc/self/exe", append(os.Args[:1:1], args...), os.Environ())
	return fmt.Errorf("sandbox: cannot start anew: %w", err)
}

// addRule allows access to a file or to what is below a folder. What is not there needs no
// rule.
func addRule(ruleset int, name string, access uint64) error {
	fd, err := unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err == unix.ENOENT {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// lastWords are the seconds from the signal by which a process ends and can say why to its being
// killed.
const lastWords = 5

func enter(l Limits) error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_CPU: l.CPU, unix.RLIMIT_FSIZE: l.FileSize, unix.RLIMIT_DATA: l.Memory}
	for what, max := range limits {
		if max == 0 && what != unix.RLIMIT_CORE {
			continue
		}
		most := max
		if what == unix.RLIMIT_CPU {
			most += lastWords
		}
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: max, Max: most}); err != nil {
			return fmt.Errorf("sandbox: cannot set a limit: %w", err)
		}
	}
	if l.CPU > 0 {
		out := make(chan os.Signal, 1)
		signal.Notify(out, unix.SIGXCPU)
		go func() {
			<-out
			_, _ = unix.Write(2, fmt.Appendf(nil, "fatal error: all of the processor time is used up, %d s\n", l.CPU)) // the process ends anyway
			os.Exit(2)
		}()
	}
	if err := filterCalls(); err != nil {
		return fmt.Errorf("sandbox: cannot refuse programs and the network: %w", err)
	}
	return nil
}

func lacks() []string {
	if landlockVersion() < 1 {
		return []string{"cells can read and write the files that you can, for this system has no Landlock"}
	}
	return nil
}

func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// The words that a filter of system calls is made of.
const (
	load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	anySet  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	result  = unix.BPF_RET | unix.BPF_K

	allow   = 0x7fff0000
	deny    = 0x00050000 | uint32(unix.EPERM)
	unknown = 0x00050000 | uint32(unix.ENOSYS)

	offsetNumber = 0
	offsetArch   = 4
	offsetArg0   = 16 // its lower half
)

// otherNumbers is where the numbers begin by which x86 has the same calls once more (x32).
const otherNumbers = 0x40000000

// filterCalls lets the system refuse what refused lists, new processes, and signals and limits for
// other processes; threads are allowed. It stands for all threads of the process.
func filterCalls() error {
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	var f []unix.SockFilter
	add := func(code uint16, jt, jf uint8, k uint32) {
		f = append(f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
	}
	add(load, 0, 0, offsetArch)
	add(equal, 1, 0, arch)
	add(result, 0, 0, deny) // the calls of another architecture have other numbers
	add(load, 0, 0, offsetNumber)
	add(atLeast, 0, 1, otherNumbers)
	add(result, 0, 0, deny)
	for _, call := range refused {
		add(equal, 0, 1, call)
		add(result, 0, 0, deny)
	}
	// The flags of clone3 are behind a pointer; without it threads are made by clone.
	add(equal, 0, 1, unix.SYS_CLONE3)
	add(result, 0, 0, unknown)
	add(equal, 0, 4, unix.SYS_CLONE)
	add(load, 0, 0, offsetArg0)
	add(anySet, 1, 0, unix.CLONE_THREAD)
	add(result, 0, 0, deny)
	add(result, 0, 0, allow)
	// A process may signal and limit itself; 0 stands for it, and for its group, where it is alone.
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_PRLIMIT64} {
		add(equal, 0, 5, call)
		add(load, 0, 0, offsetArg0)
		add(equal, 2, 0, uint32(os.Getpid()))
		add(equal, 1, 0, 0)
		add(result, 0, 0, deny)
		add(result, 0, 0, allow)
	}
	add(result, 0, 0, allow)
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(f)
	if errno != 0 {
		return errno
	}
	return nil
}
