package score_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/frame/read"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/score"
	"github.com/gokernel/gokernel/mlstd/svm"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// customers has columns of all kinds that models take, and targets of all kinds. The columns
// "income" and "plan" of the last hundred rows have missing values.
func customers(t testing.TB) *frame.Frame {
	t.Helper()
	const n = 400
	rng := rand.New(rand.NewPCG(1, 2))
	plans := []string{"basic", "Basic", `O'Hare \ "x"`, "Ünter; --"}
	id, age, visits := make([]int64, n), make([]int64, n), make([]int64, n)
	income, score, claims, cost := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	plan, city, churned, level := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	member := make([]bool, n)
	gone, gone2 := make([]uint64, (n+63)/64), make([]uint64, (n+63)/64)
	for i := range id {
		id[i], age[i], visits[i] = int64(i), int64(18+rng.IntN(60)), int64(rng.IntN(9))
		income[i] = math.Round(rng.NormFloat64()*1e4)/100 + 30
		k := rng.IntN(len(plans))
		plan[i], city[i], member[i] = plans[k], []string{"Bonn", "Oslo", "Rome"}[rng.IntN(3)], rng.IntN(3) == 0
		z := float64(age[i]-40)/20 - income[i]/50 + float64(k) - 1 + rng.NormFloat64()
		score[i] = 10*z + 50
		claims[i], cost[i] = float64(rng.IntN(3)+int(max(0, z))), math.Exp(z/2)
		churned[i] = "no"
		if z > 0 {
			churned[i] = "yes"
		}
		level[i] = []string{"low", "middle", "high's"}[min(2, max(0, int(z+1.5)))]
		if i >= 300 && i%3 == 0 {
			gone[i/64] |= 1 << (i % 64)
			income[i] = math.NaN()
		}
		if i >= 300 && i%4 == 0 {
			gone2[i/64] |= 1 << (i % 64)
		}
	}
	f, err := frame.New(
		frame.IntColumn("id", id), frame.IntColumn("age", age), frame.IntColumn("visits", visits),
		frame.FloatColumn("income", income), frame.StringColumn("plan", plan).MarkMissing(gone2),
		frame.StringColumn("city", city), frame.BoolColumn("member", member),
		frame.StringColumn("churned", churned), frame.StringColumn("level", level),
		frame.FloatColumn("score", score), frame.FloatColumn("claims", claims), frame.FloatColumn("cost", cost))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	numbers = []string{"age", "income", "visits"}
	mixed   = []string{"age", "plan", "income", "city", "visits"}
)

// subject is a model and the data to fit it to.
type subject struct {
	model    any
	target   string
	features []string
	gaps     bool // fit it to rows with missing values
}

// encoded are the steps before a model of numbers.
func encoded() []any {
	return []any{&prep.Columns{Steps: []prep.ColumnStep{
		{Names: []string{"age", "income"}, Steps: []model.Transformer{&prep.Imputer{Fill: prep.FillMedian, Indicators: true}, &prep.StandardScaler{}}},
		{Names: []string{"plan", "city"}, Steps: []model.Transformer{&prep.Imputer{Fill: prep.FillMode}, &prep.OneHotEncoder{}}},
	}}}
}

func pipe(m any) any {
	if c, ok := m.(model.Classifier); ok {
		return eval.Pipe(append(encoded(), c)...)
	}
	return eval.PipeRegressor(append(encoded(), m)...)
}

