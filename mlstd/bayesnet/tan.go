package bayesnet

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NaiveNetwork is naive Bayes as a Bayesian network: the only arrows lead from the class to each
// feature.
//
//	P(y, x) = P(y)·Πᵢ P(xᵢ | y)
//
// Values are 0, 1, 2 ... or the levels of a nominal column. The tables of the features are
// smoothed; the class has its observed frequencies.
//
// Cost: O(n·d). References: [Mitchell1997] §6.9. Course: BN-19.
type NaiveNetwork struct {
	// Alpha is the smoothing constant, which is added to every count; 0 means 1, and model.Zero
	// means none. A larger value makes the probabilities more uniform.
	Alpha float64

	Net *BayesNetwork // set by Fit: the class is the last variable

	classed

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that columns may be nominal.
func (m *NaiveNetwork) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit learns the tables by counting.
func (m *NaiveNetwork) Fit(x mat.Matrix, y []int) error {
	const op = "NaiveNetwork.Fit"
	model.NoteXY(&m.Fitted, x, y)
	*m = NaiveNetwork{Alpha: m.Alpha, Fitted: m.Fitted}
	e, err := readLabelled(op, x, y, m.Alpha)
	if err != nil {
		return err
	}
	parents := make([][]int, len(e.vars))
	for i := range len(parents) - 1 {
		parents[i] = []int{len(parents) - 1}
	}
	if m.Net, err = e.learn(op, "naive Bayes", parents); err != nil {
		return err
	}
	m.classes = e.classes
	return nil
}

// Classes lists the classes in ascending order.
func (m *NaiveNetwork) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *NaiveNetwork) Predict(x mat.Matrix) []int {
	x = model.MustRead("NaiveNetwork.Predict", &m.Fitted, x)
	return m.best(m.joint("NaiveNetwork.Predict", m.Net, x))
}

// PredictProba returns P(y | x) for each row.
func (m *NaiveNetwork) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NaiveNetwork.PredictProba", &m.Fitted, x)
	j := m.joint("NaiveNetwork.PredictProba", m.Net, x)
	return proba(j, m.Net.vars[len(m.Net.vars)-1].table)
}

// TAN is tree-augmented naive Bayes: each feature except the root has another feature as a parent,
// besides the class.
//
//	P(y, x) = P(y)·Πᵢ P(xᵢ | y, x_parent(i))
//	max over trees of Σ I(Xᵢ;Xⱼ|Y),  I = Σ P(xᵢ,xⱼ,y)·log₂(P(xᵢ,xⱼ|y) / (P(xᵢ|y)·P(xⱼ|y)))
//
// Steps: compute the mutual information of each pair of features given the class, find its maximum
// spanning tree, direct it away from Root, and add arrows from the class to all features. The
// result is the maximum likelihood network of this form.
//
// Cost: O(n·d²). Pitfalls: tables have one row per class and state of the parent, so with few
// examples most rows are determined by the smoothing.
//
// References: [Friedman1997]. Course: BN-20.
type TAN struct {
	// Alpha is the smoothing constant, which is added to every count; 0 means 1, and model.Zero
	// means none. A larger value makes the probabilities more uniform.
	Alpha float64
	Root  int // the column without a feature as a parent

	Net     *BayesNetwork  // set by Fit: the class is the last variable
	Weights *mat.Dense     // set by Fit: I(Xᵢ;Xⱼ|Y) in bits; on the diagonal H(Xᵢ|Y)
	Edges   []SpanningEdge // set by Fit: the edges of the tree, the heaviest first

	classed

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that columns may be nominal.
func (m *TAN) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit finds the tree and learns the tables by counting.
func (m *TAN) Fit(x mat.Matrix, y []int) error {
	const op = "TAN.Fit"
	model.NoteXY(&m.Fitted, x, y)
	*m = TAN{Alpha: m.Alpha, Root: m.Root, Fitted: m.Fitted}
	e, err := readLabelled(op, x, y, m.Alpha)
	if err != nil {
		return err
	}
	d := len(e.vars) - 1
	if m.Root < 0 || m.Root >= d {
		return model.Errorf(op, "Root must be between 0 and %d (a column of x), got %d", d-1, m.Root)
	}
	w := information(&rows{e.rows.n, e.rows.cols[:d]}, cardsOf(e.vars[:d]), e.index, len(e.classes))
	edges := Kruskal(w)
	parents := make([][]int, d+1)
	for i, p := range directed(edges, d, m.Root) {
		parents[i] = []int{d}
		if p >= 0 {
			parents[i] = []int{d, p}
		}
	}
	net, err := e.learn(op, "TAN", parents)
	if err != nil {
		return err
	}
	m.Net, m.Weights, m.Edges, m.classes = net, w, edges, e.classes
	return nil
}

// Classes lists the classes in ascending order.
func (m *TAN) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *TAN) Predict(x mat.Matrix) []int {
	x = model.MustRead("TAN.Predict", &m.Fitted, x)
	return m.best(m.joint("TAN.Predict", m.Net, x))
}

