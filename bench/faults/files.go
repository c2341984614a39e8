//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// files returns faults of the file system, in the kernel's own files and in notebooks to run.
func files() []*fault {
	list := []*fault{
		history("the history is noise", func(file string) error { return os.WriteFile(file, bytes.Repeat([]byte("\xff\x00{]\n"), 1000), 0o600) }),
		history("the history ends within a line", func(file string) error {
			return os.WriteFile(file, []byte(`{"session":1,"line":1,"input":"1`), 0o600)
		}),
		history("the history is a directory", func(file string) error { return os.Mkdir(file, 0o700) }),
		history("the history is a named pipe", func(file string) error { return syscall.Mkfifo(file, 0o600) }),
		history("the disk of the history is full", func(file string) error { return os.Symlink("/dev/full", file) }),
		history("the history is a symbolic link to a missing file", func(file string) error { return os.Symlink("/nowhere/at/all", file) }),
		history("the history cannot be written", func(file string) error {
			if err := os.WriteFile(file, nil, 0o400); err != nil {
				return err
			}
			return os.Chmod(filepath.Dir(file), 0o500)
		}),
		history("another program holds the lock of the history", lockHistory),
		{name: "the history is replaced while the kernel runs", do: func(t *trial) error {
			file := filepath.Join(t.k.dir, "history.jsonl")
			if err := os.WriteFile(file, []byte("\xff\xff"), 0o600); err != nil {
				return err
			}
			return t.good()
		}},
		{name: "the folder of the session is removed", do: func(t *trial) error {
			x := t.c.cell("d, _ := os.MkdirTemp(``, `gone`)\nback, _ := os.Getwd()\nos.Chdir(d)\nos.Remove(d)")
			if x.status != "ok" {
				return fmt.Errorf("%s: %s", x.name, x.value)
			}
			err := t.good()
			if x := t.c.cell("os.Chdir(back)"); x.status != "ok" {
				return fmt.Errorf("%s: %s", x.name, x.value)
			}
			return err
		}},
		{name: "a disk that is full, for a cell that writes", code: "f, _ := os.OpenFile(`/dev/full`, os.O_WRONLY, 0)\nf.WriteString(strings.Repeat(`x`, 1<<20))"},
	}
	for _, bad := range []struct{ name, text string }{
		{"is missing", ""}, {"is cut off", `{"shell_port": 1`}, {"is a list", "[]"}, {"has strings instead of numbers", `{"shell_port":"x"}`},
		{"has ports out of range", `{"shell_port":99999}`}, {"names an odd signature scheme", `{"signature_scheme":"none","key":"k"}`},
	} {
		list = append(list, &fault{name: "a connection file that " + bad.name, alone: true, state: none, do: func(t *trial) error {
			file := filepath.Join(t.dir, "connection.json")
			if bad.text != "" {
				if err := os.WriteFile(file, []byte(bad.text), 0o600); err != nil {
					return err
				}
			}
			return t.refused("kernel", "--connection-file", file)
		}})
	}
	for _, f := range list {
		f.group = "files of the kernel"
	}
	return append(list, notebooks()...)
}

// history returns a fault of the history file, which the kernel finds when it starts.
func history(name string, make func(file string) error) *fault {
	return &fault{name: name, alone: true, state: none, do: func(t *trial) error {
		dir := filepath.Join(t.dir, "data")
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		file := filepath.Join(dir, "history.jsonl")
		if err := make(file); err != nil {
			return err
		}
		defer func() { _ = os.Chmod(dir, 0o700) }() // so that it can be removed
		if err := t.own("--history", file); err != nil {
			return err
		}
		defer t.c.close()
		for range 3 {
			if err := t.good(); err != nil {
				return errors.Join(err, t.ended("nothing"))
			}
		}
		if x := t.c.send("shell", "history_request", map[string]any{"hist_access_type": "tail", "n": 5, "output": false, "raw": true}); !x.wait() {
			return errors.New("history_request is not answered")
		}
		if !t.k.stop() {
			return fmt.Errorf("the kernel does not end in order: %v %.300s", t.k.cmd.ProcessState, t.k.said)
		}
		return nil
	}}
}

// lockHistory holds the lock of a history until this program ends.
func lockHistory(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	held := syscall.Flock_t{Type: syscall.F_WRLCK}
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &held))
}

