package decomp

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// WordVectors maps words that occur in similar contexts to nearby vectors.
//
//	PPMIᵢⱼ = max(0, log₂( Aᵢⱼ·ΣA / (Aᵢ·Aⱼ) ) − Shift),  PPMI ≈ U·S·Vᵀ,  word i: row i of U·S^Power
//
// Aᵢⱼ counts how often the words i and j occur in the same text, or within Window words of each
// other. Plain counts are dominated by words that occur everywhere; the positive pointwise mutual
// information, the default, is large for words that occur together more often than by chance.
//
// Cost: O(n·Window) for the counts, O(words²·Components) for the vectors.
//
// References: [Deerwester1990], [LevyGoldbergDagan2015].
// Course: DEC-09.
type WordVectors struct {
	// Components is the length of the vectors; 0 means 50, or fewer if there are fewer words.
	Components int
	// Window is the maximum distance, in words, at which two words count as occurring together; 0
	// means anywhere in the same text. A larger window finds words on the same subject; a smaller
	// window finds words used in the same way.
	Window int
	// MinCount is the minimum number of times that a word must occur; 0 means 1. A
	// larger value leaves rare words out.
	MinCount int
	// Counts uses the counts themselves instead of mutual information.
	Counts bool
	// Shift is subtracted from the mutual information, in bits.
	Shift float64
	// Power is the exponent of the singular values; 0 means ½, and model.Zero leaves U as it is. A
	// larger power gives the first directions more weight.
	Power float64
	// Seed is the seed of the decomposition of many words.
	Seed uint64

	Words    []string   // set by Learn: in alphabetical order
	Vectors  *mat.Dense // set by Learn: one word per row
	Singular []float64  // set by Learn
	Pairs    *mat.Dense // set by Learn: the counts A, if there are at most 200 words
}

// WordScore is a word with its cosine similarity.
type WordScore struct {
	Word   string
	Cosine float64
}

// Learn counts how often the words of the texts occur together, and finds the vectors of the words.
// Texts are split into words by [prep.Words].
func (w *WordVectors) Learn(texts []string) error {
	const op = "WordVectors.Learn"
	w.Words, w.Vectors, w.Singular, w.Pairs = nil, nil, nil, nil
	if len(texts) == 0 {
		return model.Errorf(op, "texts must not be empty")
	}
	least, err := model.Iterations(op, "MinCount", w.MinCount, 1)
	if err != nil {
		return err
	}
	power := model.Or(w.Power, 0.5)
	if err := limits.Check(op,
		limits.NotNegative("Window", w.Window),
		limits.NotNegative("Shift", w.Shift),
		limits.NotNegative("Power", power)); err != nil {
		return err
	}
	parts := make([][]string, len(texts))
	count := make(map[string]int)
	for i, t := range texts {
		parts[i] = prep.Words(t)
		for _, word := range parts[i] {
			count[word]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n < least })
	words := slices.Sorted(maps.Keys(count))
	if len(words) < 2 {
		return model.Errorf(op, "at least two words must occur %d times or more, got %d", least, len(words)).WithHint("pass more texts, or set a lower MinCount")
	}
	k, err := components(op, w.Components, 50, len(words))
	if err != nil {
		return err
	}
	index := make(map[string]int, len(words))
	for i, word := range words {
		index[word] = i
	}
	pairs := w.pairs(parts, index)
	a := pairs
	if !w.Counts {
		a = mutual(pairs, w.Shift)
	}
	var u *mat.Dense
	var s []float64
	ok := true
	if len(words) <= 300 {
		var v *mat.Dense
		u, s, v, ok = factored(mat.DenseCopyOf(a))
		if ok {
			turn(u, v)
			u, s = first(u, k), s[:k]
		}
	} else {
		u, s, _, ok = randomized(newSparse(a), k, 7, w.Seed)
	}
	if !ok {
		return notDecomposed(op)
	}
	for i := range words {
		row := u.RawRowView(i)
		for j := range row {
			row[j] *= math.Pow(s[j], power)
		}
	}
	w.Words, w.Vectors, w.Singular = words, u, s
	if len(words) <= 200 {
		w.Pairs = mat.DenseCopyOf(pairs)
	}
	return nil
}

