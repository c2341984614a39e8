//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
)

// attempts lists what an untrusted notebook tries, and what its cell shows in a sandbox. SECRET is
// a file outside of its folder.
var attempts = []struct{ code, want string }{
	{"_, err := os.ReadFile(`SECRET`)\nfmt.Println(err)", "permission denied"},
	{"_, err = os.ReadDir(`/`)\nfmt.Println(err)", "permission denied"},
	{"err = os.WriteFile(`SECRET`, nil, 0o600)\nfmt.Println(err)", "permission denied"},
	{"err = os.Remove(`SECRET`)\nfmt.Println(err)", "permission denied"},
	{"err = os.Rename(`SECRET`, `mine`)\nfmt.Println(err)", "permission denied"},
	{"err = os.Chmod(`SECRET`, 0)\nfmt.Println(err)", "operation not permitted"},
	{"err = os.Symlink(`SECRET`, `link`)\n_, err = os.ReadFile(`link`)\nfmt.Println(err)", "permission denied"},
	{"_, err = os.ReadFile(`/proc/self/environ`)\nfmt.Println(err)", "permission denied"},
	{"fmt.Println(len(os.Getenv(`GOKERNEL_TEST_SECRET`)))", "0\n"},
	{"import \"os/exec\"\nerr = exec.Command(`/bin/true`).Run()\nfmt.Println(err)", "operation not permitted"},
	{"!id", "executable file not found"},
	{"import \"syscall\"\n_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, 0, 0, 0)\nfmt.Println(errno)", "operation not permitted"},
	{"err = syscall.Kill(os.Getppid(), syscall.SIGKILL)\nfmt.Println(err)", "operation not permitted"},
	{"err = syscall.Kill(-1, syscall.SIGKILL)\nfmt.Println(err)", "operation not permitted"},
	{"_, err = net.Dial(`tcp`, `127.0.0.1:80`)\nfmt.Println(err)", "operation not permitted"},
	{"_, err = net.Listen(`tcp`, `127.0.0.1:0`)\nfmt.Println(err)", "operation not permitted"},
	{"_, err = http.Get(`http://127.0.0.1/`)\nfmt.Println(err)", "operation not permitted"},
	{"_, _, errno = syscall.RawSyscall(syscall.SYS_SHMAT, 0, 0, 0)\nfmt.Println(errno)", "operation not permitted"},
	{"_, err = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)\nfmt.Println(err)", "operation not permitted"},
	{"_, err = syscall.InotifyInit()\nfmt.Println(err)", "operation not permitted"},
	{"_, err = syscall.Mmap(-1, 0, 1<<20, syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON)\nfmt.Println(err)", "operation not permitted"},
	{"own, err := os.Create(`mine2`)\nerr = own.Chmod(0)\nfmt.Println(err)", "operation not permitted"},
	{"import \"example.com/not/here\"", "example.com/not/here"},
	{"var hoard [][]byte\nfor {\n\thoard = append(hoard, bytes.Repeat([]byte{1}, 8<<20))\n}", "out of memory"},
	{"hoard = nil\nerr = os.WriteFile(`own`, []byte(`x`), 0o600)\nfmt.Println(err)", "<nil>"},
	{"b, err := os.ReadFile(`own`)\nfmt.Println(string(b), err)", "x <nil>"},
	{"for {}", "all of the processor time is used up, 5 s"},
	{"fmt.Println(6 * 7)", "42"},
}

// TestRunSandbox runs a notebook with all attempts.
func TestRunSandbox(t *testing.T) {
	if lacks := sandbox.Lacks(); lacks != nil {
		if _, err := (runFlags{sandbox: true}).rules("."); err == nil || !strings.Contains(err.Error(), lacks[0]) {
			t.Errorf("without a sandbox, which this system lacks: %v", err)
		}
		return
	}
	dir, other := t.TempDir(), t.TempDir()
	secret := filepath.Join(other, "secret")
	if err := os.WriteFile(secret, []byte("key"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOKERNEL_TEST_SECRET", "key")
	nb := &notebook.Notebook{}
	for i, a := range attempts {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: fmt.Sprint("c", i), Type: notebook.Code, Source: strings.ReplaceAll(a.code, "SECRET", secret)})
	}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file, done := filepath.Join(dir, "a.ipynb"), filepath.Join(other, "done.ipynb")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	executeCommand(t, "run", file, "-o", done, "--sandbox", "--allow-errors", "--max-memory", "256", "--max-cpu", "5s")
	if nb, err = notebook.Read(done); err != nil {
		t.Fatal(err)
	}
	for i, a := range attempts {
		shown := ""
		for _, o := range nb.Cells[i].Outputs {
			shown += o.Text + o.ErrorName + o.ErrorValue + strings.Join(o.Traceback, "\n")
		}
		if !strings.Contains(shown, a.want) {
			t.Errorf("%s\nshows %s\nwant %q", a.code, shown, a.want)
		}
	}
	if b, err := os.ReadFile(secret); err != nil || string(b) != "key" {
		t.Errorf("the secret is %q, %v", b, err)
	}
}

// TestRunSandboxLinks runs a notebook whose cell replaces the names of the results by links to a
// file outside of its folder.
func TestRunSandboxLinks(t *testing.T) {
	if sandbox.Lacks() != nil {
		return // TestRunSandbox has checked the message for that case
	}
	dir, other := t.TempDir(), t.TempDir()
	secret := filepath.Join(other, "secret")
	for _, name := range []string{secret, filepath.Join(dir, "a.html")} {
		if err := os.WriteFile(name, []byte("key"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code := `for _, name := range []string{"a.html", "a.executed.ipynb", "a.ipynb"} {
	_ = os.Remove(name)
	err := os.Symlink(` + "`" + secret + "`" + `, name)
	fmt.Println(err)
}
list := os.ReadDir(".")
fmt.Println(list)`
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{ID: "c", Type: notebook.Code, Source: code}}}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.ipynb")
	for _, args := range [][]string{{}, {"--inplace"}, {"-o", filepath.Join(dir, "a.executed.ipynb")}, {"--html", filepath.Join(dir, "a.html")}} {
		for _, name := range []string{"a.ipynb", "a.executed.ipynb", "a.html"} {
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		executeCommand(t, append([]string{"run", file, "--sandbox"}, args...)...)
		if b, err := os.ReadFile(secret); err != nil || string(b) != "key" {
			t.Fatalf("run %q: the secret is %q, %v", args, b, err)
		}
	}
	// An existing link is not followed, unless it was named.
	for _, name := range []string{"a.ipynb", "a.executed.ipynb", "a.html"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "a.html")); err != nil {
		t.Fatal(err)
	}
	cmd := newRoot()
	cmd.SetArgs([]string{"run", file})
	cmd.SetErr(io.Discard)
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
		t.Errorf("a link of the name of the page: %v", err)
	}
}

// TestSandboxFlags checks that invalid limits are rejected.
func TestSandboxFlags(t *testing.T) {
	for want, f := range map[string]runFlags{
		"must be at least 64":           {memory: 3},
		"must not be negative, got -1s": {processor: -1e9},
		"needs --sandbox":               {processor: 1e9},
	} {
		if _, err := f.rules("."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", f, err, want)
		}
	}
}
