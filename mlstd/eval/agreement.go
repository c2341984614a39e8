package eval

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ContingencyTable holds the number of rows for each combination of a class and a cluster.
//
// Course: CLU-08.
type ContingencyTable struct {
	// Classes and Clusters are the labels of the first and the second grouping, in ascending order.
	Classes, Clusters []int
	// Counts has a row for each class and a column for each cluster.
	Counts [][]int
}

// Contingency counts the rows of each class of y in each cluster.
//
// Course: CLU-08.
func Contingency(y, labels []int) *ContingencyTable {
	mustPair("Contingency", len(y), len(labels))
	t := &ContingencyTable{}
	var rows, cols []int
	t.Classes, rows = model.Classes(y)
	t.Clusters, cols = model.Classes(labels)
	t.Counts = make([][]int, len(t.Classes))
	for i := range t.Counts {
		t.Counts[i] = make([]int, len(t.Clusters))
	}
	for i, r := range rows {
		t.Counts[r][cols[i]]++
	}
	return t
}

// sums returns the number of rows in each class, in each cluster, and in total.
func (t *ContingencyTable) sums() (a, b []float64, n float64) {
	a, b = make([]float64, len(t.Classes)), make([]float64, len(t.Clusters))
	for i, row := range t.Counts {
		for j, c := range row {
			a[i] += float64(c)
			b[j] += float64(c)
			n += float64(c)
		}
	}
	return a, b, n
}

// pairsTogether counts ordered pairs of rows. It returns how many are together in both groupings,
// in y, and in the labels, and how many pairs there are.
func (t *ContingencyTable) pairsTogether() (both, y, labels, all float64) {
	a, b, n := t.sums()
	for _, row := range t.Counts {
		for _, c := range row {
			both += float64(c) * (float64(c) - 1)
		}
	}
	for _, v := range a {
		y += v * (v - 1)
	}
	for _, v := range b {
		labels += v * (v - 1)
	}
	return both, y, labels, n * (n - 1)
}

// RandIndex is the fraction of pairs of rows on which the groupings agree: the two rows are in the
// same group in both groupings, or in different groups in both. It is 1 for a single row.
//
// References: [Rand1971]. Course: CLU-08.
func RandIndex(y, labels []int) float64 {
	both, a, b, all := Contingency(y, labels).pairsTogether()
	if all == 0 {
		return 1
	}
	return (all + 2*both - a - b) / all
}

// AdjustedRandIndex is the Rand index adjusted for chance: its expected value for random labels is
// 0, and 1 is perfect agreement,
//
//	ARI = (RI − E[RI]) / (max RI − E[RI])
//
// It can be negative. It is 1 when both groupings have a single group, or both have one group per
// row.
//
// References: [HubertArabie1985]. Course: CLU-08.
func AdjustedRandIndex(y, labels []int) float64 {
	both, a, b, all := Contingency(y, labels).pairsTogether()
	if a == both && b == both {
		return 1
	}
	expected := a * b / all
	return (both - expected) / ((a+b)/2 - expected)
}

// entropy returns the entropy, in nats, of a grouping with the given counts.
func entropy(counts []float64) float64 {
	n, h := floats.Sum(counts), 0.0
	for _, c := range counts {
		if c > 0 {
			h -= c / n * math.Log(c/n)
		}
	}
	return max(0, h)
}

// mutual returns the mutual information of the table in nats.
func (t *ContingencyTable) mutual() float64 {
	a, b, n := t.sums()
	s := 0.0
	for i, row := range t.Counts {
		for j, c := range row {
			if c > 0 {
				v := float64(c)
				s += v / n * (math.Log(v*n) - math.Log(a[i]*b[j]))
			}
		}
	}
	return max(0, s)
}

// ClusterInformation is the mutual information of two groupings in nats: how much information one
// grouping contains about the other,
//
//	I = Σ p(a, b)·ln(p(a, b) / (p(a)·p(b)))
//
// It grows with the number of clusters, even for random clusters: see [AdjustedMutualInformation].
//
// Course: CLU-08.
func ClusterInformation(y, labels []int) float64 { return Contingency(y, labels).mutual() }

