// Program updates changes variables in all places by operands of all forms, in
// the order in which compiled Go evaluates them.
package main

import (
	"fmt"
	"strings"
)

type inner struct {
	n int
	f float64
}

type model struct {
	n    int
	f    float64
	in   inner
	ptr  *inner
	w    []float64
	c    []int
	rows [][]float64
	arr  [3]int
	next *model
}

var (
	count int
	mean  = 2.0
	table = [4]int{1, 2, 3, 4}
	whole = model{n: 1, arr: [3]int{5, 6, 7}}
)

func newModel() *model {
	return &model{
		n: 7, f: 1.5, in: inner{2, 0.25}, ptr: &inner{3, 4.5}, w: []float64{1, 2, 3}, c: []int{4, 5, 6},
		rows: [][]float64{{1, 2}, {3, 4}}, arr: [3]int{1, 1, 2}, next: &model{n: 100, f: 0.5},
	}
}

func (m *model) String() string {
	return fmt.Sprint(m.n, m.f, m.in, *m.ptr, m.w, m.c, m.rows, m.arr, m.next.n, m.next.f)
}

// Small functions, which may become part of their callers.
func (m *model) add(k int)              { m.n += k * m.in.n }
func (m *model) scale(x float64)        { m.f *= x; m.in.f /= x }
func (m *model) learn(i int, e float64) { m.w[i] -= 0.5 * e * m.f }
func (m *model) hit(i int) int          { m.c[i]++; return m.c[i] }
func (m *model) total() (s float64) {
	for i := range m.w {
		s += m.w[i] * m.w[i]
	}
	return s
}
func bump(p *int) int { *p += 10; return *p }

func operands(m *model, k int, x float64) {
	m.n += k
	m.n -= 3
	m.n *= k + 1
	m.n /= m.in.n
	m.f += x
	m.f -= 0.5
	m.f *= x + m.in.f
	m.f /= m.ptr.f
	m.in.n += m.n
	m.in.f -= m.f * x
	m.ptr.n *= m.arr[1] + k
	m.ptr.f += m.w[k] * m.w[1]
	m.next.n -= m.c[k] - m.c[0]
	m.next.f += x*x + m.f*m.f
	for i := range m.w {
		m.w[i] += float64(i)
		m.w[i] *= x
		m.c[i] -= i * k
		m.arr[i] += m.c[i]
	}
	for i := range m.rows {
		for j := range m.rows[i] {
			m.rows[i][j] -= m.w[j] * m.rows[1][0]
			m.rows[i][j] /= 2
		}
	}
	fmt.Println(m)
}

func global(k int) {
	count += k
	count *= 3
	count -= count / 2
	mean /= float64(k)
	mean += mean * mean
	table[k] += table[k-1]
	table[1] -= k
	whole.n += whole.arr[k]
	whole.arr[k] *= whole.n
	fmt.Println(count, mean, table, whole.n, whole.arr)
}

func captured() {
	n, x := 1, 2.0
	s := []int{1, 2, 3}
	step := func(k int) int { n += k; return n }
	grow := func(y float64) { x *= y; x -= 1 }
	put := func(i, v int) { s[i] += v; n -= s[i] }
	for i := range 3 {
		step(i)
		grow(float64(i) + 0.5)
		put(i, step(2))
	}
	p, q := &n, &x
	*p += s[1]
	*q /= float64(*p)
	*p *= step(1)
	fmt.Println(n, x, s)
}

// effects has operands that change what is assigned to, or where it is.
func effects() {
	m := newModel()
	change := func() int { m.n = 1000; return 1 }
	m.n += change()
	fmt.Println(m.n)
	i := 0
	next := func() int { i++; return i }
	a := []int{10, 20, 30, 40}
	a[0] += next()
	a[next()] -= 7
	a[next()] *= next()
	fmt.Println(a, i)
	count = 5
	set := func() int { count = 100; return 2 }
	count *= set()
	count -= bump(&count)
	fmt.Println(count)
	p := &m.n
	*p += bump(p)
	fmt.Println(m.n)
}

// faults has assignments that panic, after other effects. The language leaves open
// whether a nil pointer or an index is detected before the call in the operand
// happens.
func faults() {
	var none *model
	m := newModel()
	log := []string{}
	note := func(k int) int { log = append(log, fmt.Sprint(k)); return k }
	zero := 0
	for i, f := range []func(){
		func() { none.n += 1 },
		func() { none.n += m.c[9] },
		func() { m.n /= zero },
		func() { m.n /= note(0) },
		func() { m.c[3] += 1 },
		func() { m.w[zero-1] *= 2 },
		func() { m.rows[2][0] += 1 },
		func() { m.rows[0][2] += m.f },
		func() { none.w[0] += 1 },
		func() { none.next.n++ },
		func() { m.next.next.n-- },
		func() { m.arr[zero+3] += 1 },
		func() { m.n += 5; m.c[zero+3] -= m.n },
		func() { m.add(note(4)); none.add(1) },
		func() { none.learn(0, 1) },
		func() { m.learn(3, 1) },
		func() { m.hit(-1 + zero) },
	} {
		func() {
			defer func() {
				fault, _, _ := strings.Cut(fmt.Sprint(recover()), " [")
				fmt.Println(i, fault, m.n, m.c, strings.Join(log, " "))
			}()
			f()
		}()
	}
}

// sums are loops over loads and products.
func sums(m *model) {
	a, b := []float64{1, 2, 3}, []float64{0.5, 0.25, 4}
	x := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	y := [][]float64{{7, 8, 9}, {1, 0, 1}}
	dot, norm, most := 0.0, 0.0, a[0]
	for i := range a {
		dot += a[i] * b[i]
		d := a[i] - b[i]
		norm = norm + d*d
		if a[i] > most {
			most = a[i]
		}
		if b[i] <= a[0] {
			most -= m.f
		}
		if m.f >= b[i] {
			dot = dot - m.f*d
		}
	}
	var z [3][3]float64
	for i := range x {
		for j := range y[0] {
			s := 0.0
			for k := range y {
				s += x[i][k] * y[k][j]
			}
			z[i][j] = s
		}
	}
	u, v := m.f, m.in.f
	p, q := u*u+v*v, u*v-u*u
	is, js := []int{5, 3, 9}, []int{1, 2, 3}
	k, eq := 0, 0
	for i := range is {
		k += is[i]*js[i] - is[i]*2
		k = k*m.n + js[i]
		if is[i] == k%10 || js[i] != m.n {
			eq++
		}
		if m.n < is[i] {
			eq += is[i] - m.n
		}
	}
	fmt.Println(dot, norm, most, z, p, q, k, eq, m.total())
}

func main() {
	operands(newModel(), 2, 1.25)
	global(2)
	global(1)
	captured()
	effects()
	faults()
	m := newModel()
	for i := range 3 {
		m.add(i)
		m.scale(float64(i) + 0.5)
		m.learn(i, m.f)
		fmt.Println(m.hit(i)+m.hit(2-i), m)
	}
	sums(m)
}
