package prep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SelectKBest scores each column individually against the classes or the target, and keeps the K
// columns with the best scores.
//
//	F = (Σ_c n_c(x̄_c − x̄)²/(k−1)) / (Σᵢ(xᵢ − x̄_{c(i)})²/(n−k))  for classes,  r²(n−2)/(1−r²) for a target
//
// or, depending on Score, χ² or the mutual information. Ties go to the columns that come first. A
// column that is useful only together with another column has a low score: for such columns see
// [RFE]. As a step of a pipeline, it is fitted inside each fold, so that no test example influences
// the choice of columns.
//
// Cost: O(n·d), or O(n²·d) for the mutual information with a target.
//
// References: [Kraskov2004], [Ross2014].
// Course: CORE-16.
type SelectKBest struct {
	Score FeatureScore // the zero value is FScore
	K     int          // columns to keep; 0 means 10, or all if there are fewer

	Scores []float64 // set by Fit: one per column
	P      []float64 // set by Fit: P values of F and χ²; nil for the mutual information
	Kept   []int     // set by Fit: the columns that remain, ascending

	model.Fitted // set by Fit: the columns that it was given
}

// SelectPercentile is [SelectKBest] for a fraction of the columns.
//
//	keep j when scoreⱼ is above the (100 − Percent)th percentile of all scores
//
// At least one column is kept.
//
// Cost: as for [SelectKBest].
//
// References: [Kraskov2004], [Ross2014].
// Course: CORE-16.
type SelectPercentile struct {
	Score FeatureScore // the zero value is FScore
	// Percent is the percentage of the columns to keep, above 0 and up to 100; 0 means
	// 10.
	Percent float64

	Scores []float64 // set by Fit: one per column
	P      []float64 // set by Fit: P values of F and χ²; nil for the mutual information
	Kept   []int     // set by Fit: the columns that remain, ascending

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.TargetTransformer = (*SelectKBest)(nil)
	_ model.TargetTransformer = (*SelectPercentile)(nil)
)

// selection learns from classes or from a real target.
type selection interface {
	model.Transformer
	FitClasses(x mat.Matrix, y []int) error
	FitTarget(x mat.Matrix, y []float64) error
}

func fitSelection(s selection, x mat.Matrix, y model.Targets) (*model.Table, error) {
	var err error
	switch {
	case y.Len() == 0:
		err = s.Fit(x)
	case y.Labels != nil:
		err = s.FitClasses(x, y.Labels)
	default:
		err = s.FitTarget(x, y.Values)
	}
	if err != nil {
		return nil, err
	}
	return s.Transform(x), nil
}

// classLabels numbers the classes.
func classLabels(op string, takes model.Takes, x mat.Matrix, y []int) (*mat.Dense, labels, error) {
	d, err := takes.CheckXY(op, x, y)
	if err != nil {
		return nil, labels{}, err
	}
	classes, index := model.Classes(y)
	return d, labels{k: len(classes), class: index}, nil
}

// Takes reports that the step takes nominal columns if Score is MutualInformationScore.
func (s *SelectKBest) Takes() model.Takes {
	return model.Takes{Nominal: s.Score == MutualInformationScore}
}

// Fit returns an error, because scores of columns require classes or a target.
func (s *SelectKBest) Fit(mat.Matrix) error {
	s.Scores, s.P, s.Kept = nil, nil, nil
	return model.NeedsTargets("SelectKBest.Fit")
}

// FitClasses scores the columns against classes.
func (s *SelectKBest) FitClasses(x mat.Matrix, y []int) error {
	const op = "SelectKBest.FitClasses"
	model.NoteXY(&s.Fitted, x, y)
	s.Scores, s.P, s.Kept = nil, nil, nil
	d, l, err := classLabels(op, s.Takes(), x, y)
	if err != nil {
		return err
	}
	return s.fit(op, x, d, l)
}

// FitTarget scores the columns against a real target.
func (s *SelectKBest) FitTarget(x mat.Matrix, y []float64) error {
	const op = "SelectKBest.FitTarget"
	model.NoteXYReal(&s.Fitted, x, y)
	s.Scores, s.P, s.Kept = nil, nil, nil
	d, err := s.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	return s.fit(op, x, d, labels{real: y})
}

