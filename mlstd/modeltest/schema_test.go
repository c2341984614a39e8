package modeltest_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// The tests of this file pass equivalent frames to every estimator: with other levels, other
// orders, other names.

// noRows are the registered models that are not fitted to rows with columns, or do not
// read any after Fit, each with the reason.
var noRows = map[string]string{
	"bayesnet.BayesEM":              "it learns a network, which reads tables by the names of its variables",
	"bayesnet.BayesNetwork":         "it reads tables by the names of its variables and states",
	"bayesnet.SparseCandidate":      "it learns a network, which reads tables by the names of its variables",
	"bayesnet.StructureSearch":      "it learns a network, which reads tables by the names of its variables",
	"cluster.Agglomerative":         "it labels the rows of Fit alone",
	"cluster.DBSCAN":                "it labels the rows of Fit alone",
	"cluster.Documents":             "it learns from texts",
	"cluster.HDBSCAN":               "it labels the rows of Fit alone",
	"cluster.SpectralClustering":    "it labels the rows of Fit alone",
	"decomp.PowerIteration":         "it decomposes a square matrix",
	"decomp.WordVectors":            "it learns from texts",
	"kernel.MistakePerceptron":      "it learns from single rows without names",
	"latent.HMM":                    "it learns from sequences of symbols",
	"manifold.MDS":                  "it places the rows of Fit alone",
	"manifold.TSNE":                 "it places the rows of Fit alone",
	"online.Elimination":            "it learns from single rows without names",
	"online.LinearLearner":          "it learns from single rows without names",
	"online.VersionSpace":           "it learns from single rows without names",
	"prep.FeatureIndex":             "it numbers words",
	"prep.Vocabulary":               "it counts words of texts",
	"recommend.FactorRecommender":   "it learns from ratings",
	"recommend.ImplicitRecommender": "it learns from ratings",
	"recommend.LowRankRecommender":  "it learns from ratings",
	"recommend.NeighborRecommender": "it learns from ratings",
	"rl.ActorCritic":                "it learns from an environment",
	"rl.BanditLearner":              "it learns from an environment",
	"rl.DQN":                        "it learns from an environment",
	"rl.LinearQ":                    "it learns from an environment",
	"rl.QLearning":                  "it learns from an environment",
	"rl.Reinforce":                  "it learns from an environment",
	"rl.SARSA":                      "it learns from an environment",
	"rl.TD":                         "it learns from an environment",
	"rules.CandidateElimination":    "it learns from single rows without names",
	"rules.FOIL":                    "it learns from relations",
	"structured.SequencePerceptron": "it learns from sequences of words",
	"theory.FilterBoost":            "it learns from single rows without names",
}

func encodedTree() model.Classifier {
	return eval.Pipe(&prep.OneHotEncoder{}, &tree.DecisionTree{MaxDepth: 4})
}

func plainTree() model.Classifier { return &tree.DecisionTree{MaxDepth: 4} }

func encodedLogistic() model.Classifier {
	return &eval.ProbPipeline{Steps: []model.Transformer{&prep.OneHotEncoder{}}, Model: &linear.LogisticRegression{}}
}

func encodedRidge() model.Regressor {
	return eval.PipeRegressor(&prep.OneHotEncoder{}, &linear.Ridge{})
}

