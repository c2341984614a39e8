package goroutine

import (
	"testing"
	"time"
)

func TestWaits(t *testing.T) {
	if !headIsKnown() {
		t.Fatal("a runtime.g does not begin as it is known")
	}
	if Waits(ID()) {
		t.Error("the running goroutine waits")
	}
	id, end := make(chan uintptr), make(chan bool)
	go func() {
		id <- ID()
		<-end
	}()
	g := <-id
	for deadline := time.Now().Add(10 * time.Second); !Waits(g); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a goroutine that waits for a channel does not wait")
		}
	}
	close(end)
}