// pairs counts for each pair of words how often they occur together.
func (w *WordVectors) pairs(parts [][]string, index map[string]int) *sparse.CSR {
	counts := make([]map[int]float64, len(index))
	for i := range counts {
		counts[i] = make(map[int]float64)
	}
	for _, words := range parts {
		at := make([]int, 0, len(words))
		for _, word := range words {
			if i, ok := index[word]; ok {
				at = append(at, i)
			}
		}
		for p, i := range at {
			last := len(at) - 1
			if w.Window > 0 {
				last = min(last, p+w.Window)
			}
			for q := p + 1; q <= last; q++ {
				counts[i][at[q]]++
				counts[at[q]][i]++
			}
		}
	}
	out := sparse.NewCSR(len(index))
	for _, row := range counts {
		at := slices.Sorted(maps.Keys(row))
		v := make([]float64, len(at))
		for e, j := range at {
			v[e] = row[j]
		}
		out.AppendRow(at, v)
	}
	return out
}

// mutual returns the positive pointwise mutual information of counts, minus a shift.
func mutual(pairs *sparse.CSR, shift float64) *sparse.CSR {
	n, _ := pairs.Dims()
	sums, total := make([]float64, n), 0.0
	for i := range n {
		_, v := pairs.Row(i)
		sums[i] = floats.Sum(v)
		total += sums[i]
	}
	out := sparse.NewCSR(n)
	for i := range n {
		at, v := pairs.Row(i)
		var to []int
		var bits []float64
		for e, j := range at {
			if b := math.Log2(v[e]*total/(sums[i]*sums[j])) - shift; b > 0 {
				to, bits = append(to, int(j)), append(bits, b)
			}
		}
		out.AppendRow(to, bits)
	}
	return out
}

// Vector returns the vector of a word, or nil for a word that was not learned.
func (w *WordVectors) Vector(word string) []float64 {
	if w.Vectors == nil {
		panic(model.NotFitted("WordVectors.Vector"))
	}
	i, ok := slices.BinarySearch(w.Words, word)
	if !ok {
		return nil
	}
	return slices.Clone(w.Vectors.RawRowView(i))
}

func (w *WordVectors) must(op string, words ...string) {
	if w.Vectors == nil {
		panic(model.NotFitted(op))
	}
	for _, word := range words {
		if _, ok := slices.BinarySearch(w.Words, word); !ok {
			panic(model.Errorf(op, "there is no word %q in the model", word).WithHint("use a word that the field Words lists"))
		}
	}
}

// Cosine returns the cosine of the angle between the vectors of two words.
func (w *WordVectors) Cosine(a, b string) float64 {
	w.must("WordVectors.Cosine", a, b)
	return cosine(w.Vector(a), w.Vector(b))
}

// Nearest returns the k words with the largest cosine to a word.
func (w *WordVectors) Nearest(word string, k int) []WordScore {
	w.must("WordVectors.Nearest", word)
	return w.near(w.Vector(word), k, word)
}

// Analogy returns the k words that are to c as b is to a: the words nearest to b − a + c, computed
// with unit vectors.
func (w *WordVectors) Analogy(a, b, c string, k int) []WordScore {
	w.must("WordVectors.Analogy", a, b, c)
	sum := make([]float64, len(w.Singular))
	for _, part := range []struct {
		word string
		sign float64
	}{{a, -1}, {b, 1}, {c, 1}} {
		v := w.Vector(part.word)
		if length := floats.Norm(v, 2); length > 0 {
			floats.AddScaled(sum, part.sign/length, v)
		}
	}
	return w.near(sum, k, a, b, c)
}

func (w *WordVectors) near(v []float64, k int, but ...string) []WordScore {
	var all []WordScore
	for i, word := range w.Words {
		if !slices.Contains(but, word) {
			all = append(all, WordScore{word, cosine(v, w.Vectors.RawRowView(i))})
		}
	}
	slices.SortStableFunc(all, func(a, b WordScore) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return all[:max(0, min(k, len(all)))]
}

// cosine returns the cosine of the angle, or 0 if a vector is zero.
func cosine(a, b []float64) float64 {
	la, lb := floats.Norm(a, 2), floats.Norm(b, 2)
	if la == 0 || lb == 0 {
		return 0
	}
	return linalg.Dot(a, b) / la / lb
}
