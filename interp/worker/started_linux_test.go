package worker

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// detached starts a program in a separate session, whose parent has ended, and returns its process
// ID.
func detached(t *testing.T, c *Client) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	mustEval(t, c, fmt.Sprintf("child (setsid sh -c 'echo $$ >%s.part; mv %[1]s.part %[1]s; exec sleep 1000' &); true sleep", file))
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		if time.Now().After(deadline) {
			t.Fatal("the program does not start")
		}
	}
}

// TestDetachedProgramsEnd ends the evaluator in each way.
func TestDetachedProgramsEnd(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, c *Client){
		"it is closed": func(t *testing.T, c *Client) {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		},
		"it ends by itself": func(t *testing.T, c *Client) {
			if _, err := eval(t, c, "exit 1", &record{}); err == nil {
				t.Error("no error")
			}
		},
		"it is killed": func(t *testing.T, c *Client) {
			if err := syscall.Kill(c.Pid(), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		},
		"it is told to end": func(t *testing.T, c *Client) {
			if err := syscall.Kill(c.Pid(), syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t)
			pid := detached(t, c)
			end(t, c)
			waitGone(t, pid)
		})
	}
}

// TestDetachedProgramsEndWithTheKernel kills the process that holds the client.
func TestDetachedProgramsEndWithTheKernel(t *testing.T) {
	if os.Getenv("WORKER_TEST_DETACHED") != "" { // that process
		c, err := Start(Options{Args: []string{"evaluator"}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("pid", detached(t, c))
		select {}
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestDetachedProgramsEndWithTheKernel$")
	cmd.Env = append(os.Environ(), "WORKER_TEST_DETACHED=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "pid ")))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it fails because the process was killed
	waitGone(t, pid)
}