// PredictProba returns P(y | x) for each row.
func (m *TAN) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("TAN.PredictProba", &m.Fitted, x)
	j := m.joint("TAN.PredictProba", m.Net, x)
	return proba(j, m.Net.vars[len(m.Net.vars)-1].table)
}

// ChowLiuClassifier has a Chow-Liu tree of the features for each class. Unlike in [TAN], the tree
// may differ from class to class.
//
//	P(y, x) = P(y)·Πᵢ P_y(xᵢ | x_parent(i, y))
//
// Cost: O(n·d²). References: [Friedman1997] §4, [ChowLiu1968]. Course: BN-10, BN-20.
type ChowLiuClassifier struct {
	// Alpha is the smoothing constant, which is added to every count; 0 means 1, and model.Zero
	// means none. A larger value makes the probabilities more uniform.
	Alpha float64

	Members []*BayesNetwork // set by Fit: for each class, a tree of the features
	Prior   []float64       // set by Fit: the fraction of each class

	classed

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that columns may be nominal.
func (m *ChowLiuClassifier) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit finds a tree for the examples of each class.
func (m *ChowLiuClassifier) Fit(x mat.Matrix, y []int) error {
	const op = "ChowLiuClassifier.Fit"
	model.NoteXY(&m.Fitted, x, y)
	*m = ChowLiuClassifier{Alpha: m.Alpha, Fitted: m.Fitted}
	e, err := readLabelled(op, x, y, m.Alpha)
	if err != nil {
		return err
	}
	d := len(e.vars) - 1
	var members []*BayesNetwork
	var prior []float64
	for k := range e.classes {
		part := &labelled{vars: e.vars[:d], rows: &rows{cols: make([][]int32, d)}, alpha: e.alpha}
		for r, c := range e.index {
			if c != k {
				continue
			}
			part.rows.n++
			for i := range d {
				part.rows.cols[i] = append(part.rows.cols[i], e.rows.cols[i][r])
			}
		}
		n, err := part.tree(op, e.vars[d].States[k])
		if err != nil {
			return err
		}
		members = append(members, n)
		prior = append(prior, float64(part.rows.n)/float64(e.rows.n))
	}
	m.Members, m.Prior, m.classes = members, prior, e.classes
	return nil
}

// tree learns a Chow-Liu tree of all variables with smoothed tables.
func (e *labelled) tree(op, name string) (*BayesNetwork, error) {
	parents := make([][]int, len(e.vars))
	for _, edge := range Prim(information(e.rows, cardsOf(e.vars), nil, 0), 0) {
		parents[edge.To] = []int{edge.From}
	}
	n, err := structure(op, name, e.vars, parents)
	if err != nil {
		return nil, err
	}
	pseudo, err := CPTPrior{Alpha: e.alpha}.pseudo(op, n)
	if err != nil {
		return nil, err
	}
	return n.with(n.tables(n.counts(e.rows), pseudo)), nil
}

// Classes lists the classes in ascending order.
func (m *ChowLiuClassifier) Classes() []int { return slices.Clone(m.classes) }

func (m *ChowLiuClassifier) joint(op string, x mat.Matrix) *mat.Dense {
	if len(m.Members) == 0 {
		panic(model.NotFitted(op))
	}
	d := m.Takes().MustRows(op, x, len(m.Members[0].vars))
	n, features := d.Dims()
	out := mat.NewDense(n, len(m.Members), nil)
	states := make([]int, features)
	for r := range n {
		read(d.RawRowView(r), m.Members[0], states)
		for k, net := range m.Members {
			out.Set(r, k, math.Log(m.Prior[k])+net.logFirst(states, features))
		}
	}
	return out
}

// Predict returns the most probable class of each row.
func (m *ChowLiuClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("ChowLiuClassifier.Predict", &m.Fitted, x)
	return m.best(m.joint("ChowLiuClassifier.Predict", x))
}

// PredictProba returns P(y | x) for each row.
func (m *ChowLiuClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ChowLiuClassifier.PredictProba", &m.Fitted, x)
	return proba(m.joint("ChowLiuClassifier.PredictProba", x), m.Prior)
}
