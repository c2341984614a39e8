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

// lloyd holds what the steps of k-means work on.
type lloyd struct {
	x       *mat.Dense
	n, cols int
	points  *linalg.Points // nil with bounds
	bounds  *hamerly       // nil without
	shift   []float64      // the means of the columns
	spread  float64        // the sum of their variances

	k        int
	labels   []int32
	centers  []float64 // rows of cols
	loss     float64   // of the labels and the centers
	reseeded int
	sums     []float64 // of the differences of the rows of each cluster from its center
	counts   []int
	parts    []part
	grain    int
}

// fewNumbers is how many values of centers Trace keeps of each step.
const fewNumbers = 64

// part is what one chunk of rows adds to the sums.
type part struct {
	sums   []float64
	counts []int
	loss   float64
}

// parts is the most chunks that the rows are added up in.
const parts = 16

func newLloyd(x *mat.Dense, k int, by KMeansAlgorithm) *lloyd {
	n, cols := x.Dims()
	s := &lloyd{x: x, n: n, cols: cols, k: k, labels: make([]int32, n)}
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

// eachPart calls f with every chunk of rows and where its sums go.
func (s *lloyd) eachPart(f func(lo, hi int, p *part)) {
	par.Range(s.n, s.grain, func(lo, hi int) { f(lo, hi, &s.parts[lo/s.grain]) })
}

// begin takes the rows of centers as those to start from.
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

// assign finds the nearest centers and gives the number of labels that changed.
func (s *lloyd) assign() int {
	if s.bounds != nil {
		return s.bounds.assign(s)
	}
	return s.points.Nearest(s.labels, s.centers, s.k)
}

// fit makes steps until no label changes, the centers move by at most tol, or there
// were maxIter steps. The labels are those of the centers in the end.
func (s *lloyd) fit(maxIter int, tol float64, step func(loss float64) error) (trace model.Trace, err error) {
	for settled := false; ; {
		changed := s.assign()
		s.addUp()
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
		moved := s.move()
		trace.Step = append(trace.Step, math.Sqrt(moved))
		settled = moved <= tol
	}
	s.dropEmpty()
	return trace, nil
}

// addUp computes the loss, and of each cluster the number of rows and the sum of
// their differences from its center.
func (s *lloyd) addUp() {
	s.eachPart(func(lo, hi int, p *part) {
		clear(p.sums)
		clear(p.counts)
		p.loss = s.addRows(lo, hi, p)
	})
	clear(s.sums)
	clear(s.counts)
	s.loss = 0
	for _, p := range s.parts {
		floats.Add(s.sums[:s.k*s.cols], p.sums[:s.k*s.cols])
		for c, v := range p.counts[:s.k] {
			s.counts[c] += v
		}
		s.loss += p.loss
	}
}

func (s *lloyd) addRows(lo, hi int, p *part) float64 {
	cols, data := s.cols, s.x.RawMatrix().Data
	loss := 0.0
	for i := lo; i < hi; i++ {
		l := int(s.labels[i])
		p.counts[l]++
		row := data[i*cols : (i+1)*cols]
		center, sum := s.centers[l*cols:(l+1)*cols], p.sums[l*cols:(l+1)*cols]
		center, sum = center[:len(row)], sum[:len(row)]
		var a, b float64
		j := 0
		for ; j+2 <= len(row); j += 2 {
			u, v := row[j]-center[j], row[j+1]-center[j+1]
			sum[j] += u
			sum[j+1] += v
			a += u * u
			b += v * v
		}
		if j < len(row) {
			u := row[j] - center[j]
			sum[j] += u
			a += u * u
		}
		loss += a + b
	}
	return loss
}

// move brings each center to the mean of its rows, and gives the sum of the squared
// distances.
func (s *lloyd) move() float64 {
	moved := s.reseed()
	for c := range s.k {
		n := s.counts[c]
		if n == 0 {
			continue
		}
		center := s.centers[c*s.cols : (c+1)*s.cols]
		for j, v := range s.sums[c*s.cols : (c+1)*s.cols] {
			v /= float64(n)
			center[j] += v
			moved += v * v
		}
	}
	return moved
}

// reseed gives each cluster without rows the row that is furthest from its center,
// which leaves its own cluster. It gives the sum of the squared distances by which
// centers moved.
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
		floats.Sub(s.sums[from*s.cols:(from+1)*s.cols], row)
		floats.Add(s.sums[from*s.cols:(from+1)*s.cols], s.centers[from*s.cols:(from+1)*s.cols])
		s.counts[from]--
		moved += squared(row, s.centers[c*s.cols:(c+1)*s.cols])
		copy(s.centers[c*s.cols:], row)
		s.counts[c], s.labels[i], away[i] = 1, int32(c), 0
		if s.bounds != nil { // which were about the center that the row has left
			s.bounds.lower[i] = 0
		}
		s.reseeded++
	}
	return moved
}

// dropEmpty leaves out the centers without rows, of which there are some when fewer
// rows are distinct than there are centers.
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

// answer gives the labels as users see them.
func (s *lloyd) answer() []int { return ints(s.labels) }

// means gives the centers as a matrix of their own.
func (s *lloyd) means() *mat.Dense {
	return mat.NewDense(s.k, s.cols, append([]float64(nil), s.centers[:s.k*s.cols]...))
}
