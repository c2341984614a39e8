package kernel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/gokernel/gokernel/kernel/transport"
)

// quickStall shortens the time after which a client that reads nothing counts as stalled.
func quickStall(c *kernel.Config) {
	c.Limits = transport.Limits{Stall: 300 * time.Millisecond, HighWater: 1 << 20}
}

func TestShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		f := newFake()
		srv, err := kernel.New(kernel.Config{Evaluator: f, Connection: kernel.Connection{Key: "k"}})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- srv.Serve(context.Background()) }()
		c, watcher := kerneltest.Connect(t, srv.Connection()), kerneltest.Connect(t, srv.Connection())
		began := time.Now()
		id := c.Send("control", "shutdown_request", map[string]any{"restart": restart})
		if m := c.Recv("control"); m.ParentID != id || m.Content["restart"] != restart || m.Str("status") != "ok" {
			t.Errorf("reply %v", m)
		}
		want := []string{"status", "shutdown_reply", "status"}
		for _, kind := range want {
			if m := watcher.IOPub(); m.Type() != kind || m.ParentID != id {
				t.Errorf("iopub got %v, want %s", m, kind)
			}
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(kerneltest.Timeout):
			t.Fatal("Serve did not end")
		}
		t.Logf("ended after %v", time.Since(began))
		if !f.isClosed() {
			t.Error("the evaluator was not closed")
		}
	}
}