// configured lists models that need parameters or contain other models: one for each way in which
// the inner models read columns.
var configured = map[string][]func() any{
	"decomp.FeatureHasher": {func() any { return &decomp.FeatureHasher{Columns: 4} }},
	"ensemble.Bagging": {
		func() any { return &ensemble.Bagging{New: encodedTree, Size: 3} },
		func() any { return &ensemble.Bagging{New: plainTree, Size: 3} },
	},
	"ensemble.BaggingRegressor": {func() any { return &ensemble.BaggingRegressor{New: encodedRidge, Size: 3} }},
	"ensemble.AdaBoost": {
		func() any { return &ensemble.AdaBoost{Rounds: 3} },
		func() any { return &ensemble.AdaBoost{Rounds: 3, New: encodedTree} },
	},
	"ensemble.AdaBoostM1": {
		func() any { return &ensemble.AdaBoostM1{Rounds: 3} },
		func() any { return &ensemble.AdaBoostM1{Rounds: 3, New: encodedTree} },
	},
	"ensemble.Stacking": {
		func() any {
			return &ensemble.Stacking{New: []func() model.Classifier{encodedTree, encodedLogistic}, Final: plainTree, Pass: true}
		},
		func() any { return &ensemble.Stacking{New: []func() model.Classifier{plainTree}, Final: plainTree} },
	},
	"ensemble.StackingRegressor": {func() any {
		return &ensemble.StackingRegressor{New: []func() model.Regressor{encodedRidge}, Final: func() model.Regressor { return &linear.Ridge{} }}
	}},
	"ensemble.Voting": {
		func() any { return &ensemble.Voting{New: []func() model.Classifier{encodedTree, plainTree}} },
		func() any { return &ensemble.Voting{New: []func() model.Classifier{encodedLogistic}, Soft: true} },
	},
	"ensemble.VotingRegressor": {func() any { return &ensemble.VotingRegressor{New: []func() model.Regressor{encodedRidge}} }},
	"eval.Calibrated":          {func() any { return &eval.Calibrated{New: encodedTree} }},
	"eval.Pipeline":            {func() any { return encodedTree() }, func() any { return eval.Pipe(plainTree()) }},
	"eval.ProbPipeline":        {func() any { return encodedLogistic() }},
	"eval.RegressorPipeline":   {func() any { return encodedRidge() }},
	"eval.Search": {func() any {
		return &eval.Search{New: func(eval.Params) model.Classifier { return encodedTree() }, Points: eval.GridPoints(map[string][]float64{"depth": {1}})}
	}},
	"eval.RegressorSearch": {func() any {
		return &eval.RegressorSearch{New: func(eval.Params) model.Regressor { return encodedRidge() }, Points: eval.GridPoints(map[string][]float64{"depth": {1}})}
	}},
	"nn.NetworkClassifier": {func() any {
		return &nn.NetworkClassifier{Shape: []int{3}, Epochs: 3, New: func() []nn.Layer { return []nn.Layer{&nn.Dense{Units: 3}} }}
	}},
	"nn.NetworkRegressor": {func() any {
		return &nn.NetworkRegressor{Shape: []int{3}, Epochs: 3, New: func() []nn.Layer { return []nn.Layer{&nn.Dense{Units: 3}} }}
	}},
	"prep.Columns": {
		func() any {
			return &prep.Columns{Steps: []prep.ColumnStep{
				{Names: []string{"color"}, Steps: []model.Transformer{&prep.OneHotEncoder{}}},
				{Names: []string{"b"}, Steps: []model.Transformer{&prep.StandardScaler{}}},
			}}
		},
		func() any { // color passes on as it is
			return &prep.Columns{Steps: []prep.ColumnStep{{Indices: []int{0}, Steps: []model.Transformer{&prep.StandardScaler{}}}}}
		},
	},
	"prep.RFE": {func() any {
		return &prep.RFE{New: func() model.Classifier { return &linear.LogisticRegression{} }, K: 1}
	}},
	"prep.SelectFromModel": {func() any { return &prep.SelectFromModel{New: plainTree} }},
	"prep.SelectKBest":     {func() any { return &prep.SelectKBest{K: 2} }, func() any { return &prep.SelectKBest{Score: prep.MutualInformationScore, K: 2} }},
	"prep.Union": {func() any {
		return &prep.Union{Steps: []model.Transformer{&prep.OneHotEncoder{}, &prep.OrdinalEncoder{}}}
	}},
	"prob.BernoulliNB":            {func() any { return &prob.BernoulliNB{Threshold: 3} }},
	"reduce.AllVsAll":             {func() any { return &reduce.AllVsAll{New: encodedTree} }},
	"reduce.CollectiveClassifier": {func() any { return &reduce.CollectiveClassifier{New: encodedTree} }},
	"reduce.CostSensitive":        {func() any { return &reduce.CostSensitive{New: encodedTree, Alpha: 2} }},
	"reduce.Costing":              {func() any { return &reduce.Costing{New: encodedTree} }},
	"reduce.OneVsAll":             {func() any { return &reduce.OneVsAll{New: encodedLogistic} }},
	"reduce.OutputCode":           {func() any { return &reduce.OutputCode{New: encodedTree} }},
	"reduce.PairwiseRanker": {func() any {
		return &reduce.PairwiseRanker{New: func() model.Classifier { return &linear.LogisticRegression{} }}
	}},
	"reduce.TreeReduction": {func() any { return &reduce.TreeReduction{New: encodedTree} }},
}

