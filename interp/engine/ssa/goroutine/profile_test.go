package goroutine

import (
	"testing"
)

func TestStacks(t *testing.T) {
	if !profileIsKnown() {
		t.Fatal("the profile of goroutines is not written as it is known")
	}
	var local Local
	local.Init("goroutine", "a \"test\"")
	ready, end := make(chan bool, 3), make(chan bool)
	for range 3 {
		go func() {
			SetLocal(&local)
			inProfile(ready, end)
		}()
	}
	for range 3 {
		<-ready
	}
	defer close(end)
	n := 0
	all, ok := Stacks("goroutine", "a \"test\"")
	for _, s := range all {
		n += s.N
	}
	if !ok || n != 3 {
		t.Errorf("%d goroutines have the label, want 3: %v", n, all)
	}
	if all, _ := Stacks("goroutine", "another"); len(all) != 0 {
		t.Errorf("goroutines with a label that none has: %v", all)
	}
}