func (s *SelectKBest) fit(op string, x mat.Matrix, d *mat.Dense, y labels) error {
	_, cols := d.Dims()
	k, err := model.Iterations(op, "K", s.K, min(10, cols))
	if err != nil {
		return err
	}
	if k > cols {
		return model.Errorf(op, "K must be at most %d (the number of columns), got %d", cols, k)
	}
	scores, p, err := scoresOf(op, s.Score, x, d, y)
	if err != nil {
		return err
	}
	s.Scores, s.P, s.Kept = scores, p, bestOf(scores, k)
	return nil
}

// bestOf returns the positions of the k largest scores, ascending; ties go to the first.
func bestOf(scores []float64, k int) []int {
	order := make([]int, len(scores))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	order = order[:k]
	slices.Sort(order)
	return order
}

// FitTransform calls FitClasses or FitTarget, and then Transform.
func (s *SelectKBest) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteX(&s.Fitted, x)
	return fitSelection(s, x, y)
}

// Transform returns the columns that were kept.
func (s *SelectKBest) Transform(x mat.Matrix) *model.Table {
	const op = "SelectKBest.Transform"
	x = model.MustReadAll(op, &s.Fitted, x)
	if s.Kept == nil {
		panic(model.NotFitted(op))
	}
	return keep(x, s.Takes().MustRows(op, x, len(s.Scores)), s.Kept)
}

// Takes reports that the step takes nominal columns if Score is MutualInformationScore.
func (s *SelectPercentile) Takes() model.Takes {
	return model.Takes{Nominal: s.Score == MutualInformationScore}
}

// Fit returns an error, because scores of columns require classes or a target.
func (s *SelectPercentile) Fit(mat.Matrix) error {
	s.Scores, s.P, s.Kept = nil, nil, nil
	return model.NeedsTargets("SelectPercentile.Fit")
}

// FitClasses scores the columns against classes.
func (s *SelectPercentile) FitClasses(x mat.Matrix, y []int) error {
	const op = "SelectPercentile.FitClasses"
	model.NoteXY(&s.Fitted, x, y)
	s.Scores, s.P, s.Kept = nil, nil, nil
	d, l, err := classLabels(op, s.Takes(), x, y)
	if err != nil {
		return err
	}
	return s.fit(op, x, d, l)
}

// FitTarget scores the columns against a real target.
func (s *SelectPercentile) FitTarget(x mat.Matrix, y []float64) error {
	const op = "SelectPercentile.FitTarget"
	model.NoteXYReal(&s.Fitted, x, y)
	s.Scores, s.P, s.Kept = nil, nil, nil
	d, err := s.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	return s.fit(op, x, d, labels{real: y})
}

func (s *SelectPercentile) fit(op string, x mat.Matrix, d *mat.Dense, y labels) error {
	percent := model.Or(s.Percent, 10)
	if !(percent > 0 && percent <= 100) {
		return model.Errorf(op, "Percent must be above 0 and at most 100, got %v", percent)
	}
	scores, p, err := scoresOf(op, s.Score, x, d, y)
	if err != nil {
		return err
	}
	// The number of scores above the interpolated percentile, or the number that fit into the
	// fraction.
	cols := float64(len(scores))
	k := max(cols-1-math.Floor((cols-1)*(1-percent/100)), math.Floor(cols*percent/100), 1)
	s.Scores, s.P, s.Kept = scores, p, bestOf(scores, int(k))
	return nil
}

// FitTransform calls FitClasses or FitTarget, and then Transform.
func (s *SelectPercentile) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteX(&s.Fitted, x)
	return fitSelection(s, x, y)
}

// Transform returns the columns that were kept.
func (s *SelectPercentile) Transform(x mat.Matrix) *model.Table {
	const op = "SelectPercentile.Transform"
	x = model.MustReadAll(op, &s.Fitted, x)
	if s.Kept == nil {
		panic(model.NotFitted(op))
	}
	return keep(x, s.Takes().MustRows(op, x, len(s.Scores)), s.Kept)
}
