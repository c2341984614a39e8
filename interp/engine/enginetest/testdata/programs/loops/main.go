// Loops in the forms that an engine may run in one piece.
package main

import (
	"fmt"
	"math"
	"strings"
)

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			what, _, _ := strings.Cut(fmt.Sprint(r), " [") // the fallback engine omits the index
			fmt.Println(name, "panics:", what)
		}
	}()
	f()
}

func comparisons() {
	a := []int{}
	for i := 0; i < 5; i++ {
		a = append(a, i)
	}
	for i := 5; i > 0; i-- {
		a = append(a, i)
	}
	for i := 0; i <= 6; i += 3 {
		a = append(a, i)
	}
	for i := 9; i >= 0; i -= 4 {
		a = append(a, i)
	}
	for i := 0; i != 8; i += 2 {
		a = append(a, i)
	}
	fmt.Println(a)
}

func limitsThatMove() {
	n, step, trips := 10, 1, 0
	for i := 0; i < n; i += step {
		n--
		step++
		trips++
	}
	fmt.Println(n, step, trips)
	s := []int{1, 2, 3}
	for i := 0; i < len(s) && len(s) < 20; i++ {
		s = append(s, s[i])
	}
	fmt.Println(s)
	for i := 0; i < 10; i++ {
		i += i
		fmt.Print(i, " ")
	}
	fmt.Println()
}

func wrapsAround() {
	trips := 0
	for i := math.MaxInt - 2; i > 0; i++ {
		trips++
	}
	for i := math.MinInt + 2; i < 0; i-- {
		trips++
	}
	var u uint8 = 250
	for ; u >= 10; u++ {
		trips++
	}
	fmt.Println(trips, u)
}

func neverEntered() {
	s := 0
	for i := 3; i < 3; i++ {
		s++
	}
	for i := range 0 {
		s += i + 1
	}
	for range []int(nil) {
		s++
	}
	fmt.Println(s)
}

func nested() {
	grid := make([][]int, 4)
	for i := range grid {
		grid[i] = make([]int, 5)
		for j := range grid[i] {
			grid[i][j] = i * j
		}
	}
	sum := 0
outer:
	for i := 0; i < 4; i++ {
		for j := 0; j < 5; j++ {
			if grid[i][j] == 6 {
				continue outer
			}
			if grid[i][j] == 8 {
				break outer
			}
			sum += grid[i][j]
		}
	}
	fmt.Println(sum)
}

func closuresOfEachRound() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i *= 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
}

func inTheMiddle() {
	a, i := make([]bool, 10), 0
	try("a store behind the end", func() {
		for i = 2; i <= 20; i += 3 {
			a[i] = true
		}
	})
	fmt.Println(i, a)
	b := []int{3, 2, 1, 0}
	sum := 0
	try("a division", func() {
		for j := 0; j < len(b); j++ {
			sum += 6 / b[j]
		}
	})
	fmt.Println(sum)
	var p *[4]int
	try("a nil array", func() {
		for j := 0; j < 4; j++ {
			p[j] = j
		}
	})
	m := [][]float64{{1, 2}, {3}}
	x := 0.0
	try("a short row", func() {
		for j := 0; j < 2; j++ {
			for k := 0; k < 2; k++ {
				x += m[j][k]
			}
		}
	})
	fmt.Println(x)
}

func swaps() {
	a, b := 0, 1
	for i := 0; i < 50; i++ {
		a, b = b, a+b
	}
	fmt.Println(a, b)
	s := []int{1, 2, 3, 4, 5}
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	fmt.Println(s)
}

func main() {
	comparisons()
	limitsThatMove()
	wrapsAround()
	neverEntered()
	nested()
	closuresOfEachRound()
	inTheMiddle()
	swaps()
}
