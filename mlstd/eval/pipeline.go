package eval

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Pipeline is a classifier that transforms its input first. The steps are fitted one after the
// other, each to the output of the previous step, and then the model is fitted to the output of the
// last step. Cross-validation fits the whole pipeline inside each fold, so no step can see a test
// example: leakage is impossible by construction.
//
//	ŷ = model(step_k(… step₁(x)))
//
// Cost: the sum of the costs of its parts.
//
// References: [HastieTibshiraniFriedman2009] §7.10.2. Course: EVAL-20.
type Pipeline struct {
	Steps []model.Transformer
	Model model.Classifier

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that the steps and the model together take. Missing values are
// allowed if a step fills them before they reach a step or model that does not take them.
func (p *Pipeline) Takes() model.Takes { return model.TakesOfSteps(p.Steps, p.Model) }

// Fit fits the steps and the model on x and y.
func (p *Pipeline) Fit(x mat.Matrix, y []int) error {
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, x, y)
	if p.Model == nil {
		return model.Errorf("Pipeline.Fit", "Model must not be nil").WithHint("set Model to the classifier that comes last")
	}
	x, err := fitSteps("Pipeline.Fit", p.Steps, x, model.Targets{Labels: y})
	if err != nil {
		return err
	}
	return p.Model.Fit(x, y)
}

// FitWeighted passes the weights to the model, which must accept example weights. The steps leave
// out examples of weight 0 and count every other example once.
func (p *Pipeline) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "Pipeline.FitWeighted"
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, x, y)
	last, ok := p.Model.(model.WeightedClassifier)
	if !ok || !p.TakesWeights() {
		return noWeights(op, p.Model)
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		_ = last.FitWeighted(x, y, weights) // it refuses them too, and forgets what it was fitted to
		return err
	}
	x, y, weights = counted(op, x, y, weights, p)
	x, err := fitSteps(op, p.Steps, x, model.Targets{Labels: y})
	if err != nil {
		return err
	}
	return last.FitWeighted(x, y, weights)
}

// TakesWeights reports whether the model takes weights.
func (p *Pipeline) TakesWeights() bool { return model.TakesWeights(p.Model) }

// Predict transforms x with the fitted steps and predicts its classes.
func (p *Pipeline) Predict(x mat.Matrix) []int {
	x = model.MustRead("Pipeline.Predict", &p.Fitted, x)
	return p.Model.Predict(p.Transform(x))
}

// Decision returns the scores of the model for the transformed rows, as [model.Scorer] does: its
// decision values, or its probabilities if it has no decision values. For two classes, these are
// the values of the second class. It panics with a [*model.Error] if the model has neither.
func (p *Pipeline) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Pipeline.Decision", &p.Fitted, x)
	scores, err := decisionOf("Pipeline.Decision", p, x)
	if err != nil {
		panic(err)
	}
	return scores
}

// Transform returns x after all steps, which is the input of the model.
func (p *Pipeline) Transform(x mat.Matrix) mat.Matrix {
	x = model.MustRead("Pipeline.Transform", &p.Fitted, x)
	return transform(p.Steps, x)
}

// Last returns the model. Reductions and charts use it to get scores and probabilities.
func (p *Pipeline) Last() model.Classifier { return p.Model }

// ProbPipeline is a [Pipeline] whose model predicts probabilities.
//
//	p̂ = model(step_k(… step₁(x)))
//
// Cost: the sum of the costs of its parts.
//
// References: [HastieTibshiraniFriedman2009] §7.10.2. Course: EVAL-20.
type ProbPipeline struct {
	Steps []model.Transformer
	Model model.ProbClassifier

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that the steps and the model together take. Missing values are
// allowed if a step fills them before they reach a step or model that does not take them.
func (p *ProbPipeline) Takes() model.Takes { return model.TakesOfSteps(p.Steps, p.Model) }

// Fit fits the steps and the model on x and y.
func (p *ProbPipeline) Fit(x mat.Matrix, y []int) error {
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, x, y)
	if p.Model == nil {
		return model.Errorf("ProbPipeline.Fit", "Model must not be nil").WithHint("set Model to the classifier that comes last")
	}
	x, err := fitSteps("ProbPipeline.Fit", p.Steps, x, model.Targets{Labels: y})
	if err != nil {
		return err
	}
	return p.Model.Fit(x, y)
}

// FitWeighted passes the weights to the model, which must accept example weights. The steps leave
// out examples of weight 0 and count every other example once.
func (p *ProbPipeline) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "ProbPipeline.FitWeighted"
	model.NoteStepsXY(&p.Fitted, p.Steps, p.Model, x, y)
	last, ok := p.Model.(model.WeightedClassifier)
	if !ok || !p.TakesWeights() {
		return noWeights(op, p.Model)
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		_ = last.FitWeighted(x, y, weights) // it refuses them too, and forgets what it was fitted to
		return err
	}
	x, y, weights = counted(op, x, y, weights, p)
	x, err := fitSteps(op, p.Steps, x, model.Targets{Labels: y})
	if err != nil {
		return err
	}
	return last.FitWeighted(x, y, weights)
}

