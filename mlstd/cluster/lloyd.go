package cluster

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// lloyd is the state of the steps of k-means.
type lloyd struct {
	x       *mat.Dense
	n, cols int
	points  *linalg.Points // nil with bounds
	bounds  *hamerly       // nil without
	shift   []float64      // the means of the columns
	spread  float64        // the sum of their variances

	k        int
	labels   []int32
	before   []int32   // the labels to which sums and counts belong
	centers  []float64 // rows of cols
	loss     float64   // of the labels and the centers
	reseeded int
	sums     []float64 // of the rows of each cluster, after subtracting shift from each row
	counts   []int
	parts    []part
	grain    int
}

// fewNumbers is the maximum number of values of the centers that Trace stores for each step.
const fewNumbers = 64

// part is the contribution of one chunk of rows to the sums.
type part struct {
	sums   []float64
	counts []int
	loss   float64
}

// parts is the maximum number of chunks in which the rows are added up.
const parts = 16

func newLloyd(x *mat.Dense, k int, by KMeansAlgorithm) *lloyd {
	n, cols := x.Dims()
	s := &lloyd{x: x, n: n, cols: cols, k: k, labels: make([]int32, n), before: make([]int32, n)}
	s.grain = max(1024, (n+parts-1)/parts)
	s.parts = make([]part, (n+s.grain-1)/s.grain)
	for i := range s.parts {
		s.parts[i] = part{sums: make([]float64, max(k, 2)*cols), counts: make([]int, k)}
	}
	s.sums, s.counts = make([]float64, k*cols), make([]int, k)
	s.moments()
	if by == HamerlyKMeans {
		s.bounds = new(hamerly)
	} else {
		s.points = linalg.PackPoints(x.RawMatrix().Data, n, cols, s.shift)
	}
	return s
}

// moments computes the means of the columns and the sum of their variances.
func (s *lloyd) moments() {
	first := s.x.RawRowView(0)
	s.eachPart(func(lo, hi int, p *part) {
		sum, square := p.sums[:s.cols], p.sums[s.cols:2*s.cols]
		clear(sum)
		clear(square)
		for i := lo; i < hi; i++ {
			for j, v := range s.x.RawRowView(i) {
				v -= first[j]
				sum[j] += v
				square[j] += v * v
			}
		}
	})
	sum, square := make([]float64, s.cols), make([]float64, s.cols)
	for _, p := range s.parts {
		floats.Add(sum, p.sums[:s.cols])
		floats.Add(square, p.sums[s.cols:2*s.cols])
	}
	s.shift = make([]float64, s.cols)
	for j, v := range sum {
		mean := v / float64(s.n)
		s.shift[j] = first[j] + mean
		s.spread += max(0, square[j]/float64(s.n)-mean*mean)
	}
}

// eachPart calls f with every chunk of rows and the part for its sums.
func (s *lloyd) eachPart(f func(lo, hi int, p *part)) {
	par.Range(s.n, s.grain, func(lo, hi int) { f(lo, hi, &s.parts[lo/s.grain]) })
}

// begin sets the initial centers.
func (s *lloyd) begin(centers *mat.Dense) {
	s.k, _ = centers.Dims()
	s.centers = append(s.centers[:0], mat.DenseCopyOf(centers).RawMatrix().Data...)
	s.reseeded = 0
	for i := range s.labels {
		s.labels[i] = -1
	}
	if s.bounds != nil {
		s.bounds.before = s.bounds.before[:0]
	}
}

// fewDigits is a fraction of the sum of squares about the mean. A loss below it is not computed as
// a difference of sums, which would lose digits.
const fewDigits = 1e-4

// assign finds the nearest centers and the loss, and returns the number of labels
// that changed.
func (s *lloyd) assign() (changed int) {
	if s.bounds != nil {
		changed, s.loss = s.bounds.assign(s)
		return changed
	}
	changed, s.loss = s.points.Nearest(s.labels, s.centers, s.k)
	square := s.spread * float64(s.n)
	if s.loss += square; s.loss < fewDigits*square {
		s.measure()
	}
	return changed
}

// fit makes steps until no label changes, the centers move by at most tol, or maxIter steps have
// been made. The labels at the end belong to the final centers.
func (s *lloyd) fit(maxIter int, tol float64, step func(loss float64) error) (trace model.Trace, err error) {
	for settled := false; ; {
		changed := s.assign()
		trace.Loss = append(trace.Loss, s.loss)
		if at := s.centers[:s.k*s.cols]; len(at) <= fewNumbers {
			trace.Weights = append(trace.Weights, slices.Clone(at))
		}
		if err := step(s.loss); err != nil {
			return trace, err
		}
		if changed == 0 || settled {
			trace.Converged = true
			trace.Step = append(trace.Step, 0)
			break
		}
		if len(trace.Loss) > maxIter {
			trace.Step = append(trace.Step, 0)
			break
		}
		s.addUp(changed)
		moved := s.move()
		trace.Step = append(trace.Step, math.Sqrt(moved))
		settled = moved <= tol
	}
	s.sharpen()
	s.measure()
	trace.Loss[len(trace.Loss)-1] = s.loss
	s.dropEmpty()
	return trace, nil
}

