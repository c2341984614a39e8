package machine

import (
	"math/bits"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// The runtime ends the process when the system denies it memory. The machine therefore asks the
// session before code allocates a large block.

const (
	// askFrom is the size in bytes from which the machine asks the session.
	askFrom = 64 << 20
	// askTo is the size from which the runtime itself panics with "len out of range".
	askTo = 1 << 47
)

// Room must be called before n elements of a size are allocated. It ends the goroutine if there is
// not enough memory for them.
func Room(n int, size uintptr) {
	if over, bytes := bits.Mul64(uint64(n), uint64(size)); over == 0 && bytes >= askFrom && bytes < askTo {
		room(bytes)
	}
}

func room(bytes uint64) {
	l := goroutine.GetLocal()
	if l == nil {
		return
	}
	hook := threadOf(l).Run.M.Hooks.Room
	if hook == nil {
		return
	}
	if err := hook(bytes); err != nil {
		End(engine.NoRoom{Err: err})
	}
}
