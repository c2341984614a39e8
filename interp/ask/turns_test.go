package ask

import (
	"errors"
	"testing"
)

// TestCellEndsWhileTwoGoroutinesRead ends a cell while one goroutine waits for a line and another
// for its turn.
func TestCellEndsWhileTwoGoroutinesRead(t *testing.T) {
	asked, withdrawn := make(chan bool, 2), make(chan bool)
	errWithdrawn := errors.New("withdrawn")
	SetHandler(func(string, bool) (string, error) {
		asked <- true
		<-withdrawn
		return "", errWithdrawn
	}, nil)
	t.Cleanup(func() { SetHandler(nil, nil) })
	ends := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := Stdin.Read(make([]byte, 8))
			ends <- err
		}()
	}
	<-asked
	SetHandler(nil, nil) // does not wait for the reader, and the reader does not wait for it
	close(withdrawn)
	for range 2 {
		// The second goroutine does not ask any more, unless its turn came before the cell ended.
		if err := <-ends; !errors.Is(err, errWithdrawn) && !errors.Is(err, ErrNobody) {
			t.Errorf("a reader of the cell that has ended: %v", err)
		}
	}
	SetHandler(func(string, bool) (string, error) { return "next", nil }, nil)
	b := make([]byte, 8)
	if n, err := Stdin.Read(b); string(b[:n]) != "next\n" || err != nil {
		t.Errorf("the next cell reads %q, %v", b[:n], err)
	}
}
