package ensemble

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Voting fits classifiers of several kinds to the same examples and lets them vote.
//
//	ŷ = argmaxₖ Σ_m w_m·1{f_m(x) = k},   with Soft   ŷ = argmaxₖ Σ_m w_m·p_m(k | x)
//
// Members of different kinds err on different examples: a vote helps if the members are about
// equally good. Soft votes also use each member's confidence, and need comparable probabilities.
// Ties go to the smallest class.
//
// Cost: the sum of the costs of fitting the members.
//
// References: [Dietterich2000]. Course: ENS-01, ENS-04.
type Voting struct {
	New     []func() model.Classifier // makes each member
	Weights []float64                 // of the members; nil means that all are 1
	Soft    bool                      // add probabilities, not votes
	model.Control

	Members []model.Classifier // set by Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*Voting)(nil)

// Takes reports the kinds of columns that all members take.
func (v *Voting) Takes() model.Takes { return takesOfAll(v.New) }

// takesOfAll returns the kinds of columns that all models made by the functions take.
func takesOfAll[M any](fresh []func() M) model.Takes {
	all := model.Takes{Missing: true, Nominal: true}
	for _, f := range fresh {
		t := takesOf(f)
		all = model.Takes{Missing: all.Missing && t.Missing, Nominal: all.Nominal && t.Nominal}
	}
	if len(fresh) == 0 {
		return model.Takes{}
	}
	return all
}

// checkNew refuses a list of makers that is empty or has a nil.
func checkNew[M any](op string, fresh []func() M) error {
	if len(fresh) == 0 {
		return model.Errorf(op, "New must not be empty").WithHint("list one function per member that returns it")
	}
	for m, f := range fresh {
		if f == nil {
			return model.Errorf(op, "New[%d] must not be nil", m).WithHint("set it to a function that returns the member")
		}
	}
	return nil
}

// TakesWeights reports whether all members take weights.
func (v *Voting) TakesWeights() bool { return allTakeWeights(v.New) }

// allTakeWeights reports whether all models made by the functions take weights.
func allTakeWeights[M any](fresh []func() M) bool {
	for _, f := range fresh {
		if f == nil || !model.TakesWeights(f()) {
			return false
		}
	}
	return len(fresh) > 0
}

// withoutWeights returns the error for a member that takes no weights.
func withoutWeights(op, which string, m any) error {
	return model.Errorf(op, "%s must have FitWeighted, got %T", which, m).WithHint("replace it, or call Fit")
}

// Fit fits every member to all examples.
func (v *Voting) Fit(x mat.Matrix, y []int) error {
	model.NoteOuterXY(&v.Fitted, x, y)
	return v.fit("Voting.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example. Every member must take weights. An example of
// weight 0 is left out.
func (v *Voting) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Voting.FitWeighted"
	model.NoteOuterXY(&v.Fitted, x, y)
	v.Members, v.classes = nil, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return v.fit(op, x, y, weights)
}

// fitMember fits a classifier, with weights unless they are nil.
func fitMember(op, which string, f model.Classifier, x mat.Matrix, y []int, weights []float64) error {
	if weights == nil {
		return f.Fit(x, y)
	}
	w, ok := f.(model.WeightedClassifier)
	if !ok || !model.TakesWeights(f) {
		return withoutWeights(op, which, f)
	}
	return w.FitWeighted(x, y, weights)
}

func (v *Voting) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	v.Members, v.classes = nil, nil
	if err := checkNew(op, v.New); err != nil {
		return err
	}
	if v.Weights != nil {
		if err := model.CheckWeights(op, v.Weights, len(v.New)); err != nil {
			return err
		}
	}
	d, err := v.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	if weights != nil {
		x, _, y, weights = weighted(x, d, y, weights)
	}
	classes, _ := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	run := v.Begin("Voting", len(v.New))
	defer run.End()
	var members []model.Classifier
	for m, fresh := range v.New {
		f := fresh()
		if last, _ := lastOf(f, nil); v.Soft {
			if _, ok := last.(model.ProbClassifier); !ok {
				return model.Errorf(op, "member %d must have PredictProba if Soft is set, got %T", m, last).
					WithHint("wrap it in ml.Calibrated, or leave Soft out")
			}
		}
		if err := fitMember(op, "member "+strconv.Itoa(m), f, x, y, weights); err != nil {
			return err
		}
		members = append(members, f)
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	v.Members, v.classes = members, classes
	return nil
}

// lastOf goes through pipelines and searches to the model at their end, with the rows
// that it sees unless x is nil.
func lastOf(m model.Classifier, x mat.Matrix) (model.Classifier, mat.Matrix) {
	for s, ok := m.(model.Staged); ok; s, ok = m.(model.Staged) {
		if x != nil {
			x = s.Transform(x)
		}
		m = s.Last()
	}
	return m, x
}

// Classes lists the classes in ascending order.
func (v *Voting) Classes() []int { return slices.Clone(v.classes) }

// PredictProba returns the weighted mean of the members' probabilities or, without Soft, the
// fraction of the votes for each class.
func (v *Voting) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Voting.PredictProba", &v.Fitted, x)
	return v.shares("Voting.PredictProba", x)
}

func (v *Voting) shares(op string, x mat.Matrix) *mat.Dense {
	if v.Members == nil {
		panic(model.NotFitted(op))
	}
	n, _ := x.Dims()
	p, total := mat.NewDense(n, len(v.classes), nil), 0.0
	for m, f := range v.Members {
		w := weightOf(v.Weights, m)
		total += w
		if v.Soft {
			last, rows := lastOf(f, x)
			var part mat.Dense
			part.Scale(w, last.(model.ProbClassifier).PredictProba(rows))
			p.Add(p, &part)
			continue
		}
		for i, c := range f.Predict(x) {
			k, _ := slices.BinarySearch(v.classes, c)
			p.Set(i, k, p.At(i, k)+w)
		}
	}
	p.Scale(1/total, p)
	return p
}

func weightOf(weights []float64, m int) float64 {
	if weights == nil {
		return 1
	}
	return weights[m]
}

// Predict returns the class with the most votes; ties go to the smallest class.
func (v *Voting) Predict(x mat.Matrix) []int {
	x = model.MustRead("Voting.Predict", &v.Fitted, x)
	return mostProbable(v.shares("Voting.Predict", x), v.classes)
}

// VotingRegressor fits regressors of several kinds to the same examples and takes the
// mean of their predictions.
//
//	ŷ = Σ_m w_m·f_m(x) / Σ_m w_m
//
// Cost: the sum of the costs of fitting the members.
//
// References: [Dietterich2000]. Course: ENS-04, ENS-07.
type VotingRegressor struct {
	New     []func() model.Regressor // makes each member
	Weights []float64                // of the members; nil means that all are 1
	model.Control

	Members []model.Regressor // set by Fit

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that all members take.
func (v *VotingRegressor) Takes() model.Takes { return takesOfAll(v.New) }

// TakesWeights reports whether all members take weights.
func (v *VotingRegressor) TakesWeights() bool { return allTakeWeights(v.New) }

// Fit fits every member to all examples.
func (v *VotingRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteOuterXYReal(&v.Fitted, x, y)
	return v.fit("VotingRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example. Every member must take weights. An example of
// weight 0 is left out.
func (v *VotingRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "VotingRegressor.FitWeighted"
	model.NoteOuterXYReal(&v.Fitted, x, y)
	v.Members = nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return v.fit(op, x, y, weights)
}

// fitRegressor fits a regressor, with weights unless they are nil.
func fitRegressor(op, which string, f model.Regressor, x mat.Matrix, y, weights []float64) error {
	if weights == nil {
		return f.Fit(x, y)
	}
	w, ok := f.(model.WeightedRegressor)
	if !ok || !model.TakesWeights(f) {
		return withoutWeights(op, which, f)
	}
	return w.FitWeighted(x, y, weights)
}

func (v *VotingRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	v.Members = nil
	if err := checkNew(op, v.New); err != nil {
		return err
	}
	if v.Weights != nil {
		if err := model.CheckWeights(op, v.Weights, len(v.New)); err != nil {
			return err
		}
	}
	d, err := v.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if weights != nil {
		x, _, y, weights = weighted(x, d, y, weights)
	}
	run := v.Begin("VotingRegressor", len(v.New))
	defer run.End()
	var members []model.Regressor
	for m, fresh := range v.New {
		f := fresh()
		if err := fitRegressor(op, "member "+strconv.Itoa(m), f, x, y, weights); err != nil {
			return err
		}
		members = append(members, f)
		if err := run.Step(m+1, math.NaN()); err != nil {
			return err
		}
	}
	v.Members = members
	return nil
}

// Predict returns the weighted mean of the members' predictions.
func (v *VotingRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("VotingRegressor.Predict", &v.Fitted, x)
	if v.Members == nil {
		panic(model.NotFitted("VotingRegressor.Predict"))
	}
	n, _ := x.Dims()
	out, total := make([]float64, n), 0.0
	for m, f := range v.Members {
		w := weightOf(v.Weights, m)
		total += w
		for i, p := range f.Predict(x) {
			out[i] += w * p
		}
	}
	for i := range out {
		out[i] /= total
	}
	return out
}
