package fault

import (
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
)

// What to do about the faults that Go's runtime, package sync and gonum tell of in
// words that begin so.
var advices = []struct{ words, advice string }{
	{"invalid memory address or nil pointer dereference", "something here is nil: set it first, p := &T{...}, or ask whether p != nil"},
	{"assignment to entry in nil map", "a map is made before it is written to: m := map[string]int{}"},
	{"slice bounds out of range", "xs[i:j] needs 0 <= i <= j <= len(xs)"},
	{"integer divide by zero", "ask whether the divisor is 0 first"},
	{"interface conversion:", "v, ok := x.(T) asks for the type; a type switch deals with several"},
	{"all goroutines are asleep", "a send waits for a receiver in another goroutine, a range over a channel for its close, Wait for every Done"},
	{"close of nil channel", "make(chan T) makes a channel"},
	{"close of closed channel", "a channel is closed once, by the one who sends"},
	{"send on closed channel", "a channel is closed when nobody sends any more"},
	{"sync: negative WaitGroup counter", "wg.Add(1) comes before each wg.Done(); wg.Go(f) does both"},
	{"sync: unlock of unlocked mutex", "each Unlock needs a Lock before it"},
	{"sync: Unlock of unlocked RWMutex", "Unlock goes with Lock, RUnlock with RLock"},
	{"sync: RUnlock of unlocked RWMutex", "Unlock goes with Lock, RUnlock with RLock"},
	{"mat: dimension mismatch", "the shapes do not fit: Dims tells them, and NewDense(r, c, data) needs r*c numbers"},
	{"mat: row index out of range", "indices begin at 0; Dims tells how many rows and columns there are"},
	{"mat: column index out of range", "indices begin at 0; Dims tells how many rows and columns there are"},
	{"hash of unhashable type", "keys of maps are compared with ==, which slices, maps and functions have not: make text of them"},
}

var outOfRange = pattern.New(`^runtime error: index out of range \[(-?\d+)\](?: with length (\d+))?$`)

// advice says what to do about a panic with this text; it is empty when there is
// nothing to say.
func advice(text string) string {
	if m := outOfRange.FindStringSubmatch(text); m != nil {
		i, _ := strconv.Atoi(m[1])
		n, _ := strconv.Atoi(m[2])
		switch {
		case i < 0:
			return "indices begin at 0: xs[len(xs)-1] is the last element"
		case n == 0:
			return "it is empty: append makes it longer, and make([]T, n) gives it n elements"
		case i == n:
			return "indices begin at 0: the last one is len(xs)-1, here " + strconv.Itoa(n-1)
		}
		return "the indices go from 0 to " + strconv.Itoa(n-1)
	}
	text = strings.TrimPrefix(text, "runtime error: ")
	for _, a := range advices {
		if strings.HasPrefix(text, a.words) {
			return a.advice
		}
	}
	return ""
}
