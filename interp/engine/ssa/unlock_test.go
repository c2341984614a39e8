package ssa_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// Unlocking an unlocked lock ends the cell, not the process, with Go's message at the position of
// the call.
func TestUnlockOfUnlocked(t *testing.T) {
	const (
		mutex    = "fatal error: sync: unlock of unlocked mutex"
		write    = "fatal error: sync: Unlock of unlocked RWMutex"
		read     = "fatal error: sync: RUnlock of unlocked RWMutex"
		anywhere = `import "sync"; var kept = 7; `
	)
	for name, c := range map[string]struct{ src, want string }{
		"mutex":            {`func main() { var m sync.Mutex; m.Unlock() }`, mutex},
		"twice":            {`func main() { var m sync.Mutex; m.Lock(); m.Unlock(); m.Unlock() }`, mutex},
		"deferred":         {`func main() { var m sync.Mutex; m.Lock(); defer m.Unlock(); m.Unlock() }`, mutex},
		"embedded":         {`type T struct { n int; sync.Mutex }; func main() { var x T; x.Unlock() }`, mutex},
		"locker":           {`func main() { var l sync.Locker = new(sync.Mutex); l.Unlock() }`, mutex},
		"method value":     {`func main() { var m sync.Mutex; f := m.Unlock; f() }`, mutex},
		"method expr":      {`func main() { (*sync.Mutex).Unlock(new(sync.Mutex)) }`, mutex},
		"called back":      {`func main() { var m sync.Mutex; new(sync.Once).Do(m.Unlock) }`, mutex},
		"not recoverable":  {`func main() { defer func() { print(recover() == nil) }(); var m sync.Mutex; m.Unlock() }`, mutex},
		"copied":           {`func main() { var m sync.Mutex; n := m; m.Lock(); n.Unlock() }`, mutex},
		"condition":        {`func main() { sync.NewCond(new(sync.Mutex)).Wait() }`, mutex},
		"condition of RW":  {`func main() { sync.NewCond(new(sync.RWMutex)).Wait() }`, write},
		"RW":               {`func main() { var m sync.RWMutex; m.Unlock() }`, write},
		"RW, read locked":  {`func main() { var m sync.RWMutex; m.RLock(); m.Unlock() }`, write},
		"RW, read":         {`func main() { var m sync.RWMutex; m.RUnlock() }`, read},
		"RW, read twice":   {`func main() { var m sync.RWMutex; m.RLock(); m.RUnlock(); m.RUnlock() }`, read},
		"RW, write locked": {`func main() { var m sync.RWMutex; m.Lock(); m.RUnlock() }`, read},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			_, err := s.run(t.Context(), anywhere+c.src)
			var p *engine.Panic
			if !errors.As(err, &p) || p.Error() != c.want || !p.Fatal {
				t.Fatalf("error is %v, want %s", err, c.want)
			}
			if len(p.Stack) == 0 || p.Stack[len(p.Stack)-1].Func != "main" || !strings.HasPrefix(p.Stack[0].Pos.String(), "cell [1]:1:") {
				t.Errorf("stack is %v, want main at line 1", p.Stack)
			}
			s.want(`func main() { print(kept) }`, "7")
		})
	}
}

// An unlock of an unlocked lock in a goroutine is reported.
func TestUnlockOfUnlockedInGoroutines(t *testing.T) {
	for _, src := range []string{
		`func main() { go func() { m.Unlock() }() }`,
		`func main() { go m.Unlock() }`,
		`import "time"; func main() { time.AfterFunc(1, m.Unlock) }`,
		`import "sync"; func main() { new(sync.WaitGroup).Go(m.Unlock) }`,
	} {
		told := make(chan *engine.Panic, 1)
		s := newSession(t, engine.Hooks{GoPanic: func(_ int, p *engine.Panic) { told <- p }})
		s.want(`import "sync"; var m sync.Mutex`, "")
		s.want(src, "")
		if p := <-told; p.Error() != "fatal error: sync: unlock of unlocked mutex" {
			t.Errorf("%s: told %v", src, p)
		}
	}
}

// Locks that many goroutines hold in turn behave as in Go.
func TestLocksUnderLoad(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import "sync"
func main() {
	var m sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	c := sync.NewCond(&m)
	n, turn := 0, 0
	for i := range 8 {
		wg.Go(func() {
			for range 500 {
				m.Lock()
				n++
				m.Unlock()
				rw.RLock()
				_ = turn
				rw.RUnlock()
				rw.Lock()
				turn++
				rw.Unlock()
			}
			m.Lock()
			for n < 4000 && i > 0 {
				c.Wait()
			}
			m.Unlock()
			c.Broadcast()
		})
	}
	wg.Wait()
	print(n, " ", turn)
}`, "4000 4000")
}
