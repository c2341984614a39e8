//go:build e2e

package kernel_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/gokernel/gokernel/kernel"
)

// TestMain serves a kernel in place of the tests when it is started as one by
// testdata/client.py.
func TestMain(m *testing.M) {
	file := os.Getenv("GOKERNEL_TEST_CONNECTION")
	if file == "" {
		os.Exit(m.Run())
	}
	srv, err := kernel.New(kernel.Config{Evaluator: newFake(), ConnectionFile: file, ParentPID: kernel.ParentPID()})
	if err == nil {
		err = srv.Serve(context.Background())
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Exit(0)
}

// TestJupyterClient runs testdata/client.py. GOKERNEL_PYTHON names a Python
// that has jupyter_client; the default is python3.
func TestJupyterClient(t *testing.T) {
	python := os.Getenv("GOKERNEL_PYTHON")
	if python == "" {
		python = "python3"
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/client.py", binary)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}