// oneColumn lists the models of a single feature.
var oneColumn = map[string]bool{"eval.IsotonicRegression": true, "linear.PolynomialRegression": true}

// unknownLevel lists the models whose documentation says how they treat a level that Fit did not
// know. All other models return an error, and models that contain other models rely on them.
var unknownLevel = map[string]string{
	"prep.OneHotEncoder":    "zeros",
	"prep.OrdinalEncoder":   "missing",
	"prep.TargetEncoder":    "the mean of all",
	"prep.TextEncoder":      "terms that are not known are left out",
	"prep.Imputer":          "passes, for the next step",
	"prep.SelectKBest":      "passes, for the next step",
	"prep.UnknownAsMissing": "missing",
	"prep.Columns":          "as its steps do",
	"prep.Union":            "as its steps do",
}

// subject is an estimator with the columns that it takes.
type subject struct {
	name    string
	fresh   func() any
	columns []string
	nominal bool // the columns include color, which has names
}

const rowsOfAll = 72

var kinds, colors = []string{"ant", "bee", "cat"}, []string{"blue", "green", "red"}

// Data that suit different models.
const (
	threeClasses = iota
	twoClasses
	noLine // separates these two classes
	bits   // 0 and 1 instead of larger numbers
	ways
)

// allRows returns the training frame: three columns of numbers, one column of names, and two
// targets.
func allRows(way int) *frame.Frame {
	var a, b, c, y []float64
	var color, kind []string
	for i := range rowsOfAll {
		k := i % 3
		if way != threeClasses {
			k = i % 2
		}
		a = append(a, float64(3*k+i%4))
		b = append(b, float64(10-2*k+i*7%5))
		c = append(c, float64(i*3%7))
		if way == bits {
			a[i], b[i], c[i] = float64(k), float64(i/2%2), float64(i/3%2)
		}
		color = append(color, colors[(k+i/18)%3])
		y = append(y, 0.1+float64(k)/4+float64(i*5%11)/50)
		if way == noLine && i%12 < 2 {
			k = 1 - k
		}
		kind = append(kind, kinds[k])
	}
	f, err := frame.New(frame.FloatColumn("a", a), frame.FloatColumn("b", b), frame.FloatColumn("c", c),
		frame.StringColumn("color", color), frame.StringColumn("kind", kind), frame.FloatColumn("y", y))
	if err != nil {
		panic(err)
	}
	return f
}

