// Command program uses the function tables in every way, except for line numbers.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	next  *node
	value int
}

func main() {
	var list *node
	for i := range 1000 {
		list = &node{list, i}
		if i%100 == 0 {
			runtime.GC()
		}
	}
	sum := 0
	for ; list != nil; list = list.next {
		sum += list.value
	}
	fmt.Println("sum", sum)
	fmt.Println("recovered", recovered([]int{1, 2, 3}, 5))
	fmt.Println("depth", depth(10_000, new(int)))
	fmt.Println(name())
}

func recovered(list []int, i int) (r any) {
	defer func() { r = recover() }()
	return list[i]
}

// depth needs a stack that is copied many times, with pointers into it.
func depth(n int, at *int) int {
	here := *at + 1
	if n == 1 {
		runtime.GC()
		return here
	}
	return depth(n-1, &here)
}

//go:noinline
func name() string {
	pc, _, _, _ := runtime.Caller(0)
	return runtime.FuncForPC(pc).Name()
}
