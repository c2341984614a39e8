package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// rowGrain is the number of rows that one goroutine transforms at a time.
const rowGrain = 1024

// sumGrain is the number of rows that one goroutine adds up; the partial sums are added in the
// order of the rows, so that the result does not depend on the number of processors.
const sumGrain = 4096

// summed adds the sums that add computes over all rows to total.
func summed(total []float64, rows int, add func(out []float64, lo, hi int)) {
	parts := make([][]float64, (rows+sumGrain-1)/sumGrain)
	par.Range(rows, sumGrain, func(lo, hi int) {
		out := make([]float64, len(total))
		add(out, lo, hi)
		parts[lo/sumGrain] = out
	})
	for _, p := range parts {
		floats.Add(total, p)
	}
}

// addColumns adds the values of each column to sums.
func addColumns(sums []float64, d *mat.Dense) {
	n, _ := d.Dims()
	summed(sums, n, func(out []float64, lo, hi int) {
		for i := lo; i < hi; i++ {
			floats.Add(out, d.RawRowView(i))
		}
	})
}

// addDeviations adds the deviations of each column from its mean to the first half of sums, and
// their squares to the second half.
func addDeviations(sums, mean []float64, d *mat.Dense) {
	n, cols := d.Dims()
	summed(sums, n, func(out []float64, lo, hi int) {
		rest, squares := out[:cols], out[cols:]
		for i := lo; i < hi; i++ {
			for j, v := range d.RawRowView(i) {
				v -= mean[j]
				rest[j] += v
				squares[j] += v * v
			}
		}
	})
}

// moment returns the mean and the standard deviation of n values from the sums of the deviations
// from a rounded mean and of their squares. The sum of the deviations would be 0 without the
// rounding of the mean.
func moment(mean, rest, squares, n float64) (float64, float64) {
	off := rest / n
	return mean + off, math.Sqrt(max(0, squares/n-off*off))
}

// usual reports whether squares near sd² neither overflow nor underflow.
func usual(sd float64) bool { return sd > 1e-140 && sd < 1e140 }

// moments returns the mean and the (population) standard deviation of each column in two passes.
func moments(d *mat.Dense) (mean, sd []float64) {
	n, cols := d.Dims()
	mean = make([]float64, cols)
	addColumns(mean, d)
	floats.Scale(1/float64(n), mean)
	sums := make([]float64, 2*cols)
	addDeviations(sums, mean, d)
	sd = sums[cols:]
	for j := range sd {
		if mean[j], sd[j] = moment(mean[j], sums[j], sd[j], float64(n)); !usual(sd[j]) {
			mean[j], sd[j] = columnMoments(d, j)
		}
	}
	return mean, sd
}

// columnMoments is moments for a column whose squares may overflow or underflow. It scales the
// values to near 1.
func columnMoments(d *mat.Dense, j int) (mean, sd float64) {
	col := mat.Col(nil, j, d)
	_, power := math.Frexp(floats.Norm(col, math.Inf(1)))
	power = max(power, -1000)
	for i, v := range col {
		col[i] = math.Ldexp(v, -power)
	}
	n := float64(len(col))
	mean = floats.Sum(col) / n
	rest, squares := 0.0, 0.0
	for _, v := range col {
		v -= mean
		rest += v
		squares += v * v
	}
	rest /= n
	sd = math.Sqrt(max(0, squares/n-rest*rest))
	return math.Ldexp(mean+rest, power), math.Ldexp(sd, power)
}

// constant reports whether a standard deviation is within the rounding error.
func constant(mean, sd float64) bool { return sd <= 1e-14*math.Abs(mean) }

// eachRow computes the result of a transformer row by row, in parallel.
func eachRow(d *mat.Dense, cols int, f func(in, out []float64)) *mat.Dense {
	n, _ := d.Dims()
	out := mat.NewDense(n, cols, nil)
	par.Range(n, rowGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f(d.RawRowView(i), out.RawRowView(i))
		}
	})
	return out
}