// subjects returns all estimators of the registry: with a column of names if they accept one, and
// otherwise both without the column and after an encoder.
func subjects(t *testing.T) []subject {
	t.Helper()
	var all []subject
	used := map[string]bool{}
	for _, registered := range snapshot.Known() {
		name := strings.TrimPrefix(registered, "*")
		typ := snapshot.Type(registered)
		if _, part := typ.MethodByName("Schema"); !part {
			if noRows[name] == "" && isEstimator(typ) && name != "reduce.constant" { // which says one class of all rows
				t.Errorf("%s does not embed model.Fitted; embed it, or say in noRows why it reads no columns", name)
			}
			used[name] = noRows[name] != ""
			continue
		}
		used[name] = true
		if noRows[name] != "" {
			t.Errorf("%s is in noRows but embeds model.Fitted", name)
		}
		forms := configured[name]
		if forms == nil {
			forms = []func() any{func() any { return brief(reflect.New(typ.Elem()).Interface()) }}
		}
		for k, fresh := range forms {
			s := subject{name: name, fresh: fresh, columns: []string{"a", "b", "c"}}
			if k > 0 {
				s.name += fmt.Sprint("#", k)
			}
			if s.nominal = model.TakesOf(fresh()).Nominal && name != "prep.ConjunctionFeatures"; s.nominal { // its names are 0 and 1
				s.columns = []string{"a", "b", "c", "color"}
			}
			if oneColumn[name] {
				s.columns = s.columns[:1]
			}
			all = append(all, s)
			if s.nominal || oneColumn[name] {
				continue
			}
			switch fresh().(type) {
			case model.Classifier:
				s.fresh = func() any { return eval.Pipe(&prep.OneHotEncoder{}, fresh()) }
			case model.Regressor:
				s.fresh = func() any { return eval.PipeRegressor(&prep.OneHotEncoder{}, fresh()) }
			default:
				continue
			}
			if strings.HasPrefix(name, "nn.Network") || name == "linear.LogisticMLE" {
				continue // a Shape is the number of columns; the likelihood wants independent ones
			}
			s.name, s.nominal, s.columns = s.name+" encoded", true, []string{"a", "b", "c", "color"}
			all = append(all, s)
		}
	}
	for _, list := range []map[string]string{noRows, unknownLevel} {
		for name := range list {
			if !used[name] {
				t.Errorf("%s is listed and not registered", name)
			}
		}
	}
	for name := range configured {
		if !used[name] {
			t.Errorf("%s is configured and not registered", name)
		}
	}
	return all
}

// isEstimator reports whether a type has one of the methods by which models learn.
func isEstimator(typ reflect.Type) bool {
	for _, name := range []string{"Fit", "FitPredict", "FitQueries", "FitGraph", "Learn"} {
		if _, ok := typ.MethodByName(name); ok {
			return true
		}
	}
	return false
}

// brief reduces m to a small model that is fitted quickly.
func brief(m any) any {
	v := reflect.ValueOf(m).Elem()
	for name, n := range map[string]int64{"Trees": 3, "Rounds": 3, "Epochs": 3, "MaxIter": 20} {
		if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.Int {
			f.SetInt(n)
		}
	}
	return m
}