// TestShutdownWhileRunning checks that the last output of a cell arrives.
func TestShutdownWhileRunning(t *testing.T) {
	f := newFake()
	srv, err := kernel.New(kernel.Config{Evaluator: f, Connection: kernel.Connection{Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(context.Background()) }()
	c := kerneltest.Connect(t, srv.Connection())
	id := c.Send("shell", "execute_request", map[string]any{"code": "lines 200000\nwait"})
	<-f.waiting // everything is printed, but not all of it is sent
	c.Send("control", "shutdown_request", map[string]any{})
	if e := c.Await("shell", id, time.Now()); e.Status() != "error" || len(e.Text("stdout")) != 2288890 {
		t.Errorf("reply %v and %d bytes of output, want an error and all 2288890", e.Reply, len(e.Text("stdout")))
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestNothingIsLeftRunning ends kernels that have handled many kinds of requests, and counts the
// remaining goroutines.
func TestNothingIsLeftRunning(t *testing.T) {
	first, err := kernel.New(kernel.Config{Evaluator: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	serveOnce(t, first) // the runtime's goroutine for signals starts here and stays
	before := runtime.NumGoroutine()
	for range 3 {
		srv, err := kernel.New(kernel.Config{
			Evaluator: newFake(), Connection: kernel.Connection{Key: "k"},
			HistoryPath: filepath.Join(t.TempDir(), "history.jsonl"), ParentPID: os.Getppid(),
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- srv.Serve(context.Background()) }()
		c := kerneltest.Connect(t, srv.Connection())
		sub := createSubshell(c)
		c.Await("shell", sendTo(c, sub, "execute_request", map[string]any{"code": "lines 10000"}), time.Now())
		c.Execute("print a\ndisplay x\nfail x")
		c.Request("shell", "comm_open", map[string]any{"comm_id": "1", "target_name": "none"})
		history(c, map[string]any{"hist_access_type": "tail"})
		ask(c, "input ?") // no client answers
		c.Send("control", "shutdown_request", map[string]any{})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(kerneltest.Timeout); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines remain, there were %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestParentPID calls ParentPID in child processes. ParentPID must return the process in Jupyter's
// environment variable or, without the variable, the process that started the kernel. Under nohup
// it must return 0.
func TestParentPID(t *testing.T) {
	if os.Getenv("KERNEL_TEST_PARENT") != "" {
		fmt.Print(kernel.ParentPID(), " ")
		return
	}
	if runtime.GOOS == "windows" {
		if got := kernel.ParentPID(); got != 0 {
			t.Errorf("ParentPID returns %d, want 0", got)
		}
		return
	}
	for _, c := range []struct{ script, jupyter, want string }{
		{`exec "$0" "$@"`, "4321", "4321"},
		{`exec "$0" "$@"`, "", strconv.Itoa(os.Getpid())},
		{`exec "$0" "$@"`, "none", strconv.Itoa(os.Getpid())},
		{`trap "" HUP; exec "$0" "$@"`, "", "0"},
	} {
		cmd := exec.Command("sh", "-c", c.script, os.Args[0], "-test.run=^TestParentPID$")
		cmd.Env = append(os.Environ(), "KERNEL_TEST_PARENT=1", "JPY_PARENT_PID="+c.jupyter)
		out, err := cmd.CombinedOutput()
		if got, _, _ := strings.Cut(string(out), " "); err != nil || got != c.want {
			t.Errorf("%s with JPY_PARENT_PID=%s: %s, %v, want %s", c.script, c.jupyter, out, err, c.want)
		}
	}
}

func writeFile(t *testing.T, path string, content map[string]any) {
	t.Helper()
	b, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestConnectionFile lets the kernel choose its ports, over tcp and over ipc.
func TestConnectionFile(t *testing.T) {
	for _, tr := range []string{"tcp", "ipc"} {
		t.Run(tr, func(t *testing.T) {
			if tr == "ipc" && runtime.GOOS == "windows" {
				t.Log("Windows: Unix sockets have the rights of their directory; their modes are not checked")
			}
			dir, err := os.MkdirTemp("", "k") // the path of t.TempDir is too long for a Unix socket
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "c.json")
			ip := "127.0.0.1"
			if tr == "ipc" {
				ip = filepath.Join(dir, "s")
			}
			writeFile(t, path, map[string]any{"transport": tr, "ip": ip, "key": "k", "kernel_name": "go", "jupyter_session": "n.ipynb"})
			srv, err := kernel.New(kernel.Config{Evaluator: newFake(), ConnectionFile: path})
			if err != nil {
				t.Fatal(err)
			}
			serve(t, srv)
			conn, err := kernel.ReadConnection(path)
			if err != nil {
				t.Fatal(err)
			}
			if conn != srv.Connection() || conn.ShellPort == 0 || conn.HBPort == 0 {
				t.Errorf("the file says %+v, the server %+v", conn, srv.Connection())
			}
			c := kerneltest.Connect(t, conn)
			if e := c.Execute("value 1"); e.Status() != "ok" {
				t.Errorf("reply %v, want ok", e.Reply)
			}
			c.Ping("x")

			var all map[string]any
			b, _ := os.ReadFile(path)
			if err := json.Unmarshal(b, &all); err != nil || all["kernel_name"] != "go" || all["jupyter_session"] != "n.ipynb" {
				t.Errorf("the file lost fields: %s", b)
			}
			if runtime.GOOS == "windows" {
				return
			}
			private := []string{path}
			if tr == "ipc" {
				private = append(private, ip+"-1", ip+"-2", ip+"-3", ip+"-4", ip+"-5")
			}
			for _, p := range private {
				info, err := os.Stat(p)
				if err != nil {
					t.Fatal(err)
				}
				if mode := info.Mode().Perm(); mode != 0o600 {
					t.Errorf("%s has mode %o, want 600", p, mode)
				}
			}
		})
	}
}

func TestBadConnections(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFake()
	for name, cfg := range map[string]kernel.Config{
		"no evaluator":      {},
		"missing file":      {Evaluator: f, ConnectionFile: filepath.Join(dir, "none.json")},
		"broken file":       {Evaluator: f, ConnectionFile: broken},
		"unknown transport": {Evaluator: f, Connection: kernel.Connection{Transport: "carrier-pigeon"}},
		"unknown scheme":    {Evaluator: f, Connection: kernel.Connection{SignatureScheme: "hmac-md5"}},
		"bad port":          {Evaluator: f, Connection: kernel.Connection{ShellPort: 70000}},
		"ipc without path":  {Evaluator: f, Connection: kernel.Connection{Transport: "ipc"}},
	} {
		if _, err := kernel.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestPortInUse checks that a kernel that cannot bind all ports releases the ports that it has
// bound.
func TestPortInUse(t *testing.T) {
	_, taken := start(t)
	free, err := kernel.New(kernel.Config{Evaluator: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	want := free.Connection()
	want.HBPort = taken.HBPort // is bound last
	serveOnce(t, free)
	for range 2 {
		if _, err := kernel.New(kernel.Config{Evaluator: newFake(), Connection: want}); err == nil || !strings.Contains(err.Error(), strconv.Itoa(taken.HBPort)) {
			t.Fatalf("error %v, want one that names port %d", err, taken.HBPort)
		}
	}
}

// serveOnce starts and ends srv, which closes its sockets.
func serveOnce(t *testing.T, srv *kernel.Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := srv.Serve(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestRestart serves 20 kernels on the same ports, one after another, each with a client that is
// connected when the kernel ends.
func TestRestart(t *testing.T) {
	conn := kernel.Connection{Key: "k"}
	sessions := map[string]bool{}
	for i := range 20 {
		srv, err := kernel.New(kernel.Config{Evaluator: newFake(), Connection: conn})
		if err != nil {
			t.Fatalf("start %d: %v", i+1, err)
		}
		conn = srv.Connection()
		done := make(chan error, 1)
		go func() { done <- srv.Serve(context.Background()) }()
		c := kerneltest.Connect(t, conn)
		if e := c.Execute("value 1"); e.Reply.Int("execution_count") != 1 {
			t.Fatalf("start %d: %v", i+1, e.Reply)
		} else if id := e.Reply.Header.Session; sessions[id] {
			t.Errorf("start %d reuses the session %s", i+1, id)
		} else {
			sessions[id] = true
		}
		c.Send("control", "shutdown_request", map[string]any{"restart": true})
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}
