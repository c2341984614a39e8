package kernel

import (
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// ParentPID returns the process that Jupyter wants the kernel to end with, from
// the environment variable JPY_PARENT_PID, or 0. On Windows the variable holds
// a handle, which is not watched.
func ParentPID() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	pid, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

// parentPoll is how often the parent is looked for.
const parentPoll = time.Second

// watchParent ends the server when the parent process has gone. When the
// configured one is not the real parent, as under a shell, being handed to
// process 1 is the sign.
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

// handleSignals makes SIGINT an interrupt and SIGTERM a shutdown. Asking for
// SIGINT matters also where it is ignored, as in background jobs of shells.
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
