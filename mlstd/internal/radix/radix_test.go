package radix

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func() float64{
		"normal":  rng.NormFloat64,
		"levels":  func() float64 { return float64(rng.IntN(3) - 1) },
		"extreme": func() float64 { return math.Float64frombits(rng.Uint64()) },
		"same":    func() float64 { return 4 },
		"zeros":   func() float64 { return math.Copysign(0, rng.NormFloat64()) },
	}
	s := NewSorter(3000)
	for name, draw := range kinds {
		for _, n := range []int{0, 1, 2, few - 1, few, 3000} {
			v := make([]float64, n)
			for i := range v {
				v[i] = draw()
			}
			want := make([]int32, n)
			for i := range want {
				want[i] = int32(i)
			}
			sort.SliceStable(want, func(i, j int) bool {
				a, b := v[want[i]], v[want[j]]
				return a < b || (math.IsNaN(b) && !math.IsNaN(a))
			})
			if got := s.Order(v); !slices.Equal(got, want) {
				t.Errorf("%s, %d values: another order than a stable sort", name, n)
			}
		}
	}
}

func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := NewSorter(3000)
	for _, limit := range []uint64{1, 5, 1 << 20, math.MaxUint64} {
		for _, n := range []int{0, 1, 2, few - 1, few, 3000} {
			keys, ids, at := make([]uint64, n), make([]int32, n), make([]int, n)
			for i := range keys {
				keys[i], ids[i], at[i] = rng.Uint64N(limit), rng.Int32(), i
			}
			sort.SliceStable(at, func(i, j int) bool { return keys[at[i]] < keys[at[j]] })
			want := make([]int32, n)
			for i, k := range at {
				want[i] = ids[k]
			}
			if got := s.Sort(keys, ids); !slices.Equal(got, want) {
				t.Errorf("keys below %d, %d ids: another order than a stable sort", limit, n)
			}
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 100000)
	for i := range v {
		v[i] = rng.Float64()
	}
	s := NewSorter(len(v))
	b.ReportAllocs()
	for b.Loop() {
		s.Order(v)
	}
}
