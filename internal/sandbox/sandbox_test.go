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

	"golang.org/x/sys/unix"
)

// TestEnter runs the test binary again as the one that loses its rights.
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