// fitted returns the subject fitted to the training frame, and that frame.
func (s *subject) fitted() (any, *frame.Frame, error) {
	var first error
	for way := range ways {
		m, f := s.fresh(), allRows(way)
		err := s.fitTo(m, f)
		if err == nil {
			return m, f, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, nil, first
}

func (s *subject) fitTo(m any, f *frame.Frame) (err error) {
	defer func() {
		if e, ok := recover().(error); ok {
			err = e
		}
	}()
	classes, numbers := f.Dataset("kind", s.columns...), f.Dataset("y", s.columns...)
	switch m := m.(type) {
	case interface {
		FitQueries(x mat.Matrix, y []float64, query []int) error
	}:
		query := make([]int, len(classes.Y))
		relevance := make([]float64, len(classes.Y))
		for i := range query {
			query[i], relevance[i] = i/12, float64(classes.Y[i])
		}
		return m.FitQueries(numbers.X, relevance, query)
	case *reduce.CollectiveClassifier:
		return m.FitGraph(classes.X, classes.Y, ring(rowsOfAll))
	case model.Classifier:
		data.FitTo(m, classes)
	case model.Regressor:
		data.FitTo(m, numbers)
	case *prob.DiscriminantProjection:
		m.Y = classes.Y
		return m.Fit(classes.X)
	case model.Transformer:
		_, err := model.FitTransform(m, classes.X, model.Targets{Labels: classes.Y})
		return err
	case interface{ Fit(x mat.Matrix) error }:
		return m.Fit(classes.X)
	case model.Clusterer:
		_, err := m.FitPredict(classes.X)
		return err
	case interface{ Learn(x mat.Matrix) error }:
		return m.Learn(classes.X)
	case interface{ Learn(x ...mat.Matrix) error }:
		return m.Learn(classes.X)
	default:
		return errors.New("the test does not know how to fit it")
	}
	return nil
}

func ring(n int) reduce.Graph {
	g := make(reduce.Graph, n)
	for i := range g {
		g[i] = []int{(i + 1) % n, (i + n - 1) % n}
	}
	return g
}

// answers returns all results of a fitted model for the rows of x, or its error.
func answers(m any, x mat.Matrix) (all [][]float64, refusal *model.Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *model.Error:
			all, refusal = nil, r
		default:
			panic(r)
		}
	}()
	matrix := func(d mat.Matrix) { all = append(all, mat.DenseCopyOf(d).RawMatrix().Data) }
	ints := func(v []int) {
		f := make([]float64, len(v))
		for i, k := range v {
			f[i] = float64(k)
		}
		all = append(all, f)
	}
	n, _ := x.Dims()
	if p, ok := m.(interface{ Predict(mat.Matrix) []int }); ok {
		ints(p.Predict(x))
	}
	if p, ok := m.(interface{ Predict(mat.Matrix) []bool }); ok {
		f := make([]float64, n)
		for i, yes := range p.Predict(x) {
			if yes {
				f[i] = 1
			}
		}
		all = append(all, f)
	}
	if p, ok := m.(interface{ Predict(mat.Matrix) []float64 }); ok {
		all = append(all, p.Predict(x))
	}
	if p, ok := m.(*nn.Diffusion); ok {
		matrix(p.Noised(x, 10, 1))
	}
	if p, ok := m.(interface{ PredictProba(mat.Matrix) *mat.Dense }); ok {
		matrix(p.PredictProba(x))
	}
	if p, ok := m.(interface{ Decision(mat.Matrix) *mat.Dense }); ok {
		if _, pipe := m.(*eval.Pipeline); !pipe { // whose model may have none
			matrix(p.Decision(x))
		}
	}
	if p, ok := m.(interface{ Transform(mat.Matrix) *model.Table }); ok {
		matrix(p.Transform(x))
	}
	if p, ok := m.(interface{ Score(mat.Matrix) []float64 }); ok {
		all = append(all, p.Score(x))
	}
	if p, ok := m.(interface{ Score(mat.Matrix) float64 }); ok {
		all = append(all, []float64{p.Score(x)})
	}
	if p, ok := m.(interface{ LogProb(mat.Matrix) float64 }); ok {
		all = append(all, []float64{p.LogProb(x)})
	}
	if p, ok := m.(interface{ PredictStd(mat.Matrix) []float64 }); ok {
		all = append(all, p.PredictStd(x))
	}
	if p, ok := m.(interface {
		Nearest(q mat.Matrix, k int) ([][]int, [][]float64)
	}); ok {
		_, far := p.Nearest(x, 2)
		all = append(all, far...)
	}
	if p, ok := m.(interface {
		PredictGraph(mat.Matrix, reduce.Graph) ([]int, [][]int)
	}); ok {
		label, _ := p.PredictGraph(x, ring(n))
		ints(label)
	}
	return all, nil
}

