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

// readable are the files of a system that programs need to read.
var readable = []string{"/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/usr/share/fonts", "/etc/localtime", "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/usr/share/ca-certificates",
	"/etc/mime.types", "/usr/share/mime", "/dev/urandom", "/dev/zero"}

func confine(dir string, args []string) error {
	version := landlockVersion()
	if version < 1 {
		return nil
	}
	// These are the rights to read and list files, and to change them in any way. Other rules
	// refuse to start programs.
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
	if version >= 5 {
		all |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: all}
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.Handled_access_net)
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.Scoped)
	}
	runtime.LockOSThread() // the restrictions apply to this thread, which executes the program
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("sandbox: cannot restrict files: %w", errno)
	}
	// Otherwise root could create the device of the folder's disk, and read the disk through this
	// device.
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
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("sandbox: cannot give up what root may do: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("sandbox: cannot restrict files: %w", errno)
	}
	unix.Close(int(ruleset))
	err = unix.Exec("/proc/self/exe", append(os.Args[:1:1], args...), os.Environ())
	return fmt.Errorf("sandbox: cannot restart the process: %w", err)
}

// If the user is root, dropCapabilities drops the capabilities of the program that this thread will
// execute. It keeps only CAP_DAC_OVERRIDE, with which root can read and write all files, because
// the rules on files also apply to root.
func dropCapabilities() error {
	if os.Geteuid() != 0 {
		return nil // other users have no capabilities, and can't get any
	}
	for c := 0; ; c++ {
		if held, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, uintptr(c), 0, 0, 0); err != nil {
			return nil // the number is after the last capability of this kernel
		} else if held == 0 || c == unix.CAP_DAC_OVERRIDE {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil {
			return err
		}
	}
}

// addRule allows access to a file or to everything below a folder. A missing file needs no rule.
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

// When a process exceeds its CPU time, it gets a signal and can print why it ends. The system kills
// it lastWords seconds later.
const lastWords = 5

// addresses is the size of the address space that a process may use beyond its memory. Go reserves
// less than 2 GiB. A page table of 4 KiB maps 2 MiB, so that page tables stay below 130 MiB.
const addresses = 64 << 30

// openFiles is the maximum number of open files of the process.
const openFiles = 1024

func enter(l Limits) error {
	limits := map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_MEMLOCK: 0, unix.RLIMIT_MSGQUEUE: 0, unix.RLIMIT_NOFILE: openFiles,
		unix.RLIMIT_CPU: l.CPU, unix.RLIMIT_FSIZE: l.FileSize, unix.RLIMIT_DATA: l.Memory,
	}
	if l.Memory > 0 {
		limits[unix.RLIMIT_AS] = l.Memory + addresses
	}
	for what, max := range limits {
		switch what {
		case unix.RLIMIT_CPU, unix.RLIMIT_FSIZE, unix.RLIMIT_DATA:
			if max == 0 {
				continue
			}
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
		return fmt.Errorf("sandbox: cannot restrict system calls: %w", err)
	}
	return nil
}

func lacks() []string {
	if landlockVersion() < 1 {
		return []string{"cells can read and write the files that you can, because this system has no Landlock"}
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
