// Package score converts fitted models to expressions of lazy frames, so that a database, Spark or
// a scan computes the predictions where the rows are.
//
// [Predict] and [Probability] support these models:
//
//   - linear models: LinearRegression, Ridge, RidgeCV, Lasso, LassoCV, ElasticNet, ElasticNetCV,
//     HuberRegressor, QuantileRegressor, LMS, SGDRegressor, PoissonRegressor, GammaRegressor,
//     LogisticRegression, SoftmaxRegression, MaxEntropy, SGDClassifier, LinearSVC, Perceptron,
//     ThresholdPerceptron, MulticlassPerceptron and LDA;
//   - trees: DecisionTree, DecisionStump, RegressionTree, RandomForest, RandomForestRegressor,
//     ExtraTrees, ExtraTreesRegressor, GradientBoosting, GradientBoostingRegressor,
//     HistGradientBoosting, HistGradientBoostingRegressor, AdaBoost, AdaBoostM1, Bagging and
//     BaggingRegressor;
//   - naive Bayes: GaussianNB, BernoulliNB and MultinomialNB;
//   - pipelines and searches that end in one of them, with the steps StandardScaler, MinMaxScaler,
//     MaxAbsScaler, RobustScaler, OneHotEncoder, Imputer, UnknownAsMissing, PolynomialFeatures,
//     Columns, Union, VarianceThreshold, SelectKBest, SelectPercentile, SelectFromModel and RFE.
package score

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"

	_ "github.com/gokernel/gokernel/mlstd/internal/stream" // computes expressions for frames in memory
)

// mostParts is the maximum number of splits and terms of an expression. Databases limit the length
// of a statement; for SQLite, the limit is 1 MB.
const mostParts = 10_000

// Predict returns the predictions of a fitted model as an expression of the columns to which it was
// fitted. The expression works with every frame that has columns of these names: a frame in memory,
// a scan, a table of a database, and Spark. A database computes it itself, so only results travel.
//
//	m := ml.Fit(&ml.GradientBoosting{}, train.Dataset("churned", "age", "plan"))
//	customers := db.Table("customers")
//	customers.With("risk", ml.Probability(m, "yes")).Sort("-risk").Head(100).Collect()
//
// The values are those of the model's Predict method: names of classes for a classifier, or the
// numbers of the classes if they have no names, and floats for a regressor. A floating-point value
// can differ in the last digits, because databases add in another order. A row is missing if the
// model refuses it: if it has a missing value that the model does not take, or a level that is new
// to the model.
//
// The model can be a linear, generalized linear or logistic model, a linear support vector machine,
// a perceptron, LDA, a tree, a forest, a boosted or bagged ensemble, or naive Bayes. It can be the
// end of a pipeline of scalers, imputers, one-hot encoders, selections and polynomial features.
//
// Predict panics with a [*model.Error] for another model and for a model that was fitted to a
// matrix without column names. It also panics if the expression has more than 10,000 splits and
// terms; for more than two classes, a forest needs its splits once per class.
func Predict(m any) *lazy.Column {
	w, out := write("Predict", m)
	if out.value != nil {
		return w.guarded(out.value)
	}
	values := make([]*lazy.Column, len(out.classes))
	for k, c := range out.classes {
		if len(w.names) > 0 {
			values[k] = lazy.Literal(w.names[c])
		} else {
			values[k] = lazy.Literal(c)
		}
	}
	return w.guarded(out.choose(values))
}

// Probability returns the probability of a class as an expression, as [Predict] does. The class is
// given by its name, or by its number if the classes have no names. It panics with a [*model.Error]
// when Predict panics, if there is no such class, and if the model estimates no probabilities.
func Probability(m any, class string) *lazy.Column {
	const op = "Probability"
	w, out := write(op, m)
	if out.value != nil {
		w.fail("use Predict", "the model must be a classifier, got %s", model.NameOf(m))
	}
	var names []string
	for k, c := range out.classes {
		name := strconv.Itoa(c)
		if len(w.names) > 0 {
			name = w.names[c]
		}
		if name != class {
			names = append(names, strconv.Quote(name))
			continue
		}
		if out.proba == nil {
			w.fail("use Predict, or a model with probabilities, such as ml.LogisticRegression", "the model must estimate probabilities, got %s", model.NameOf(m))
		}
		return w.guarded(out.proba(k))
	}
	w.fail("use one of its classes: "+strings.Join(names, ", "), "the class must be a class of the model, got %q", class)
	return nil
}