// sharpen removes the rounding error between the centers and the means of their rows. The sums are
// about the mean of all rows, which may be far away.
func (s *lloyd) sharpen() {
	s.eachPart(func(lo, hi int, p *part) {
		clear(p.sums)
		clear(p.counts)
		for i := lo; i < hi; i++ {
			own := int(s.before[i])
			p.add(s.x.RawRowView(i), s.centers[own*s.cols:(own+1)*s.cols], own)
		}
	})
	clear(s.sums)
	clear(s.counts)
	s.collect()
	for c := range s.k {
		if n := s.counts[c]; n > 0 {
			floats.AddScaled(s.centers[c*s.cols:(c+1)*s.cols], 1/float64(n), s.sums[c*s.cols:(c+1)*s.cols])
		}
	}
}

// measure computes the loss from the differences of the rows from their centers, and
// counts the rows of the clusters.
func (s *lloyd) measure() {
	s.eachPart(func(lo, hi int, p *part) {
		clear(p.counts)
		p.loss = 0
		for i := lo; i < hi; i++ {
			own := int(s.labels[i])
			p.counts[own]++
			p.loss += squared(s.x.RawRowView(i), s.centers[own*s.cols:(own+1)*s.cols])
		}
	})
	clear(s.counts)
	s.loss = 0
	for _, p := range s.parts {
		for c, v := range p.counts[:s.k] {
			s.counts[c] += v
		}
		s.loss += p.loss
	}
}

// addUp updates the sums and sizes of the clusters from the previous labels to the current ones. It
// goes row by row if few labels have changed, as in most steps, and otherwise recomputes them.
func (s *lloyd) addUp(changed int) {
	anew := changed > s.n/8
	s.eachPart(func(lo, hi int, p *part) {
		clear(p.sums)
		clear(p.counts)
		before, labels := s.before[lo:hi], s.labels[lo:hi]
		for i, to := range labels {
			from := before[i]
			if !anew {
				if from == to {
					continue
				}
				p.drop(s.x.RawRowView(lo+i), s.shift, int(from))
			}
			p.add(s.x.RawRowView(lo+i), s.shift, int(to))
		}
		copy(before, labels)
	})
	if anew {
		clear(s.sums)
		clear(s.counts)
	}
	s.collect()
}

// collect adds the parts to the sums and counts.
func (s *lloyd) collect() {
	for _, p := range s.parts {
		floats.Add(s.sums[:s.k*s.cols], p.sums[:s.k*s.cols])
		for c, v := range p.counts[:s.k] {
			s.counts[c] += v
		}
	}
}

// add adds a row to cluster c, as its difference from a point.
func (p *part) add(row, from []float64, c int) {
	p.counts[c]++
	sum := p.sums[c*len(row) : (c+1)*len(row)]
	from = from[:len(row)]
	for j, v := range row {
		sum[j] += v - from[j]
	}
}

// drop removes a row that add has added.
func (p *part) drop(row, from []float64, c int) {
	p.counts[c]--
	sum := p.sums[c*len(row) : (c+1)*len(row)]
	from = from[:len(row)]
	for j, v := range row {
		sum[j] -= v - from[j]
	}
}

// move brings each center to the mean of its rows, and returns the sum of the
// squared distances.
func (s *lloyd) move() float64 {
	moved := s.reseed()
	for c := range s.k {
		n := s.counts[c]
		if n == 0 {
			continue
		}
		center := s.centers[c*s.cols : (c+1)*s.cols]
		for j, v := range s.sums[c*s.cols : (c+1)*s.cols] {
			v = s.shift[j] + v/float64(n)
			moved += (v - center[j]) * (v - center[j])
			center[j] = v
		}
	}
	return moved
}

// reseed moves a row into each cluster that has none: the row that is furthest from its center. It
// returns the sum of the squared distances by which centers moved.
func (s *lloyd) reseed() float64 {
	moved := 0.0
	var away []float64
	for c := range s.k {
		if s.counts[c] > 0 {
			continue
		}
		if away == nil {
			away = make([]float64, s.n)
			for i, l := range s.labels {
				away[i] = squared(s.x.RawRowView(i), s.centers[int(l)*s.cols:(int(l)+1)*s.cols])
			}
		}
		i := floats.MaxIdx(away)
		if away[i] == 0 {
			break // all rows are centers
		}
		row, from := s.x.RawRowView(i), int(s.labels[i])
		center, sum, old := s.centers[c*s.cols:(c+1)*s.cols], s.sums[c*s.cols:(c+1)*s.cols], s.sums[from*s.cols:(from+1)*s.cols]
		moved += squared(row, center)
		for j, v := range row {
			center[j], sum[j] = v, v-s.shift[j]
			old[j] -= v - s.shift[j]
		}
		s.counts[from]--
		s.counts[c], s.labels[i], s.before[i], away[i] = 1, int32(c), int32(c), 0
		if s.bounds != nil { // whose bounds were about the center that the row has left
			s.bounds.lower[i] = 0
		}
		s.reseeded++
	}
	return moved
}

// dropEmpty leaves out the centers without rows, which exist when there are fewer distinct rows
// than centers.
func (s *lloyd) dropEmpty() {
	to, at := make([]int32, s.k), 0
	for c := range s.k {
		to[c] = int32(at)
		if s.counts[c] > 0 {
			copy(s.centers[at*s.cols:(at+1)*s.cols], s.centers[c*s.cols:(c+1)*s.cols])
			at++
		}
	}
	if at < s.k {
		for i, l := range s.labels {
			s.labels[i] = to[l]
		}
		s.k = at
	}
}

// answer returns the labels in the type that users see.
func (s *lloyd) answer() []int { return ints(s.labels) }

// means returns a copy of the centers as a matrix.
func (s *lloyd) means() *mat.Dense {
	return mat.NewDense(s.k, s.cols, append([]float64(nil), s.centers[:s.k*s.cols]...))
}
