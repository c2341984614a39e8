package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Evaluator runs cells, one at a time, and answers questions about code, also
// while a cell runs. The kernel converts code points to bytes.
type Evaluator interface {
	evaluator.Session
	// Interrupt stops the running cell: softly at first; a second call, or
	// nothing yielding for a while, replaces the evaluator behind the session.
	// It returns at once and does nothing when no cell runs.
	Interrupt()
}

// questionLimit bounds questions about code: behind one that is never answered
// the channel would wait for ever, and no interrupt reaches it.
const questionLimit = 10 * time.Second

// question calls f, which asks the evaluator, for no longer than questionLimit.
func question[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, questionLimit)
	defer cancel()
	v, err := f(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("kernel: the evaluator has not answered within %v: ask again, or restart the kernel", questionLimit)
	}
	return v, err
}