// outcome is the result of a model as expressions.
type outcome struct {
	value   *lazy.Column // of a regressor
	classes []int        // of a classifier
	// choose returns the value of the predicted class.
	choose func(values []*lazy.Column) *lazy.Column
	// proba returns the probability of the class at position k; nil if there are no probabilities.
	proba func(k int) *lazy.Column
}

// writer converts a model.
type writer struct {
	op    string
	names []string    // of the classes 0, 1, 2 ...
	bad   []condition // rows for which the model has no prediction
	parts int         // splits and terms
}

// condition is a mask of rows with a name, so that it is written once.
type condition struct {
	key  string
	mask *lazy.Column
}

func (w *writer) fail(hint, format string, args ...any) {
	panic(model.Errorf(w.op, format, args...).WithHint("%s", hint))
}

// write converts a fitted model.
func write(op string, m any) (*writer, *outcome) {
	w := &writer{op: op}
	if m == nil {
		w.fail("pass a pointer to a fitted model", "the model must not be nil")
	}
	fitted, ok := m.(interface{ Schema() model.Schema })
	if !ok {
		w.unknown(m)
	}
	schema := fitted.Schema()
	if len(schema.Features) == 0 {
		w.fail(`fit it to a data set: ml.Fit(m, f.Dataset("target", "a", "b")) for a frame f`, "the %s must be fitted to columns with names", model.NameOf(m))
	}
	w.names = schema.Target.Levels
	features := make([]feature, len(schema.Features))
	for j, c := range schema.Features {
		features[j] = newFeature(c)
	}
	return w, w.model(m, features)
}

func (w *writer) unknown(m any) {
	w.fail("collect the rows and call Predict of the model, or use a linear model or trees; the documentation of Predict lists the models",
		"a model of type %s cannot be an expression", model.NameOf(m))
}

// count adds splits and terms.
func (w *writer) count(n int) {
	if w.parts += n; w.parts > mostParts {
		w.fail("use fewer or smaller trees (MaxDepth, MinLeaf), or collect the rows and call Predict of the model",
			"the model must have at most %d splits and terms to be an expression", mostParts)
	}
}

// refuse makes the rows of the conditions missing.
func (w *writer) refuse(conditions ...condition) {
	for _, c := range conditions {
		if !slices.ContainsFunc(w.bad, func(b condition) bool { return b.key == c.key }) {
			w.bad = append(w.bad, c)
		}
	}
}

// guarded returns the expression without the rows for which the model has no prediction.
func (w *writer) guarded(c *lazy.Column) *lazy.Column {
	if len(w.bad) == 0 {
		return c
	}
	masks := make([]*lazy.Column, len(w.bad))
	for i, b := range w.bad {
		masks[i] = b.mask
	}
	return lazy.Case(all(masks, (*lazy.Column).Or), lazy.Literal(nil), c)
}

// all joins masks in a tree of small depth.
func all(masks []*lazy.Column, join func(a *lazy.Column, b any) *lazy.Column) *lazy.Column {
	if len(masks) == 1 {
		return masks[0]
	}
	h := len(masks) / 2
	return join(all(masks[:h], join), all(masks[h:], join))
}

func newFeature(c model.Column) feature {
	f := feature{}
	if coded(c) {
		f.text = lazy.Named(c.Name, frame.StringKind)
		f.missing = []condition{{"missing " + c.Name, f.text.IsNA()}}
		f.name = c.Name
		return f
	}
	f.number = lazy.Named(c.Name, frame.FloatKind)
	f.missing = []condition{{"missing " + c.Name, f.number.IsNA()}}
	return f
}

// coded reports whether the values of a column are strings, and not numbers.
func coded(c model.Column) bool {
	return c.Kind != model.Numeric && !slices.Equal(c.Levels, []string{"0", "1"})
}
