package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Evaluator runs cells, one at a time, and answers queries about code, even while a cell runs. Its
// offsets are in bytes; the kernel converts offsets in code points to offsets in bytes.
type Evaluator interface {
	evaluator.Session
	// Interrupt stops the running cell. The first call asks the cell to stop. A second call, or a
	// cell that does not stop for a while, makes the session replace its process. Interrupt
	// returns immediately and does nothing when no cell runs.
	Interrupt()
}

// queryLimit bounds queries about code. A query that is never answered would block its queue
// forever, and no interrupt would reach it.
const queryLimit = 10 * time.Second

// query calls f, which queries the evaluator, with a timeout of queryLimit.
func query[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, queryLimit)
	defer cancel()
	v, err := f(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("kernel: the evaluator has not answered within %v: ask again, or restart the kernel", queryLimit)
	}
	return v, err
}
