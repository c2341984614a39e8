// heap, list, sort, slices and maps with declared types.
package main

import (
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
)

type item struct {
	name string
	prio int
	at   int
}

type queue []*item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].prio > q[j].prio }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].at, q[j].at = i, j }
func (q *queue) Push(x any)        { it := x.(*item); it.at = len(*q); *q = append(*q, it) }
func (q *queue) Pop() any {
	old := *q
	it := old[len(old)-1]
	*q = old[:len(old)-1]
	return it
}

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type person struct {
	name string
	age  int
}

type set[T comparable] map[T]struct{}

func (s set[T]) Add(v T)          { s[v] = struct{}{} }
func (s set[T]) All() iter.Seq[T] { return maps.Keys(s) }

func main() {
	q := &queue{}
	heap.Init(q)
	for i, n := range []string{"a", "b", "c", "d"} {
		heap.Push(q, &item{name: n, prio: (i * 7) % 5})
	}
	(*q)[len(*q)-1].prio = 10
	heap.Fix(q, len(*q)-1)
	for q.Len() > 0 {
		it := heap.Pop(q).(*item)
		fmt.Print(it.name, it.prio, " ")
	}
	fmt.Println()
	words := byLen{"ccc", "a", "bb", "dddd", ""}
	sort.Sort(sort.Reverse(words))
	fmt.Println(words, sort.IsSorted(words))
	sort.Stable(words)
	fmt.Printf("%q %d\n", words, sort.Search(len(words), func(i int) bool { return len(words[i]) >= 2 }))
	ps := []person{{"x", 3}, {"y", 1}, {"z", 3}, {"a", 2}}
	sort.Slice(ps, func(i, j int) bool { return ps[i].age < ps[j].age })
	fmt.Println(ps)
	slices.SortStableFunc(ps, func(a, b person) int {
		return cmp.Or(-cmp.Compare(a.age, b.age), strings.Compare(a.name, b.name))
	})
	fmt.Println(ps, slices.IndexFunc(ps, func(p person) bool { return p.age == 2 }), slices.Contains(ps, person{"y", 1}))
	i, ok := slices.BinarySearchFunc([]int{1, 3, 5}, 3, cmp.Compare[int])
	fmt.Println(i, ok, slices.Max([]string{"b", "c", "a"}), min(2, 1.5))
	s := set[person]{}
	s.Add(person{"q", 1})
	s.Add(person{"q", 1})
	s.Add(person{"r", 1})
	fmt.Println(len(s), slices.SortedFunc(s.All(), func(a, b person) int { return strings.Compare(a.name, b.name) }))
	m := map[string][]person{"one": {{"x", 1}}, "two": nil}
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Collect(slices.Values(ps)))
	for c := range slices.Chunk([]int{1, 2, 3, 4, 5}, 2) {
		fmt.Print(c)
	}
	for i, v := range slices.Backward(ps) {
		fmt.Print(i, v.name)
	}
	fmt.Println()
	l := list.New()
	l.PushBack(person{"l", 1})
	l.PushFront(&item{name: "front"})
	for e := l.Front(); e != nil; e = e.Next() {
		switch v := e.Value.(type) {
		case person:
			fmt.Println("person", v)
		case *item:
			fmt.Println("item", v.name)
		}
	}
	r := ring.New(3)
	for i := range 3 {
		r.Value = person{fmt.Sprint(i), i}
		r = r.Next()
	}
	r.Do(func(v any) { fmt.Print(v.(person).name, " ") })
	fmt.Println()
	next, stop := iter.Pull(slices.Values([]string{"p", "q"}))
	a, ok1 := next()
	b, ok2 := next()
	_, ok3 := next()
	stop()
	fmt.Println(a, ok1, b, ok2, ok3)
	clone := maps.Clone(m)
	delete(clone, "one")
	fmt.Println(len(m), len(clone), maps.Equal(map[person]int{{"a", 1}: 2}, map[person]int{{"a", 1}: 2}))
}