// TakesWeights reports whether the model takes weights.
func (p *ProbPipeline) TakesWeights() bool { return model.TakesWeights(p.Model) }

// Predict transforms x with the fitted steps and predicts its classes.
func (p *ProbPipeline) Predict(x mat.Matrix) []int {
	x = model.MustRead("ProbPipeline.Predict", &p.Fitted, x)
	return p.Model.Predict(transform(p.Steps, x))
}

// Classes lists the classes in ascending order.
func (p *ProbPipeline) Classes() []int { return p.Model.Classes() }

// PredictProba transforms x with the fitted steps and returns the class probabilities.
func (p *ProbPipeline) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ProbPipeline.PredictProba", &p.Fitted, x)
	return p.Model.PredictProba(transform(p.Steps, x))
}

// RegressorPipeline is a [Pipeline] that ends in a regressor.
//
//	ŷ = model(step_k(… step₁(x)))
//
// Cost: the sum of the costs of its parts.
//
// References: [HastieTibshiraniFriedman2009] §7.10.2. Course: EVAL-20.
type RegressorPipeline struct {
	Steps []model.Transformer
	Model model.Regressor

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that the steps and the model together take. Missing values are
// allowed if a step fills them before they reach a step or model that does not take them.
func (p *RegressorPipeline) Takes() model.Takes { return model.TakesOfSteps(p.Steps, p.Model) }

// Fit fits the steps and the model on x and y.
func (p *RegressorPipeline) Fit(x mat.Matrix, y []float64) error {
	model.NoteStepsXYReal(&p.Fitted, p.Steps, p.Model, x, y)
	if p.Model == nil {
		return model.Errorf("RegressorPipeline.Fit", "Model must not be nil").WithHint("set Model to the regressor that comes last")
	}
	x, err := fitSteps("RegressorPipeline.Fit", p.Steps, x, model.Targets{Values: y})
	if err != nil {
		return err
	}
	return p.Model.Fit(x, y)
}

// FitWeighted passes the weights to the model, which must accept example weights. The steps leave
// out examples of weight 0 and count every other example once.
func (p *RegressorPipeline) FitWeighted(x mat.Matrix, y []float64, weights []float64) error {
	const op = "RegressorPipeline.FitWeighted"
	model.NoteStepsXYReal(&p.Fitted, p.Steps, p.Model, x, y)
	last, ok := p.Model.(model.WeightedRegressor)
	if !ok || !p.TakesWeights() {
		return noWeights(op, p.Model)
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		_ = last.FitWeighted(x, y, weights) // it refuses them too, and forgets what it was fitted to
		return err
	}
	x, y, weights = counted(op, x, y, weights, p)
	x, err := fitSteps(op, p.Steps, x, model.Targets{Values: y})
	if err != nil {
		return err
	}
	return last.FitWeighted(x, y, weights)
}

// TakesWeights reports whether the model takes weights.
func (p *RegressorPipeline) TakesWeights() bool { return model.TakesWeights(p.Model) }

// Predict transforms x with the fitted steps and predicts its targets.
func (p *RegressorPipeline) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("RegressorPipeline.Predict", &p.Fitted, x)
	return p.Model.Predict(transform(p.Steps, x))
}

// fitSteps fits the steps and returns the rows to which the model is fitted. Only steps that learn
// from targets get the targets.
func fitSteps(op string, steps []model.Transformer, x mat.Matrix, y model.Targets) (mat.Matrix, error) {
	for i, s := range steps {
		if s == nil {
			return nil, model.Errorf(op, "step %d must not be nil", i)
		}
		t, err := model.FitTransform(s, x, y)
		if err != nil {
			return nil, err
		}
		x = t
	}
	return x, nil
}

// counted returns the examples whose weight is not 0. It does not check the examples: the steps and
// the model do.
func counted[Y any](op string, x mat.Matrix, y []Y, weights []float64, pipeline any) (mat.Matrix, []Y, []float64) {
	if !slices.Contains(weights, 0) {
		return x, y, weights
	}
	e, err := examplesOf(op, x, len(y), Resampling{}, func() any { return pipeline })
	if err != nil {
		return x, y, weights
	}
	var kept []int
	for i, w := range weights {
		if w > 0 {
			kept = append(kept, i)
		}
	}
	return e.rows(kept), pick.Of(y, kept), pick.Of(weights, kept)
}

func transform(steps []model.Transformer, x mat.Matrix) mat.Matrix {
	for _, s := range steps {
		x = s.Transform(x)
	}
	return x
}