func subjects() map[string]subject {
	stump := func() model.Classifier { return &tree.DecisionTree{MaxDepth: 2} }
	list := map[string]subject{
		"linear":             {&linear.LinearRegression{}, "score", numbers, false},
		"linear, bool":       {&linear.LinearRegression{}, "score", append([]string{"member"}, numbers...), false},
		"ridge":              {&linear.Ridge{}, "score", numbers, false},
		"ridge CV":           {&linear.RidgeCV{}, "score", numbers, false},
		"lasso":              {&linear.Lasso{Lambda: 3}, "score", numbers, false},
		"lasso CV":           {&linear.LassoCV{}, "score", numbers, false},
		"elastic net":        {&linear.ElasticNet{Lambda: 0.5, L1Ratio: 0.5}, "score", numbers, false},
		"elastic net CV":     {&linear.ElasticNetCV{}, "score", numbers, false},
		"Huber":              {&linear.HuberRegressor{}, "score", numbers, false},
		"quantile":           {&linear.QuantileRegressor{}, "score", numbers, false},
		"LMS":                {eval.PipeRegressor(&prep.StandardScaler{}, &linear.LMS{}), "score", numbers, false},
		"SGD regressor":      {eval.PipeRegressor(&prep.MinMaxScaler{Low: -1, High: 1}, &linear.SGDRegressor{}), "score", numbers, false},
		"Poisson":            {&linear.PoissonRegressor{}, "claims", numbers, false},
		"gamma":              {&linear.GammaRegressor{}, "cost", numbers, false},
		"logistic":           {&linear.LogisticRegression{}, "churned", numbers, false},
		"logistic, three":    {&linear.LogisticRegression{}, "level", numbers, false},
		"logistic, bool":     {&linear.LogisticRegression{}, "member", numbers, false},
		"logistic, sparse":   {pipe(&linear.LogisticRegression{L1Ratio: 1, C: 0.05}), "level", mixed, true},
		"softmax":            {&linear.SoftmaxRegression{}, "churned", numbers, false},
		"entropy":            {&linear.MaxEntropy{}, "level", numbers, false},
		"SGD":                {eval.Pipe(&prep.RobustScaler{}, &linear.SGDClassifier{}), "churned", numbers, false},
		"SGD, three":         {eval.Pipe(&prep.MaxAbsScaler{}, &linear.SGDClassifier{}), "level", numbers, false},
		"SGD, hinge":         {eval.Pipe(&prep.StandardScaler{}, &linear.SGDClassifier{Loss: optim.HingeLoss{}}), "level", numbers, false},
		"SVM":                {&svm.LinearSVC{}, "churned", numbers, false},
		"SVM, three":         {pipe(&svm.LinearSVC{}), "level", mixed, true},
		"LDA":                {&prob.LDA{}, "churned", numbers, false},
		"LDA, three":         {&prob.LDA{}, "level", numbers, false},
		"perceptron":         {&online.Perceptron{}, "churned", numbers, false},
		"threshold":          {&online.ThresholdPerceptron{}, "churned", numbers, false},
		"multiclass":         {&online.MulticlassPerceptron{}, "level", numbers, false},
		"tree":               {&tree.DecisionTree{}, "level", mixed, false},
		"tree, smooth":       {&tree.DecisionTree{Smoothing: 0.5, Nominal: tree.BinarySubset, MaxDepth: 5}, "churned", mixed, false},
		"tree, one level":    {&tree.DecisionTree{Nominal: tree.OneLevel, Missing: tree.BetterSide}, "level", mixed, true},
		"tree, missing":      {&tree.DecisionTree{Missing: tree.MostCommonValue, MaxDepth: 6}, "level", mixed, true},
		"stump":              {&tree.DecisionStump{}, "churned", mixed, false},
		"regression tree":    {&tree.RegressionTree{}, "score", mixed, false},
		"regression, gaps":   {&tree.RegressionTree{Missing: tree.BetterSide, MaxDepth: 7}, "score", mixed, true},
		"forest":             {&ensemble.RandomForest{Trees: 20}, "churned", mixed, false},
		"forest, three":      {&ensemble.RandomForest{Trees: 12, MaxDepth: 5}, "level", mixed, true},
		"forest regressor":   {&ensemble.RandomForestRegressor{Trees: 12}, "score", mixed, true},
		"extra trees":        {&ensemble.ExtraTrees{Trees: 10, MaxDepth: 7}, "level", mixed, false},
		"extra regressor":    {&ensemble.ExtraTreesRegressor{Trees: 8, MinLeaf: 4}, "score", mixed, false},
		"boosting":           {&ensemble.GradientBoosting{Rounds: 30}, "churned", mixed, true},
		"boosting, three":    {&ensemble.GradientBoosting{Rounds: 15, Rate: 0.3}, "level", mixed, false},
		"boosting regressor": {&ensemble.GradientBoostingRegressor{Rounds: 30}, "score", mixed, true},
		"hist":               {&ensemble.HistGradientBoosting{Rounds: 20}, "churned", mixed, true},
		"hist, three":        {&ensemble.HistGradientBoosting{Rounds: 10, MinLeaf: 5}, "level", mixed, false},
		"hist regressor":     {&ensemble.HistGradientBoostingRegressor{Rounds: 20, MinLeaf: 5}, "score", mixed, true},
		"hist Poisson":       {&ensemble.HistGradientBoostingRegressor{Rounds: 20, Loss: ensemble.PoissonError}, "claims", mixed, true},
		"AdaBoost":           {&ensemble.AdaBoost{Rounds: 30}, "churned", numbers, false},
		"AdaBoost, trees":    {&ensemble.AdaBoost{Rounds: 10, New: stump}, "churned", mixed, false},
		"AdaBoost M1":        {&ensemble.AdaBoostM1{Rounds: 10, New: stump}, "level", mixed, false},
		"bagging":            {&ensemble.Bagging{Size: 7, New: stump}, "level", mixed, false},
		"bagging regressor":  {&ensemble.BaggingRegressor{Size: 5, New: func() model.Regressor { return &linear.Ridge{} }}, "score", numbers, false},
		"Gauss":              {&prob.GaussianNB{}, "churned", numbers, false},
		"Gauss, three":       {&prob.GaussianNB{}, "level", numbers, false},
		"Bernoulli":          {&prob.BernoulliNB{Threshold: 40}, "level", numbers, false},
		"multinomial":        {eval.Pipe(&prep.MinMaxScaler{}, &prob.MultinomialNB{}), "churned", numbers, false},
		"pipeline":           {pipe(&linear.Ridge{}), "score", mixed, true},
		"forest in pipeline": {eval.Pipe(&prep.OneHotEncoder{}, &ensemble.RandomForest{Trees: 10, MaxDepth: 5}), "churned", mixed, true},
		"tree in pipeline":   {eval.Pipe(&prep.OneHotEncoder{}, &prep.StandardScaler{}, &tree.DecisionTree{MaxDepth: 5}), "churned", mixed, false},
		"unknown as missing": {eval.Pipe(&prep.UnknownAsMissing{}, &tree.DecisionTree{Missing: tree.MostCommonValue, MaxDepth: 4}), "churned", mixed, true},
		"polynomial":         {eval.PipeRegressor(&prep.StandardScaler{}, &prep.PolynomialFeatures{}, &linear.Ridge{}), "score", numbers, false},
		"best features":      {eval.Pipe(&prep.OneHotEncoder{}, &prep.VarianceThreshold{}, &prep.SelectKBest{K: 4}, &linear.LogisticRegression{}), "churned", mixed, false},
		"union":              {eval.Pipe(&prep.Union{Steps: []model.Transformer{&prep.StandardScaler{}, &prep.MaxAbsScaler{}}}, &linear.LogisticRegression{}), "churned", numbers, false},
		"search": {&eval.Search{New: func(p eval.Params) model.Classifier { return &tree.DecisionTree{MaxDepth: int(p["depth"])} },
			Points: eval.GridPoints(map[string][]float64{"depth": {2, 4}})}, "churned", mixed, false},
		"probability pipeline": {&eval.ProbPipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.LogisticRegression{}}, "level", numbers, false},
	}
	return list
}