// command returns a command for the program in the folder of the trial.
func (t *trial) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	var said bytes.Buffer
	cmd := exec.Command(t.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.dir, &said, &said
	cmd.Env = append(os.Environ(), "HOME="+t.dir, "XDG_DATA_HOME="+t.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd, &said
}

// refused runs the program, which must exit by itself with an error and must not crash.
func (t *trial) refused(args ...string) error {
	cmd, said := t.command(args...)
	at := time.Now()
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	err := cmd.Run()
	timer.Stop()
	t.took = time.Since(at)
	text := said.String()
	switch {
	case err == nil:
		return errors.New("it is accepted")
	case cmd.ProcessState.ExitCode() < 0:
		return fmt.Errorf("it ends with %v", cmd.ProcessState)
	case strings.Contains(text, "panic:") || strings.Contains(text, "goroutine "):
		return fmt.Errorf("it crashes: %.300s", text)
	case strings.TrimSpace(text) == "":
		return errors.New("it exits without a message")
	}
	return nil
}

// small is a notebook with two cells.
const small = `{"cells":[{"cell_type":"code","execution_count":null,"id":"a","metadata":{},"outputs":[],"source":"x := 6"},` +
	`{"cell_type":"code","execution_count":null,"id":"b","metadata":{},"outputs":[],"source":"fmt.Println(strings.Repeat(\"x\", 200000))\nx * 7"}],` +
	`"metadata":{"kernelspec":{"display_name":"Go (gokernel)","language":"go","name":"gokernel"}},"nbformat":4,"nbformat_minor":5}`

func notebooks() []*fault {
	bad := func(name string, make func(file string) error) *fault {
		return &fault{name: name, alone: true, state: none, do: func(t *trial) error {
			if err := make(filepath.Join(t.dir, "a.ipynb")); err != nil {
				return err
			}
			return t.refused("run", "a.ipynb", "-o", "b.ipynb")
		}}
	}
	text := func(s string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(s), 0o600) }
	}
	list := []*fault{
		bad("a notebook that is missing", func(string) error { return nil }),
		bad("a notebook that is empty", text("")),
		bad("a notebook that is cut off", text(small[:len(small)/2])),
		bad("a notebook that is noise", text("\x00\xff\xfe")),
		bad("a notebook nested 100,000 deep", text(strings.Repeat(`{"cells":[`, 100000))),
		bad("a notebook whose cells are strings", text(`{"cells":["a"],"metadata":{},"nbformat":4,"nbformat_minor":5}`)),
		bad("a notebook of format 99", text(strings.Replace(small, `"nbformat":4`, `"nbformat":99`, 1))),
		bad("a notebook in Python", text(strings.Replace(small, `"language":"go"`, `"language":"python"`, 1))),
		bad("a notebook that is a directory", func(file string) error { return os.Mkdir(file, 0o700) }),
		bad("a notebook that is a symbolic link to itself", func(file string) error { return os.Symlink(file, file) }),
		bad("a notebook that is a named pipe", func(file string) error { return syscall.Mkfifo(file, 0o600) }),
		bad("a notebook of format 3", text(`{"worksheets":[{"cells":[{"cell_type":"code","input":"1","outputs":[],"language":"go"}],"metadata":{}}],"metadata":{},"nbformat":3,"nbformat_minor":0}`)),
		bad("a notebook of format 2", text(`{"worksheets":[{"cells":[]}],"metadata":{},"nbformat":2}`)),
		bad("a notebook of format 1", text(`{"cells":[{"cell_type":"code","code":"1"}],"nbformat":1}`)),
		bad("a notebook that embeds a file outside its folder", text(string(notebookOf("import _ \"embed\"\n//go:embed ../secret\nvar secret string", "fmt.Print(secret)")))),
		{name: "a notebook of 100 MB", alone: true, state: none, do: hugeNotebook},
		{name: "a read-only notebook, overwritten", alone: true, state: none, do: readOnly},
		{name: "results on a read-only file system", alone: true, state: none, do: func(t *trial) error {
			if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), []byte(small), 0o600); err != nil {
				return err
			}
			return errors.Join(t.refused("run", "a.ipynb", "-o", "/proc/b.ipynb"), t.refused("run", "a.ipynb", "--html", "/proc/b.html"))
		}},
		{name: "an export with files outside its folder", alone: true, state: none, do: func(t *trial) error {
			if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), notebookOf("import _ \"embed\"\n//go:embed ../secret\nvar secret string"), 0o600); err != nil {
				return err
			}
			return t.refused("export", "a.ipynb", "-o", "out")
		}},
		{name: "another program's kernel where ours is installed", alone: true, state: none, slow: true, do: foreignKernel},
		{name: "kernel names with path traversal", alone: true, state: none, do: func(t *trial) error {
			for _, name := range []string{"../evil", "..", ".", "a/b", "/tmp/evil", "..\\evil"} {
				if err := t.refused("install", "--prefix", t.dir, "--name", name); err != nil {
					return fmt.Errorf("%q: %w", name, err)
				}
			}
			return nil
		}},
		{name: "a result that cannot be written", alone: true, state: none, do: func(t *trial) error {
			if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), []byte(small), 0o600); err != nil {
				return err
			}
			return t.refused("run", "a.ipynb", "-o", "/dev/full")
		}},
		{name: "a file-size limit reached while a notebook is overwritten", alone: true, state: none, do: limitedWrite},
		{name: "run --inplace killed (kill -9) at any moment", alone: true, state: none, do: killedWrite},
	}
	for _, f := range list {
		f.group = "notebooks"
	}
	return list
}