// NormalizedClusterInformation is [ClusterInformation] divided by the mean of the two entropies. It
// is between 0 and 1. It is 1 when both groupings have a single group.
//
// Course: CLU-08.
func NormalizedClusterInformation(y, labels []int) float64 {
	t := Contingency(y, labels)
	if len(t.Classes) == 1 && len(t.Clusters) == 1 {
		return 1
	}
	a, b, _ := t.sums()
	i, h := t.mutual(), (entropy(a)+entropy(b))/2
	if i == 0 || h == 0 {
		return 0
	}
	return i / h
}

// AdjustedMutualInformation is [ClusterInformation] adjusted for chance: its expected value for
// random labels is 0, and 1 is perfect agreement,
//
//	AMI = (I − E[I]) / ((H(y) + H(labels))/2 − E[I])
//
// where the expectation is over all groupings with clusters of these sizes.
//
// Cost: O(n·(K + L)) for K classes and L clusters.
//
// References: [VinhEppsBailey2010]. Course: CLU-08.
func AdjustedMutualInformation(y, labels []int) float64 {
	t := Contingency(y, labels)
	if len(t.Classes) == len(t.Clusters) && (len(t.Classes) == 1 || len(t.Classes) == len(y)) {
		return 1
	}
	a, b, n := t.sums()
	expected := expectedInformation(a, b, n)
	from, to := t.mutual()-expected, (entropy(a)+entropy(b))/2-expected
	if math.Abs(to) < 1e-15 {
		to = math.Copysign(1e-15, to)
	}
	return from / to
}

// expectedInformation is the expected mutual information of random groupings with groups of sizes a
// and b. The number of rows that two groups share is hypergeometric.
func expectedInformation(a, b []float64, n float64) float64 {
	logs := make([]float64, int(n)+1) // ln k!
	for k := 2; k < len(logs); k++ {
		logs[k] = logs[k-1] + math.Log(float64(k))
	}
	f := func(v float64) float64 { return logs[int(v)] }
	s := 0.0
	for _, p := range a {
		for _, q := range b {
			all := f(p) + f(q) + f(n-p) + f(n-q) - f(n)
			for c := max(1, p+q-n); c <= min(p, q); c++ {
				probability := math.Exp(all - f(c) - f(p-c) - f(q-c) - f(n-p-q+c))
				s += c / n * math.Log(n*c/(p*q)) * probability
			}
		}
	}
	return s
}

// Homogeneity is 1 when every cluster has rows of one class only,
//
//	h = 1 − H(y | labels) / H(y)
//
// and 1 when there is one class.
//
// References: [RosenbergHirschberg2007]. Course: CLU-08.
func Homogeneity(y, labels []int) float64 {
	t := Contingency(y, labels)
	a, _, _ := t.sums()
	h := entropy(a)
	if h == 0 {
		return 1
	}
	return t.mutual() / h
}

// Completeness is 1 when all rows of a class are in the same cluster,
//
//	c = 1 − H(labels | y) / H(labels)
//
// and 1 when there is one cluster.
//
// References: [RosenbergHirschberg2007]. Course: CLU-08.
func Completeness(y, labels []int) float64 { return Homogeneity(labels, y) }

// VMeasure is the harmonic mean of [Homogeneity] and [Completeness]. It equals the mutual
// information divided by the mean of the two entropies, as does ml.NormalizedMutualInformation.
//
// References: [RosenbergHirschberg2007]. Course: CLU-08.
func VMeasure(y, labels []int) float64 {
	return FMeasure(Homogeneity(y, labels), Completeness(y, labels))
}

// FowlkesMallows is the geometric mean of precision and recall over pairs of rows,
//
//	FM = TP / √((TP + FP)·(TP + FN))
//
// where TP counts pairs that are together in both groupings. It is 0 when there is no such pair.
//
// References: [FowlkesMallows1983]. Course: CLU-08.
func FowlkesMallows(y, labels []int) float64 {
	both, a, b, _ := Contingency(y, labels).pairsTogether()
	if both == 0 {
		return 0
	}
	return math.Sqrt(both/a) * math.Sqrt(both/b)
}

// Purity is the fraction of rows that belong to the most frequent class of their
// cluster. It is 1 when every row is a cluster of its own.
//
// References: [ManningEtAl2008]. Course: CLU-08.
func Purity(y, labels []int) float64 {
	t := Contingency(y, labels)
	right := 0
	for j := range t.Clusters {
		most := 0
		for i := range t.Classes {
			most = max(most, t.Counts[i][j])
		}
		right += most
	}
	return ratio(right, len(y))
}