// fit fits the model of a subject.
func (s *subject) fit(t testing.TB, f *frame.Frame) {
	t.Helper()
	if !s.gaps {
		f = f.DropMissing()
	}
	data.FitTo(s.model, f.Dataset(s.target, s.features...))
}

// last returns the model at the end of pipelines and searches, with the rows that it gets.
func last(m any, x mat.Matrix) (any, mat.Matrix) {
	for s, ok := m.(model.Staged); ok; s, ok = m.(model.Staged) {
		m, x = s.Last(), s.Transform(x)
	}
	return m, x
}

// want returns the predictions of the model's own methods for the rows of f, by the name of a
// column: "p" are the predictions, and "p0", "p1" ... the probabilities of the classes. The entry
// of a row that the model refuses is nil.
func (s *subject) want(f *frame.Frame) map[string][]any {
	x := f.Matrix(s.features...)
	n, width := x.Dims()
	takes := model.TakesOf(s.model).Missing
	var kept []int
	for i := range n {
		whole := true
		for j := range width {
			whole = whole && !math.IsNaN(x.At(i, j))
		}
		if whole || takes {
			kept = append(kept, i)
		}
	}
	rows := mat.NewDense(len(kept), width, nil)
	for k, i := range kept {
		rows.SetRow(k, x.RawRowView(i))
	}
	part := &model.Table{Dense: rows, Columns: x.Columns}
	out := map[string][]any{"p": make([]any, n)}
	switch m := s.model.(type) {
	case model.Classifier:
		names := f.Dataset(s.target, s.features...).ClassNames()
		for k, c := range m.Predict(part) {
			out["p"][kept[k]] = names[c]
		}
		end, z := last(m, part)
		p, ok := end.(model.ProbClassifier)
		if sgd, is := end.(*linear.SGDClassifier); !ok || is && sgd.Loss != nil {
			break
		}
		proba := p.PredictProba(z)
		for c := range names {
			column := make([]any, n)
			for k, i := range kept {
				column[i] = proba.At(k, c)
			}
			out["p"+strconv.Itoa(c)] = column
		}
	case model.Regressor:
		for k, v := range m.Predict(part) {
			out["p"][kept[k]] = v
		}
	}
	return out
}