// whole returns an error unless the notebook has its old or its new contents.
func whole(file string, before []byte) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.Equal(b, before) {
		return nil
	}
	var nb struct {
		Cells []struct{ Outputs []json.RawMessage }
	}
	if err := json.Unmarshal(b, &nb); err != nil || len(nb.Cells) != 2 || len(nb.Cells[1].Outputs) != 2 {
		return fmt.Errorf("the notebook is neither the old nor the new one: %d bytes, %v", len(b), err)
	}
	return nil
}

func killedWrite(t *trial) error {
	file := filepath.Join(t.dir, "a.ipynb")
	if err := os.WriteFile(file, []byte(small), 0o600); err != nil {
		return err
	}
	cmd, _ := t.command("run", "--inplace", "a.ipynb")
	if err := cmd.Start(); err != nil {
		return err
	}
	// Half of the moments are after the first file of the result has appeared.
	if t.rand.IntN(2) == 0 {
		for end := time.Now().Add(patience); time.Now().Before(end); {
			if list, err := filepath.Glob(filepath.Join(t.dir, ".gokernel-*")); err != nil || len(list) > 0 {
				break
			}
			if b, err := os.ReadFile(file); err == nil && !slices.Equal(b, []byte(small)) {
				break
			}
		}
	} else {
		time.Sleep(time.Duration(t.rand.Int64N(int64(600 * time.Millisecond))))
	}
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
	return whole(file, []byte(small))
}

// hugeNotebook runs a notebook that contains a large output and produces another one.
func hugeNotebook(t *trial) error {
	n := t.count(100) << 20
	before := strings.Replace(small, `"outputs":[]`, `"outputs":[{"output_type":"stream","name":"stdout","text":"`+strings.Repeat("y", n)+`"}]`, 1)
	if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), []byte(before), 0o600); err != nil {
		return err
	}
	cmd, said := t.command("run", "--inplace", "a.ipynb")
	at := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %.300s", err, said.String())
	}
	t.took = time.Since(at)
	return whole(filepath.Join(t.dir, "a.ipynb"), nil)
}

// readOnly overwrites a notebook that its owner has protected.
func readOnly(t *trial) error {
	file := filepath.Join(t.dir, "a.ipynb")
	if err := os.WriteFile(file, []byte(small), 0o400); err != nil {
		return err
	}
	if err := t.refused("run", "--inplace", "a.ipynb"); err != nil {
		return err
	}
	return unchanged(file)
}

// unchanged returns an error if the notebook is not the small one.
func unchanged(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(b, []byte(small)) {
		return errors.New("the notebook has changed")
	}
	return nil
}

// foreignKernel installs the kernel where another program has a kernel with the same name.
func foreignKernel(t *trial) error {
	dir := filepath.Join(t.dir, "share", "jupyter", "kernels", "gokernel")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, spec := range []string{`{"argv":["gophernotes","{connection_file}"],"display_name":"Go","language":"go"}`, `{"argv":[]}`, `noise`, ``} {
		file := filepath.Join(dir, "kernel.json")
		if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
			return err
		}
		if err := errors.Join(t.refused("install", "--prefix", t.dir), t.refused("install", "--prefix", t.dir, "--uninstall")); err != nil {
			return fmt.Errorf("over %q: %w", spec, err)
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != spec {
			return fmt.Errorf("the other kernel is %q, %v", b, err)
		}
	}
	return nil
}

func limitedWrite(t *trial) error {
	file := filepath.Join(t.dir, "a.ipynb")
	if err := os.WriteFile(file, []byte(small), 0o600); err != nil {
		return err
	}
	cmd := exec.Command("bash", "-c", `ulimit -f 16; exec "$0" run --inplace a.ipynb`, t.program)
	cmd.Dir = t.dir
	if err := cmd.Run(); err == nil {
		return errors.New("it reports success")
	}
	return unchanged(file)
}
