//go:build linux && (amd64 || arm64)

package sandbox

import (
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestEnter runs the test binary again as the process that loses its rights.
func TestEnter(t *testing.T) {
	if dir := os.Getenv("SANDBOX_DIR"); dir != "" {
		if os.Getenv("SANDBOX_CONFINED") == "" {
			os.Setenv("SANDBOX_CONFINED", "1")
			if err := Confine(dir, os.Args[1:]); err != nil {
				t.Fatal(err)
			}
		}
		inside(t, dir)
		return
	}
	dir, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "secret"), []byte("points"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestEnter$", "-test.v")
	cmd.Env = append(os.Environ(), "SANDBOX_DIR="+dir, "SANDBOX_SECRET="+filepath.Join(other, "secret"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

func inside(t *testing.T, dir string) {
	if err := Enter(Limits{Memory: 4 << 30, CPU: 60, FileSize: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	refused := func(what, lack string, err error) {
		if lack == "files" && Lacks() != nil {
			t.Logf("%s: %v", what, Lacks())
			return
		}
		if err == nil {
			t.Errorf("%s is possible", what)
		}
	}
	_, err := os.ReadFile(os.Getenv("SANDBOX_SECRET"))
	refused("reading another's file", "files", err)
	refused("writing elsewhere", "files", os.WriteFile(filepath.Join(filepath.Dir(os.Getenv("SANDBOX_SECRET")), "x"), nil, 0o600))
	_, err = os.ReadFile("/proc/self/mem")
	refused("reading memory", "files", err)
	refused("a program", "programs", exec.Command("/bin/true").Run())
	_, err = os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	refused("a process", "programs", err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		l.Close()
	}
	refused("listening", "network", err)
	_, err = net.Dial("udp", "127.0.0.1:9")
	refused("a socket", "network", err)
	refused("a signal to the process that started it", "processes", syscall.Kill(os.Getppid(), 0))
	refused("signals to all processes", "processes", syscall.Kill(-1, 0))
	refused("another process group", "processes", syscall.Setpgid(0, os.Getppid()))
	refused("limits of another process", "processes", unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: 3}, nil))
	refused("a change of another's file", "files", os.Chmod(os.Getenv("SANDBOX_SECRET"), 0))
	refused("a device", "files", unix.Mknod(filepath.Join(dir, "disk"), unix.S_IFBLK|0o600, int(unix.Mkdev(8, 0))))
	refused("a name space", "system", unix.Unshare(unix.CLONE_NEWUSER))
	if runtime.GOARCH == "amd64" {
		_, _, errno := unix.RawSyscall(otherNumbers+unix.SYS_GETPPID, 0, 0, 0)
		if errno != unix.EPERM {
			t.Errorf("a call by its other number: %v, want it refused", errno)
		}
	}
	refusedCalls(t, dir)
	if err := syscall.Kill(os.Getpid(), 0); err != nil {
		t.Errorf("a signal to itself: %v", err)
	}
	big := filepath.Join(dir, "big")
	signal.Ignore(syscall.SIGXFSZ)
	refused("a file above the limit", "sizes", os.WriteFile(big, make([]byte, 2<<20), 0o600))
	if err := os.WriteFile(filepath.Join(dir, "own"), []byte("x"), 0o600); err != nil {
		t.Errorf("the own folder: %v", err)
	}
	done := make(chan bool) // threads still start
	for range 50 {
		go func() { done <- true }()
	}
	for range 50 {
		<-done
	}
}

// refusedCalls tries system calls with which a process reaches others, or changes what it may only
// read.
func refusedCalls(t *testing.T, dir string) {
	t.Helper()
	own, err := os.Create(filepath.Join(dir, "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	library, err := os.Open("/usr/lib")
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	fd, lib := own.Fd(), library.Fd()
	const (
		setxattrat, removexattrat, fileSetattr, openTreeAttr = 463, 466, 469, 467
		setFlags                                             = 0x40086602 // FS_IOC_SETFLAGS
		sigkill                                              = 9
	)
	name := uintptr(unsafe.Pointer(unsafe.StringData("x\x00")))
	for what, call := range map[string][7]uintptr{
		"shmat": {unix.SYS_SHMAT}, "shmctl": {unix.SYS_SHMCTL}, "shmget": {unix.SYS_SHMGET}, "msgrcv": {unix.SYS_MSGRCV}, "msgctl": {unix.SYS_MSGCTL},
		"semctl": {unix.SYS_SEMCTL}, "semop": {unix.SYS_SEMOP}, "mq_open": {unix.SYS_MQ_OPEN, name},
		"socket": {unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_DGRAM}, "socketpair": {unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_DGRAM, 0, name},
		"sendto": {unix.SYS_SENDTO, fd}, "sendmsg": {unix.SYS_SENDMSG, fd}, "recvmsg": {unix.SYS_RECVMSG, fd},
		"setxattrat": {setxattrat}, "removexattrat": {removexattrat}, "file_setattr": {fileSetattr}, "open_tree_attr": {openTreeAttr},
		"fchmod": {unix.SYS_FCHMOD, lib, 0o777}, "fchown": {unix.SYS_FCHOWN, lib, 0, 0}, "fsetxattr": {unix.SYS_FSETXATTR, lib, name, name, 1},
		"fremovexattr": {unix.SYS_FREMOVEXATTR, lib, name}, "utimensat": {unix.SYS_UTIMENSAT, lib, 0, 0, 0},
		"FS_IOC_SETFLAGS": {unix.SYS_IOCTL, lib, setFlags, name}, "TIOCSTI": {unix.SYS_IOCTL, 0, unix.TIOCSTI, name},
		"F_SETOWN": {unix.SYS_FCNTL, fd, unix.F_SETOWN, uintptr(os.Getppid())}, "F_SETSIG": {unix.SYS_FCNTL, fd, unix.F_SETSIG, sigkill},
		"O_ASYNC": {unix.SYS_FCNTL, fd, unix.F_SETFL, unix.O_ASYNC}, "F_NOTIFY": {unix.SYS_FCNTL, lib, unix.F_NOTIFY, 1}, "F_SETLEASE": {unix.SYS_FCNTL, fd, unix.F_SETLEASE, 1},
		"F_SETPIPE_SZ": {unix.SYS_FCNTL, fd, unix.F_SETPIPE_SZ, 1 << 20},
		"inotify":      {unix.SYS_INOTIFY_INIT1}, "fanotify": {unix.SYS_FANOTIFY_INIT}, "memfd_create": {unix.SYS_MEMFD_CREATE, name},
		"shared memory":      {unix.SYS_MMAP, 0, 1 << 20, unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED | unix.MAP_ANONYMOUS, ^uintptr(0)},
		"shared, unreadable": {unix.SYS_MMAP, 0, 1 << 20, unix.PROT_NONE, unix.MAP_SHARED | unix.MAP_ANONYMOUS, ^uintptr(0)},
		"a shared file":      {unix.SYS_MMAP, 0, 1 << 12, unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED, fd},
		"huge pages":         {unix.SYS_MMAP, 0, 2 << 20, unix.PROT_READ, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_HUGETLB, ^uintptr(0)},
		"locked memory":      {unix.SYS_MMAP, 0, 1 << 12, unix.PROT_READ, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_LOCKED, ^uintptr(0)},
		"a stack":            {unix.SYS_MMAP, 0, 1 << 12, unix.PROT_READ, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_GROWSDOWN, ^uintptr(0)},
		"mlockall":           {unix.SYS_MLOCKALL, 1}, "mlock": {unix.SYS_MLOCK, name, 1},
		"PDEATHSIG": {unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 0}, "PR_SET_DUMPABLE": {unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 1},
		"PR_SET_PTRACER": {unix.SYS_PRCTL, unix.PR_SET_PTRACER, ^uintptr(0)},
		"setuid":         {unix.SYS_SETUID, 0}, "capset": {unix.SYS_CAPSET}, "setrlimit": {unix.SYS_SETRLIMIT, unix.RLIMIT_DATA, name},
		"a process by clone": {unix.SYS_CLONE, uintptr(unix.SIGCHLD)},
		"a name space":       {unix.SYS_UNSHARE, unix.CLONE_NEWNET},
		"io_uring":           {unix.SYS_IO_URING_SETUP, 8, name}, "bpf": {unix.SYS_BPF}, "perf": {unix.SYS_PERF_EVENT_OPEN}, "seccomp": {unix.SYS_SECCOMP},
		"ptrace": {unix.SYS_PTRACE}, "process_vm_readv": {unix.SYS_PROCESS_VM_READV, uintptr(os.Getppid())}, "pidfd_open": {unix.SYS_PIDFD_OPEN, uintptr(os.Getppid())},
		"tkill": {unix.SYS_TKILL, uintptr(os.Getppid()), 0}, "sigqueue": {unix.SYS_RT_SIGQUEUEINFO, uintptr(os.Getppid()), sigkill},
		"sched_setaffinity": {unix.SYS_SCHED_SETAFFINITY, uintptr(os.Getppid())}, "setpriority": {unix.SYS_SETPRIORITY, 0, 0, 5},
		"vmsplice": {unix.SYS_VMSPLICE, fd}, "sync": {unix.SYS_SYNC}, "quotactl": {unix.SYS_QUOTACTL},
		"a call of the future": {1 << 12},
	} {
		if _, _, errno := unix.Syscall6(call[0], call[1], call[2], call[3], call[4], call[5], call[6]); errno != unix.EPERM {
			t.Errorf("%s: %v, want %v", what, errno, unix.EPERM)
		}
	}
	if err := unix.Fallocate(int(fd), 0, 0, 1<<20); err != unix.EOPNOTSUPP {
		t.Errorf("room for a file without writing: %v, want %v", err, unix.EOPNOTSUPP)
	}
	if os.Geteuid() == 0 {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 30, Max: 1 << 30}); err == nil {
			t.Error("root can raise its limits")
		}
	}
	if Lacks() == nil {
		if f, err := os.Open("/etc/ssl/private"); err == nil {
			f.Close()
			t.Error("/etc/ssl/private can be read")
		}
	}
}