// expressions returns the expressions of the columns of want.
func (s *subject) expressions(f *frame.Frame, want map[string][]any) map[string]*lazy.Column {
	out := map[string]*lazy.Column{"p": score.Predict(s.model)}
	for name := range want {
		if c, err := strconv.Atoi(strings.TrimPrefix(name, "p")); err == nil {
			out[name] = score.Probability(s.model, f.Dataset(s.target, s.features...).ClassNames()[c])
		}
	}
	return out
}

// compare checks the values of a column.
func compare(t *testing.T, name string, got *frame.Column, want []any) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%s: got %d rows, want %d", name, got.Len(), len(want))
	}
	seen := map[any]bool{}
	for i, w := range want {
		g := got.At(i)
		if v, ok := w.(float64); ok {
			if math.IsNaN(v) {
				w = nil
			} else if x, ok := g.(float64); ok && (math.Abs(x-v) <= 1e-12*math.Abs(v) || math.Abs(x-v) < 1e-300) {
				seen[v] = true
				continue
			}
		}
		if got.IsMissing(i) != (w == nil) || w != nil && g != w {
			t.Errorf("%s, row %d: got %v, want %v", name, i, g, w)
			return
		}
		seen[w] = true
	}
	if len(seen) < 2 {
		t.Errorf("%s: all rows are equal", name)
	}
}

func TestInMemory(t *testing.T) {
	f := customers(t)
	for name, s := range subjects() {
		t.Run(name, func(t *testing.T) {
			s.fit(t, f)
			want := s.want(f)
			lf := read.ScanFrame(f)
			for name, c := range s.expressions(f, want) {
				compare(t, name, f.With("out", c).Col("out"), want[name])
				g, err := lf.With("out", c).Select("out").Collect()
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "scan of "+name, g.Col("out"), want[name])
			}
		})
	}
}

