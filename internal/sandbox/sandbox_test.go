//go:build linux && (amd64 || arm64)

package sandbox

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
