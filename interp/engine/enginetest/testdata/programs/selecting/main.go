// Program selecting chooses among channels, from several goroutines too.
package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
)

type E struct{ s string }

func (e E) Error() string { return e.s }

func main() {
	errs := make(chan error, 1)
	anys := make(chan any, 1)
	vals := make(chan E, 1)
	funcs := make(chan func() int, 1)
	for i := range 4 {
		select {
		case errs <- errors.New("x"):
		case anys <- "y":
		case vals <- E{"v"}:
		case funcs <- func() int { return 42 }:
		}
		_ = i
	}
	var lines []string
	for range 4 {
		select {
		case e, ok := <-errs:
			lines = append(lines, fmt.Sprint("errs ", e, ok))
		case a := <-anys:
			lines = append(lines, fmt.Sprint("anys ", a))
		case v := <-vals:
			lines = append(lines, fmt.Sprint("vals ", v.s))
		case f := <-funcs:
			lines = append(lines, fmt.Sprint("f ", f()))
		}
	}
	sort.Strings(lines)
	fmt.Println(lines)
	many()
L:
	for {
		select {
		case <-errs:
		default:
			break L
		}
	}
	var nilc chan int
	x := []int{1, 2}
	select {
	case x[1] = <-nilc:
	case nilc <- 2:
	default:
		fmt.Println("def", x)
	}
	c := make(chan int, 1)
	c <- 7
	select {
	case x[0] = <-c:
		if x[0] == 7 {
			break
		}
		fmt.Println("no")
	}
	fmt.Println(x)
	close(c)
	var ok bool
	select {
	case x[1], ok = <-c:
	}
	fmt.Println(x, ok)
}

// many has goroutines wait in one select.
func many() {
	var wg sync.WaitGroup
	numbers, quit := make(chan int), make(chan struct{})
	sums := make(chan int, 8)
	for i := range 8 {
		wg.Go(func() {
			sum := 0
			for {
				select {
				case n := <-numbers:
					sum += n + i - i
				case <-quit:
					sums <- sum
					return
				}
			}
		})
	}
	for n := range 200 {
		numbers <- n
	}
	close(quit)
	wg.Wait()
	total := 0
	for range 8 {
		total += <-sums
	}
	fmt.Println(total)
}