// inDatabase compares the predictions of a database with those of the models.
func inDatabase(t *testing.T, db *database.DB) {
	f := customers(t)
	if err := db.Write("customers", f); err != nil {
		t.Fatal(err)
	}
	table, err := db.Table("customers")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range subjects() {
		t.Run(name, func(t *testing.T) {
			s.fit(t, f)
			want := s.want(f)
			for name, c := range s.expressions(f, want) {
				q := table.With("out", c).Sort("id").Select("out")
				got, err := q.Collect()
				if err != nil {
					text, _ := q.SQL()
					t.Fatalf("%s: %.600v\n%.2000s", name, err, text)
				}
				compare(t, name, got.Col("out"), want[name])
			}
		})
	}
}

func TestSQLite(t *testing.T) {
	db, err := database.Connect(filepath.Join(t.TempDir(), "shop.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	inDatabase(t, db)
}

// TestDialects checks that each dialect can write each expression, and that statements stay small.
func TestDialects(t *testing.T) {
	f := customers(t)
	for name, s := range subjects() {
		s.fit(t, f)
		for _, dialect := range []string{"PostgreSQL", "MariaDB", "SQLite", "Spark", "Trino", "ClickHouse"} {
			text, err := lazy.New(nil, "customers", f).With("out", score.Predict(s.model)).SQLFor(dialect)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if len(text) > 500_000 {
				t.Errorf("%s: the statement for %s has %d bytes", name, dialect, len(text))
			}
		}
	}
}

// refusal returns the error of a panic.
func refusal(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err, _ = p.(*model.Error)
			if err == nil {
				err = fmt.Errorf("%v", p)
			}
		}
	}()
	f()
	return nil
}

func TestRefusals(t *testing.T) {
	f := customers(t).DropMissing()
	d := f.Dataset("churned", numbers...)
	logistic := &linear.LogisticRegression{}
	data.FitTo(logistic, d)
	knn := &neighbors.KNN{K: 3}
	data.FitTo(knn, d)
	bare := &linear.LogisticRegression{}
	if err := bare.Fit(mat.DenseCopyOf(d.X), d.Y); err != nil {
		t.Fatal(err)
	}
	large := &ensemble.RandomForest{Trees: 400}
	data.FitTo(large, f.Dataset("level", mixed...))
	ridge := &linear.Ridge{}
	data.FitTo(ridge, f.Dataset("score", numbers...))
	margin := &svm.LinearSVC{}
	data.FitTo(margin, d)
	divided := &tree.DecisionTree{Missing: tree.FractionalExamples}
	data.FitTo(divided, d)
	step := eval.Pipe(&prep.KBins{}, &linear.LogisticRegression{})
	data.FitTo(step, d)
	plans := &tree.DecisionTree{}
	data.FitTo(plans, f.Dataset("churned", "plan"))
	for name, c := range map[string]struct {
		do   func()
		want []string
	}{
		"nil":            {func() { score.Predict(nil) }, []string{"the model must not be nil"}},
		"not a model":    {func() { score.Predict(3) }, []string{"a model of type int"}},
		"unknown model":  {func() { score.Predict(knn) }, []string{"a model of type KNN cannot be an expression", "collect the rows"}},
		"unknown step":   {func() { score.Predict(step) }, []string{"a model of type KBins cannot be"}},
		"not fitted":     {func() { score.Predict(&linear.Ridge{}) }, []string{"the Ridge must be fitted to columns with names", "ml.Fit(m, f.Dataset"}},
		"bare matrix":    {func() { score.Predict(bare) }, []string{"the LogisticRegression must be fitted to columns with names"}},
		"too large":      {func() { score.Predict(large) }, []string{"at most 10000 splits and terms", "MaxDepth"}},
		"divided":        {func() { score.Predict(divided) }, []string{"Missing must not be FractionalExamples"}},
		"class":          {func() { score.Probability(logistic, "Yes") }, []string{`the class must be a class of the model, got "Yes"`, `"no", "yes"`}},
		"regressor":      {func() { score.Probability(ridge, "yes") }, []string{"the model must be a classifier, got Ridge", "use Predict"}},
		"no probability": {func() { score.Probability(margin, "yes") }, []string{"the model must estimate probabilities, got LinearSVC"}},
		"missing column": {func() { f.Drop("age").With("p", score.Predict(logistic)) }, []string{`there is no column "age"`}},
		"other kind":     {func() { f.Drop("age").Rename("city", "age").With("p", score.Predict(logistic)) }, []string{`the column "age" must hold numbers`}},
		"not strings":    {func() { f.Drop("plan").Rename("age", "plan").With("p", score.Predict(plans)) }, []string{`the column "plan" must hold strings`}},
	} {
		err := refusal(c.do)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got %q, want %q in it", name, err, part)
			}
		}
	}
}