// StandardScaler centers each column and divides it by its standard deviation.
//
//	zⱼ = (xⱼ − meanⱼ) / sdⱼ
//
// Scaling changes the nearest neighbors, but centering does not. Neither of them changes a decision
// tree; both change a perceptron. A constant column becomes 0. The standard deviation is the
// population standard deviation (divisor n).
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-15, CORE-19.
type StandardScaler struct {
	// With KeepMean, the mean is not subtracted; with KeepScale, columns are not divided by the
	// standard deviation.
	KeepMean, KeepScale bool

	// Mean and SD are the means and standard deviations of the training columns.
	Mean, SD []float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the means and standard deviations of the columns of x.
func (s *StandardScaler) Fit(x mat.Matrix) error {
	model.NoteX(&s.Fitted, x)
	s.Mean, s.SD = nil, nil
	d, err := model.CheckX("StandardScaler.Fit", x)
	if err != nil {
		return err
	}
	s.Mean, s.SD = moments(d)
	for j, sd := range s.SD {
		if constant(s.Mean[j], sd) {
			s.SD[j] = 0
		}
	}
	return nil
}

// Transform returns the scaled rows.
func (s *StandardScaler) Transform(x mat.Matrix) *model.Table {
	const op = "StandardScaler.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Mean == nil {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, len(s.Mean))
	shift, divisor := slices.Clone(s.Mean), slices.Repeat([]float64{1}, len(s.Mean))
	if s.KeepMean {
		clear(shift)
	}
	var constants []int // columns that are constant in the training rows
	for j, sd := range s.SD {
		switch {
		case sd == 0 && !s.KeepMean:
			constants = append(constants, j)
		case sd > 0 && !s.KeepScale:
			divisor[j] = sd
		}
	}
	return model.LikeNumbers(x, eachRow(d, len(s.Mean), func(in, out []float64) {
		floats.SubTo(out, in, shift)
		floats.Div(out, divisor)
		for _, j := range constants {
			if math.Abs(out[j]) <= 1e-14*math.Abs(s.Mean[j]) {
				out[j] = 0
			}
		}
	}))
}

// Inverse returns the rows from which Transform computed z.
func (s *StandardScaler) Inverse(z mat.Matrix) *mat.Dense {
	const op = "StandardScaler.Inverse"
	if s.Mean == nil {
		panic(model.NotFitted(op))
	}
	return eachRow(model.MustRows(op, z, len(s.Mean)), len(s.Mean), func(in, out []float64) {
		for j, v := range in {
			if !s.KeepScale && s.SD[j] > 0 {
				v *= s.SD[j]
			}
			if !s.KeepMean {
				v += s.Mean[j]
			}
			out[j] = v
		}
	})
}

// MinMaxScaler maps each column linearly so that the training values fill the
// interval from Low to High.
//
//	zⱼ = Low + (High − Low) · (xⱼ − minⱼ) / (maxⱼ − minⱼ)
//
// Values of other rows may be outside the interval. A constant column becomes Low. One extreme
// value squeezes all other values together.
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-15, CORE-19.
type MinMaxScaler struct {
	// Low and High bound the interval; if both are 0, they mean 0 and 1.
	Low, High float64

	// Min and Max are the smallest and largest values of the training columns.
	Min, Max []float64

	model.Fitted // set by Fit: the columns that it was given
}

func (s *MinMaxScaler) interval() (low, high float64) {
	if s.Low == 0 && s.High == 0 {
		return 0, 1
	}
	return s.Low, s.High
}

// Fit learns the smallest and the largest value of each column of x.
func (s *MinMaxScaler) Fit(x mat.Matrix) error {
	model.NoteX(&s.Fitted, x)
	s.Min, s.Max = nil, nil
	const op = "MinMaxScaler.Fit"
	if low, high := s.interval(); !(low < high) || math.IsInf(high-low, 0) {
		return model.Errorf(op, "Low and High must be finite, and Low less than High, got %v and %v", low, high)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	parts := make([]MinMaxScaler, (n+sumGrain-1)/sumGrain)
	par.Range(n, sumGrain, func(lo, hi int) {
		least, most := slices.Clone(d.RawRowView(lo)), slices.Clone(d.RawRowView(lo))
		for i := lo + 1; i < hi; i++ {
			for j, v := range d.RawRowView(i) {
				if v < least[j] {
					least[j] = v
				}
				if v > most[j] {
					most[j] = v
				}
			}
		}
		parts[lo/sumGrain] = MinMaxScaler{Min: least, Max: most}
	})
	s.Min, s.Max = parts[0].Min, parts[0].Max
	for _, p := range parts[1:] {
		for j := range s.Min {
			s.Min[j], s.Max[j] = min(s.Min[j], p.Min[j]), max(s.Max[j], p.Max[j])
		}
	}
	return nil
}

// Transform returns the scaled rows.
func (s *MinMaxScaler) Transform(x mat.Matrix) *model.Table {
	const op = "MinMaxScaler.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Min == nil {
		panic(model.NotFitted(op))
	}
	low, high := s.interval()
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, len(s.Min)), len(s.Min), func(in, out []float64) {
		for j, v := range in {
			out[j] = low
			if width := s.Max[j] - s.Min[j]; width > 0 {
				out[j] += (high - low) * (v - s.Min[j]) / width
			}
		}
	}))
}

// RowNormalizer divides each row by its Euclidean length.
//
//	z = x / ‖x‖
//
// A row of zeros is unchanged. Fit learns only the number of columns.
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-19.
type RowNormalizer struct {
	// Width is the number of columns.
	Width int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the number of columns of x.
func (s *RowNormalizer) Fit(x mat.Matrix) error {
	model.NoteX(&s.Fitted, x)
	s.Width = 0
	d, err := model.CheckX("RowNormalizer.Fit", x)
	if err != nil {
		return err
	}
	_, s.Width = d.Dims()
	return nil
}

// Transform returns the rows, scaled to length 1.
func (s *RowNormalizer) Transform(x mat.Matrix) *model.Table {
	const op = "RowNormalizer.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Width == 0 {
		panic(model.NotFitted(op))
	}
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, s.Width), s.Width, func(in, out []float64) {
		largest := 0.0
		for _, v := range in {
			largest = max(largest, math.Abs(v))
		}
		copy(out, in)
		if largest == 0 {
			return
		}
		length := 0.0
		for _, v := range in {
			length += v / largest * (v / largest)
		}
		length = math.Sqrt(length)
		for j, v := range in {
			out[j] = v / largest / length
		}
	}))
}

