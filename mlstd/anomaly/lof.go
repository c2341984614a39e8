package anomaly

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// LocalOutlierFactor scores a row by the ratio of the density around its neighbors to the density
// around the row. Rows with a large score are anomalies.
//
//	reach(x, o) = max(dₖ(o), ‖x − o‖),  lrd(x) = 1 / mean_o reach(x, o)
//	score(x) = mean_o lrd(o) / lrd(x)
//
// where o runs over the K nearest training rows of x, and dₖ(o) is the distance of o to its K-th
// neighbor. The score is about 1 inside a cluster, however dense, and larger for an isolated row.
// Many identical rows make the scores of rows near them very large.
//
// Score treats its rows as new rows. Scores holds the factors of the training rows; a training row
// does not count as its own neighbor.
//
// Cost: 2·n searches for neighbors.
//
// References: [BreunigKriegelNgSander2000].
// Course: DEC-12.
type LocalOutlierFactor struct {
	// K is the number of neighbors; 0 means 20, or n − 1 if that is less. A larger K
	// compares each row with a wider neighborhood: the scores vary less, and small
	// groups of anomalies are found too.
	K int
	// Metric is the distance; the default is Euclidean.
	Metric neighbors.Metric
	// Contamination is the fraction of anomalies among the training rows; 0 means 0.1.
	// A larger value lowers the threshold, so that more rows are anomalies.
	Contamination float64

	Scores    []float64  // set by Fit: the factors of the training rows
	Vectors   *mat.Dense // set by Fit: the training rows
	Reach     []float64  // set by Fit: the distance of each to its K-th neighbor
	Density   []float64  // set by Fit: lrd of each
	Threshold float64    // set by Fit and Tune

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Detector = (*LocalOutlierFactor)(nil)

// Fit finds the neighbors of the rows of x.
func (l *LocalOutlierFactor) Fit(x mat.Matrix) error {
	const op = "LocalOutlierFactor.Fit"
	model.NoteX(&l.Fitted, x)
	l.Scores, l.Vectors, l.Reach, l.Density, l.Threshold = nil, nil, nil, nil, 0
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	if n < 2 {
		return model.Errorf(op, "x must have at least 2 rows, got 1")
	}
	k, err := model.Iterations(op, "K", l.K, min(20, n-1))
	if err != nil {
		return err
	}
	if k > n-1 {
		return model.Errorf(op, "K must be at least 1 and below %d (the number of rows), got %d", n, k)
	}
	own := mat.DenseCopyOf(d)
	ix := neighbors.NeighborIndex{Metric: l.Metric}
	if err := ix.Learn(own); err != nil {
		return err
	}
	near, far := ix.Nearest(own, k+1)
	reach := make([]float64, n)
	for i := range near {
		near[i], far[i] = without(near[i], far[i], i)
		reach[i] = far[i][k-1]
	}
	density, least := make([]float64, n), leastReach(reach)
	for i := range near {
		density[i] = reachable(near[i], far[i], reach, least)
	}
	scores := make([]float64, n)
	for i := range near {
		scores[i] = ratio(near[i], density, density[i])
	}
	threshold, err := thresholdOf(op, l.Contamination, scores)
	if err != nil {
		return err
	}
	l.Scores, l.Vectors, l.Reach, l.Density, l.Threshold = scores, own, reach, density, threshold
	return nil
}

// without removes row i from its own neighbors. If equally near rows have displaced it, without
// removes the last neighbor instead.
func without(rows []int, far []float64, i int) ([]int, []float64) {
	at := len(rows) - 1
	for p, r := range rows {
		if r == i {
			at = p
		}
	}
	return append(rows[:at:at], rows[at+1:]...), append(far[:at:at], far[at+1:]...)
}

// leastReach returns the distance that is added to all mean distances, so that the density at equal
// rows is finite.
func leastReach(reach []float64) float64 {
	if mean := stat.Mean(reach, nil); mean > 0 {
		return 1e-10 * mean
	}
	return 1e-10
}

// reachable returns lrd of a row with the given neighbors.
func reachable(rows []int, far, reach []float64, least float64) float64 {
	sum := 0.0
	for p, o := range rows {
		sum += max(far[p], reach[o])
	}
	return 1 / (sum/float64(len(rows)) + least)
}

// ratio returns the mean density of the neighbors divided by the density of the row.
func ratio(rows []int, density []float64, own float64) float64 {
	sum := 0.0
	for _, o := range rows {
		sum += density[o] / own
	}
	return sum / float64(len(rows))
}

// Score returns the factor of each row, treated as a new row.
func (l *LocalOutlierFactor) Score(x mat.Matrix) []float64 {
	const op = "LocalOutlierFactor.Score"
	x = model.MustRead(op, &l.Fitted, x)
	if l.Vectors == nil {
		panic(model.NotFitted(op))
	}
	n, cols := l.Vectors.Dims()
	d := model.MustRows(op, x, cols)
	k := l.K
	if k == 0 {
		k = min(20, n-1)
	}
	ix := neighbors.NeighborIndex{Metric: l.Metric}
	if err := ix.Learn(l.Vectors); err != nil {
		panic(err)
	}
	near, far := ix.Nearest(d, k)
	out, least := make([]float64, len(near)), leastReach(l.Reach)
	for i := range near {
		out[i] = ratio(near[i], l.Density, reachable(near[i], far[i], l.Reach, least))
	}
	return out
}

// Predict reports whether the factor of each row, treated as a new row, is above the threshold.
func (l *LocalOutlierFactor) Predict(x mat.Matrix) []bool {
	x = model.MustRead("LocalOutlierFactor.Predict", &l.Fitted, x)
	return above(l.Score(x), l.Threshold)
}

// Tune sets the threshold that has the best F1 score on x, where anomaly[i] reports whether row i
// is an anomaly.
func (l *LocalOutlierFactor) Tune(x mat.Matrix, anomaly []bool) (*F1Choice, error) {
	x, err := model.Read("LocalOutlierFactor.Tune", &l.Fitted, x)
	if err != nil {
		return nil, err
	}
	return tuned(l, "LocalOutlierFactor.Tune", x, anomaly, &l.Threshold)
}