// TestUnknownLevels checks rows that the model refuses: their predictions are missing.
func TestUnknownLevels(t *testing.T) {
	f := customers(t).DropMissing()
	m := &ensemble.RandomForest{Trees: 5, MaxDepth: 4}
	data.FitTo(m, f.Where(f.Col("plan").NotEqual("Basic")).Dataset("churned", mixed...))
	p := f.With("p", score.Predict(m)).Col("p")
	for i := range f.Len() {
		if unknown := f.Col("plan").At(i) == "Basic"; unknown != p.IsMissing(i) {
			t.Errorf("row %d with the plan %v: got %v", i, f.Col("plan").At(i), p.At(i))
		}
	}
	ignores := eval.Pipe(&prep.OneHotEncoder{}, &linear.LogisticRegression{})
	data.FitTo(ignores, f.Where(f.Col("plan").NotEqual("Basic")).Dataset("churned", mixed...))
	p = f.With("p", score.Predict(ignores)).Col("p")
	for i, c := range ignores.Predict(f.Matrix(mixed...)) {
		if want := []string{"no", "yes"}[c]; p.At(i) != want {
			t.Errorf("row %d with the plan %v: got %v, want %v", i, f.Col("plan").At(i), p.At(i), want)
		}
	}
}

// TestUnseenLevels checks levels that the columns list, but that no training example has.
func TestUnseenLevels(t *testing.T) {
	f := customers(t)
	d := f.Dataset("churned", mixed...)
	var kept []int
	for i := range f.Len() {
		if f.Col("plan").At(i) != "Basic" {
			kept = append(kept, i)
		}
	}
	x, y := &model.Table{Dense: mat.NewDense(len(kept), len(mixed), nil), Columns: d.X.Columns, Target: d.X.Target}, make([]int, len(kept))
	for k, i := range kept {
		x.SetRow(k, mat.Row(nil, i, d.X))
		y[k] = d.Y[i]
	}
	for name, m := range map[string]model.Classifier{
		"hist":   &ensemble.HistGradientBoosting{Rounds: 10, MinLeaf: 5},
		"forest": &ensemble.RandomForest{Trees: 7},
		"tree":   &tree.DecisionTree{Missing: tree.BetterSide},
	} {
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		p := f.With("p", score.Predict(m)).Col("p")
		for i, c := range m.Predict(d.X) {
			if want := d.ClassNames()[c]; p.At(i) != want {
				t.Errorf("%s, row %d with the plan %v: got %v, want %v", name, i, f.Col("plan").At(i), p.At(i), want)
			}
		}
	}
}

// TestNumberedClasses checks the predictions of a model whose classes have no names.
func TestNumberedClasses(t *testing.T) {
	f := customers(t).DropMissing()
	x := f.Matrix(numbers...)
	y := make([]int, f.Len())
	for i := range y {
		y[i] = 3 + 4*(i%2)
		if f.Col("churned").At(i) == "yes" {
			y[i] = 5
		}
	}
	m := &linear.LogisticRegression{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	g := f.With("p", score.Predict(m)).With("five", score.Probability(m, "5"))
	proba := m.PredictProba(x)
	for i, want := range m.Predict(x) {
		if got := g.Col("p").At(i); got != int64(want) {
			t.Errorf("row %d: got %v, want %d", i, got, want)
		}
		if got := g.Col("five").At(i).(float64); math.Abs(got-proba.At(i, 1)) > 1e-12*got {
			t.Errorf("row %d: got %v, want %v", i, got, proba.At(i, 1))
		}
	}
}
