//go:build (linux || darwin) && (amd64 || arm64)

package ssa_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// Programs find the names of functions, methods that package reflect lists, method
// values and method expressions as the runtime gives them.
func TestNamesOfFuncValues(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import ("fmt"; "reflect"; "runtime"; "strings")
type T struct{ n int }
func (T) Value() {}
func (*T) Pointer() {}
type G[A any] struct{ a A }
func (*G[A]) Generic() {}
func plain() {}
func name(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }
func main() {
	x := &T{}
	fmt.Println(name(plain), name(x.Pointer), name(x.Value), name(T.Value), name((*T).Pointer), name((&G[int]{}).Generic))
	t := reflect.TypeOf(x)
	for i := range t.NumMethod() {
		pc := t.Method(i).Func.Pointer()
		file, line := runtime.FuncForPC(pc).FileLine(pc)
		fmt.Println(t.Method(i).Name, runtime.FuncForPC(pc).Name(), strings.HasPrefix(file, "cell [1]"), line)
	}
}`, `main.plain main.(*T).Pointer-fm main.T.Value-fm main.T.Value main.(*T).Pointer main.(*G[...]).Generic-fm
Pointer main.(*T).Pointer true 4
Value main.(*T).Value true 3`)
}
