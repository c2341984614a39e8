package goroutine

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Stack is a stack that N goroutines have.
type Stack struct {
	N         int
	Functions []string // as the runtime names them, innermost first
}

// Stacks returns the stacks of the goroutines to which a Local with this label is attached. Its
// only source is the runtime's goroutine profile. It returns false if the profile does not have the
// known format.
func Stacks(key, value string) ([]Stack, bool) {
	if !profileIsKnown() {
		return nil, false
	}
	return stacks(key, value), true
}

func stacks(key, value string) []Stack {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return nil
	}
	label := fmt.Appendf(nil, "# labels: {%q:%q}", key, value)
	var all []Stack
	group, ours := 0, false
	for line := range bytes.Lines(profile.Bytes()) {
		if count, _, ok := bytes.Cut(line, []byte(" @")); ok {
			group, _ = strconv.Atoi(string(count))
			ours = false
		} else if bytes.HasPrefix(line, label) {
			all = append(all, Stack{N: group})
			ours = true
		} else if ours {
			// "#	0x47b2e5	sync.(*Mutex).Lock+0x25	/usr/lib/go/src/sync/mutex.go:46"
			if fields := bytes.Fields(line); len(fields) > 2 {
				name, _, _ := bytes.Cut(fields[2], []byte("+0x"))
				last := &all[len(all)-1]
				last.Functions = append(last.Functions, string(name))
			}
		}
	}
	return all
}

// profileIsKnown reports whether the profile has the known format. It starts two goroutines, one of
// which inherits its label, and looks for both in the profile.
var profileIsKnown = sync.OnceValue(func() bool {
	const key, value = "goroutine", "profile"
	var local Local
	local.Init(key, value)
	ready, end := make(chan bool, 2), make(chan bool)
	go func() {
		SetLocal(&local)
		go inProfile(ready, end)
		inProfile(ready, end)
	}()
	<-ready
	<-ready
	defer close(end)
	n := 0
	for _, s := range stacks(key, value) {
		if !slices.ContainsFunc(s.Functions, func(f string) bool { return strings.HasSuffix(f, "goroutine.inProfile") }) {
			return false
		}
		n += s.N
	}
	return n == 2
})

//go:noinline
func inProfile(ready, end chan bool) {
	ready <- true
	<-end
}