func sameAnswers(got, want [][]float64) error {
	if len(want) == 0 {
		return errors.New("the test does not know what it answers")
	}
	if len(got) != len(want) {
		return fmt.Errorf("got %d answers, want %d", len(got), len(want))
	}
	for k := range want {
		if len(got[k]) != len(want[k]) {
			return fmt.Errorf("answer %d: got %d numbers, want %d", k, len(got[k]), len(want[k]))
		}
		for i, w := range want[k] {
			if g := got[k][i]; !(math.Abs(g-w) <= 1e-9*max(1, math.Abs(w))) && !(math.IsNaN(g) && math.IsNaN(w)) && g != w {
				return fmt.Errorf("answer %d: number %d is %v, want %v", k, i, g, w)
			}
		}
	}
	return nil
}

// loaded returns m after saving and loading, or nil if it cannot be saved.
func loaded(t *testing.T, m any) any {
	t.Helper()
	var b bytes.Buffer
	if err := persist.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	again, err := persist.Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// where returns the rows in which the column of names has one of the values, and their indexes.
func where(f *frame.Frame, column string, values ...string) (*frame.Frame, []int) {
	mask, rows := make([]bool, f.Len()), []int(nil)
	for i := range mask {
		if mask[i] = slices.Contains(values, f.Col(column).Text(i)); mask[i] {
			rows = append(rows, i)
		}
	}
	return f.Where(mask), rows
}

// coded returns f with the column of names as categories with the given levels.
func coded(f *frame.Frame, column string, levels ...string) *frame.Frame {
	codes := make([]int32, f.Len())
	for i := range codes {
		codes[i] = int32(slices.Index(levels, f.Col(column).Text(i)))
	}
	return f.With(column, frame.CategoryColumn(column, codes, levels))
}

// replaced returns f with the values of a column of names changed.
func replaced(f *frame.Frame, column, from, to string) *frame.Frame {
	values := make([]string, f.Len())
	for i := range values {
		if values[i] = f.Col(column).Text(i); values[i] == from {
			values[i] = to
		}
	}
	return f.With(column, frame.StringColumn(column, values))
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// For a frame with the rows of the training data in another order of columns and levels, every
// estimator predicts the same as for the training data, or returns an error. That holds for a new
// model and for a saved and loaded one.
func TestNoEstimatorMisreadsAFrame(t *testing.T) {
	all := subjects(t)
	names := map[string]bool{}
	for _, s := range all {
		kind, _, _ := strings.Cut(strings.TrimSuffix(s.name, " encoded"), "#")
		names[kind] = true
		t.Run(s.name, func(t *testing.T) {
			m, f, err := s.fitted()
			if err != nil {
				t.Fatal(err)
			}
			s.check(t, m, f)
			t.Run("saved", func(t *testing.T) {
				s.check(t, loaded(t, m), f)
			})
		})
	}
	t.Logf("%d estimators in %d forms", len(names), len(all))
	if len(names) < 150 {
		t.Errorf("%d estimators were tested", len(names))
	}
}

func (s *subject) check(t *testing.T, m any, f *frame.Frame) {
	train := f.Dataset("kind", s.columns...)
	all := make([]int, f.Len())
	for i := range all {
		all[i] = i
	}
	bare := func(rows []int) mat.Matrix { // in the codes of the training data
		return &model.Table{Dense: train.Subset(rows).X.Dense, Columns: train.X.Columns}
	}
	same := func(what string, x mat.Matrix, rows []int) {
		t.Helper()
		want, refusal := answers(m, bare(rows))
		if refusal != nil {
			t.Fatalf("its own training rows: %v", refusal)
		}
		got, refusal := answers(m, x)
		if refusal != nil {
			t.Errorf("%s: %v", what, refusal)
		} else if err := sameAnswers(got, want); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused := func(what string, x mat.Matrix, words ...string) {
		t.Helper()
		got, refusal := answers(m, x)
		if refusal == nil {
			t.Errorf("%s: not refused: %v", what, got)
			return
		}
		for _, w := range words {
			if !strings.Contains(refusal.Error(), w) {
				t.Errorf("%s: the refusal does not say %s: %v", what, w, refusal)
			}
		}
	}
	same("the frame itself", f.Matrix(s.columns...), all)
	same("columns in another order", f.Matrix(reversed(s.columns)...), all)
	same("more columns", f.With("more", 1.0).Matrix(append([]string{"more", "y"}, s.columns...)...), all)
	swapped := slices.Clone(s.columns)
	swapped[0] = "aa"
	refused("a renamed column", f.Rename("a", "aa").Matrix(swapped...), `"a"`, `"aa"`)
	refused("a column less", f.With("more", 1.0).Matrix(append([]string{"more"}, s.columns[1:]...)...), `"a"`)
	refused("numbers that became names", replaced(f, "kind", "ant", "wasp").With("a", f.Col("kind")).Matrix(s.columns...), `"a"`, "numeric")
	if s.nominal {
		for _, some := range [][]string{{"green", "red"}, {"red"}, {"red", "blue"}} {
			part, rows := where(f, "color", some...)
			same(fmt.Sprint("rows of the training frame with ", some), part.Matrix(s.columns...), rows)
		}
		other := coded(f, "color", "red", "black", "green", "blue")
		same("levels in another order", other.Matrix(s.columns...), all)
		same("levels and columns in another order", other.Matrix(reversed(s.columns)...), all)
		refused("names that became numbers", f.With("color", f.Col("a")).Matrix(s.columns...), `"color"`)
		s.unknown(t, m, f)
	}
	if c, ok := m.(model.Classifier); ok {
		for _, some := range [][]string{kinds[1:], {"bee"}} {
			part, rows := where(f, "kind", some...)
			if s.name == "semi.TransductiveSVM" && len(some) < 2 {
				continue
			}
			d := part.Dataset("kind", reversed(s.columns)...)
			want := eval.Score(m, train.Subset(rows))
			if got := eval.Score(m, d); got != want {
				t.Errorf("the score on the classes %v is %v, want %v", some, got, want)
			}
			refused("classes with other numbers", d.X, `"kind"`, "Like")
			like := d.Like(m.(data.Described))
			if got := eval.Accuracy(like.Y, c.Predict(like.X)); got != want {
				t.Errorf("the accuracy on a data set like the model is %v, want %v", got, want)
			}
		}
	}
}

// unknown passes a level to m that it does not know, once with the first code and once with the
// last: m must return an error, or the same answers in both cases.
func (s *subject) unknown(t *testing.T, m any, f *frame.Frame) {
	t.Helper()
	first, refusal := answers(m, replaced(f, "color", "red", "amber").Matrix(s.columns...))
	last, again := answers(m, replaced(f, "color", "red", "white").Matrix(s.columns...))
	if (refusal == nil) != (again == nil) {
		t.Errorf("an unknown level: %v, and at another place: %v", refusal, again)
		return
	}
	if refusal != nil {
		if !strings.Contains(refusal.Error(), `"amber"`) || !strings.Contains(refusal.Error(), `"color"`) {
			t.Errorf("the refusal of an unknown level does not say which: %v", refusal)
		}
		if unknownLevel[s.name] != "" {
			t.Errorf("an unknown level, %s: %v", unknownLevel[s.name], refusal)
		}
		return
	}
	if unknownLevel[strings.Split(s.name, "#")[0]] == "" && !s.encodes() {
		t.Error("an unknown level was not refused, and its documentation does not say what becomes of it")
	}
	if strings.HasPrefix(s.name, "prep.Imputer") || strings.HasPrefix(s.name, "prep.SelectKBest") {
		return // they pass on the code that the level has in the frame
	}
	if err := sameAnswers(last, first); err != nil {
		t.Errorf("an unknown level: %v", err)
	}
}

// encodes reports whether the model contains an encoder.
func (s *subject) encodes() bool {
	return strings.HasSuffix(s.name, " encoded") || len(configured[strings.Split(s.name, "#")[0]]) > 0
}
