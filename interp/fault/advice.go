package fault

import (
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
)

// Hints for panics of Go's runtime, package sync and gonum whose messages begin with these words.
var advices = []struct{ words, advice string }{
	{"invalid memory address or nil pointer dereference", "a nil pointer was used: assign it first, as in ‹p := &T{A: 1}›, or check p != nil"},
	{"assignment to entry in nil map", "make the map before you write to it: ‹m := map[string]int{}›"},
	{"slice bounds out of range", "choose the bounds of xs[i:j] so that 0 <= i <= j <= len(xs)"},
	{"integer divide by zero", "check that the divisor is not 0 first"},
	{"interface conversion:", "check the type with ‹v, ok := holder.(float64)›; for several types, use a type switch"},
	{"all goroutines are asleep", "a send waits for a receiver in another goroutine, a range over a channel waits until the channel is closed, and Wait waits for every Done"},
	{"close of nil channel", "make the channel first: ‹ch := make(chan int)›"},
	{"close of closed channel", "close a channel only once, in the code that sends to it"},
	{"send on closed channel", "close a channel after the last send"},
	{"sync: negative WaitGroup counter", "call wg.Add(1) before each wg.Done(), or start the goroutine with wg.Go, which does both"},
	{"sync: unlock of unlocked mutex", "call Lock before each Unlock"},
	{"sync: Unlock of unlocked RWMutex", "call Unlock after Lock, and RUnlock after RLock"},
	{"sync: RUnlock of unlocked RWMutex", "call Unlock after Lock, and RUnlock after RLock"},
	{"mat: dimension mismatch", "check the shapes with Dims(); mat.NewDense(r, c, data) needs r*c numbers"},
	{"mat: row index out of range", "count from 0; Dims() returns the numbers of rows and columns"},
	{"mat: column index out of range", "count from 0; Dims() returns the numbers of rows and columns"},
	{"open ", "check the name of the file; !ls lists the folder of the notebook"},
	{"hash of unhashable type", "a key must be comparable with ==, which slices, maps and functions are not: use fmt.Sprint(key)"},
}

var outOfRange = pattern.New(`^runtime error: index out of range \[(-?\d+)\](?: with length (\d+))?$`)

// advice returns a hint for a panic with this text, or "" if there is none.
func advice(text string) string {
	if m := outOfRange().FindStringSubmatch(text); m != nil {
		i, _ := strconv.Atoi(m[1])
		n, _ := strconv.Atoi(m[2])
		switch {
		case i < 0:
			return "count from 0; the last element is ‹xs[len(xs)-1]›"
		case n == 0:
			return "it is empty: add elements with append, or make it with elements, as in ‹make([]float64, n)›"
		case i == n:
			return "count from 0: the last index is len(xs)-1, here " + strconv.Itoa(n-1)
		}
		return "the index must be between 0 and " + strconv.Itoa(n-1)
	}
	text = strings.TrimPrefix(text, "runtime error: ")
	for _, a := range advices {
		if strings.HasPrefix(text, a.words) {
			return a.advice
		}
	}
	return ""
}
