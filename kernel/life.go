package kernel

import (
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// ParentPID returns the ID of the process whose end also ends the kernel. That is the process in
// the environment variable JPY_PARENT_PID or, without this variable, the process that started the
// kernel. ParentPID returns 0 if there is no such process: under nohup, if process 1 started the
// kernel, and on Windows, where the variable holds a handle that the kernel does not watch.
func ParentPID() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	if pid, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID")); err == nil && pid > 0 {
		return pid
	}
	if pid := os.Getppid(); pid > 1 && !livesOn() {
		return pid
	}
	return 0
}

// parentPoll is the interval at which the kernel checks that the parent process still runs.
const parentPoll = time.Second

// watchParent ends the server when the parent process has ended. If the configured process is not
// the direct parent (for example if a shell is in between), watchParent waits until process 1 has
// adopted the kernel.
func (s *Server) watchParent() {
	want := s.cfg.ParentPID
	if want <= 0 {
		return
	}
	direct := os.Getppid() == want
	t := time.NewTicker(parentPoll)
	defer t.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-t.C:
		}
		now := os.Getppid()
		if direct && now != want || !direct && now == 1 && want != 1 {
			s.log.Info("the parent process has gone")
			s.end()
			return
		}
	}
}

// handleSignals interrupts the running cell on SIGINT and shuts the server down on SIGTERM. It
// registers for SIGINT even if the process was started with SIGINT ignored, as background jobs of
// shells are.
func (s *Server) handleSignals() (stop func()) {
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-ch:
				if sig == os.Interrupt {
					s.interrupt(true)
				} else {
					s.end()
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(ch)
		close(done)
	}
}