// VarianceThreshold drops columns of low variance.
//
//	keep j when Varⱼ = Σᵢ (xᵢⱼ − meanⱼ)² / n > Threshold
//
// The variance depends on the unit of the column: a good feature in large units (kilometers, say)
// is dropped and noise in small units is kept. Use it only for columns measured on the same scale.
// After standardization, all variances are 1, and the threshold cannot distinguish columns.
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-16.
type VarianceThreshold struct {
	// Threshold is the variance that a column must exceed; the default 0 drops constant
	// columns. A larger value drops more columns.
	Threshold float64

	// Variance holds the variance of each training column, and Kept lists the columns that remain.
	Variance []float64
	Kept     []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit computes the variances. It returns an error if no column is left.
func (s *VarianceThreshold) Fit(x mat.Matrix) error {
	model.NoteX(&s.Fitted, x)
	s.Variance, s.Kept = nil, nil
	const op = "VarianceThreshold.Fit"
	if !(s.Threshold >= 0) {
		return model.Errorf(op, "Threshold must not be negative, got %v", s.Threshold)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	mean, sd := moments(d)
	variance, kept := make([]float64, len(sd)), []int(nil)
	for j, v := range sd {
		if !constant(mean[j], v) {
			variance[j] = v * v
		}
		if variance[j] > s.Threshold {
			kept = append(kept, j)
		}
	}
	if len(kept) == 0 {
		return model.Errorf(op, "at least one column must have a variance above Threshold, %v, but none has", s.Threshold).WithHint("set a lower Threshold")
	}
	s.Variance, s.Kept = variance, kept
	return nil
}

// Transform returns the columns that were kept.
func (s *VarianceThreshold) Transform(x mat.Matrix) *model.Table {
	const op = "VarianceThreshold.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.Kept == nil {
		panic(model.NotFitted(op))
	}
	return keep(x, model.MustRows(op, x, len(s.Variance)), s.Kept)
}

// keep returns the columns that were kept, with their names and kinds.
func keep(x mat.Matrix, d *mat.Dense, kept []int) *model.Table {
	out := eachRow(d, len(kept), func(in, out []float64) {
		for k, j := range kept {
			out[k] = in[j]
		}
	})
	var columns []model.Column
	if model.Described(x) {
		columns = pick.Of(model.ColumnsOf(x), kept)
	}
	return model.Named(x, out, columns)
}

// MaxAbsScaler divides each column by its largest absolute value.
//
//	zⱼ = xⱼ / maxᵢ |xᵢⱼ|
//
// Zeros and signs are kept; the training values lie in [−1, 1]. A column of zeros is unchanged. One
// extreme value squeezes all other values together.
//
// Cost: O(n·d).
//
// References: [Hastie2009].
// Course: CORE-19.
type MaxAbsScaler struct {
	// MaxAbs holds the largest absolute value of each training column.
	MaxAbs []float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the largest absolute value of each column of x.
func (s *MaxAbsScaler) Fit(x mat.Matrix) error {
	model.NoteX(&s.Fitted, x)
	s.MaxAbs = nil
	d, err := model.CheckX("MaxAbsScaler.Fit", x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	most := make([]float64, cols)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			most[j] = max(most[j], math.Abs(v))
		}
	}
	s.MaxAbs = most
	return nil
}

// Transform returns the scaled rows.
func (s *MaxAbsScaler) Transform(x mat.Matrix) *model.Table {
	const op = "MaxAbsScaler.Transform"
	x = model.MustRead(op, &s.Fitted, x)
	if s.MaxAbs == nil {
		panic(model.NotFitted(op))
	}
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, len(s.MaxAbs)), len(s.MaxAbs), func(in, out []float64) {
		for j, v := range in {
			out[j] = v
			if s.MaxAbs[j] > 0 {
				out[j] /= s.MaxAbs[j]
			}
		}
	}))
}

// AddBias returns x with a column of ones before the other columns. Each hyperplane of the original
// space then becomes a hyperplane through the origin of the larger space:
//
//	w·x + b = w̃·x̃   with w̃ = (b, w), x̃ = (1, x)
//
// A linear threshold unit w·x + b has threshold −b and bias b. A penalty on ‖w̃‖ also penalizes b,
// while a penalty on ‖w‖ does not.
//
// Course: CORE-14.
func AddBias(x mat.Matrix) *mat.Dense {
	r, c := x.Dims()
	out := mat.NewDense(r, c+1, nil)
	for i := range r {
		out.Set(i, 0, 1)
		for j := range c {
			out.Set(i, j+1, x.At(i, j))
		}
	}
	return out
}
