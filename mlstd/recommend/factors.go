package recommend

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FactorSolver determines how [FactorRecommender] finds its factors.
type FactorSolver int

const (
	AlternatingFactors FactorSolver = iota // alternating least squares (ALS)
	StochasticFactors                      // stochastic gradient descent (SGD)
)

// FactorRecommender factorizes the matrix of ratings: each user and each item gets a vector of a
// few latent factors, and the dot product of a user's and an item's vector approximates the rating.
//
//	r̂ᵤᵢ = μ + bᵤ + cᵢ + pᵤ·qᵢ,  J = Σ (rᵤᵢ − r̂ᵤᵢ)² + Lambda·Σ (bᵤ² + cᵢ² + ‖pᵤ‖² + ‖qᵢ‖²)
//
// where each user and item is penalized once. Alternating least squares solves for all (bᵤ, pᵤ)
// with the items fixed, then for all (cᵢ, qᵢ) with the users fixed, so J never rises. The
// stochastic solver takes one step per rating, along the negative gradient of the rating's squared
// error; it applies the penalty once per rating.
//
// Cost: O(ratings·k² + (users + items)·k³) per alternating pass, O(ratings·k) per stochastic pass.
//
// References: [Koren2009].
// Course: DEC-07, DEC-08.
type FactorRecommender struct {
	model.Control

	// Components is the number of latent factors per user and per item; 0 means 10. More factors
	// fit the known ratings more closely.
	Components int
	// Solver determines how the factors are found. The default is AlternatingFactors.
	Solver FactorSolver
	// Lambda is the strength of the penalty; 0 means 1 for AlternatingFactors, 0.02 for
	// StochasticFactors. A larger penalty fits the known ratings less closely.
	Lambda float64
	// Rate is the learning rate of StochasticFactors; 0 means 0.01. With a larger rate, learning is
	// faster but may diverge.
	Rate float64
	// Epochs is the number of passes; 0 means 20. More passes fit the known ratings
	// more closely.
	Epochs int
	// NoIntercept removes μ, b and c from the model.
	NoIntercept bool
	// Seed is the random seed for the initial factors and for the order of the ratings.
	Seed uint64

	Mean        float64     // set by Learn: μ
	UserOffsets []float64   // set by Learn: b
	ItemOffsets []float64   // set by Learn: c
	UserFactors *mat.Dense  // set by Learn: p, one user a row
	ItemFactors *mat.Dense  // set by Learn: q, one item a row
	Trace       model.Trace // set by Learn; Loss is J, for StochasticFactors the squared error
}

// Learn fits the factors to the ratings.
func (f *FactorRecommender) Learn(r *Ratings) error {
	const op = "FactorRecommender.Learn"
	f.Mean, f.UserOffsets, f.ItemOffsets, f.UserFactors, f.ItemFactors, f.Trace = 0, nil, nil, nil, nil, model.Trace{}
	if err := r.check(op); err != nil {
		return err
	}
	k, err := model.Iterations(op, "Components", f.Components, 10)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", f.Epochs, 20)
	if err != nil {
		return err
	}
	usual := 1.0
	if f.Solver == StochasticFactors {
		usual = 0.02
	}
	lambda, rate := model.Or(f.Lambda, usual), model.Or(f.Rate, 0.01)
	if err := limits.Check(op,
		limits.NotNegative("Lambda", lambda),
		limits.Positive("Rate", rate),
		limits.Must("Solver", int(f.Solver), f.Solver >= AlternatingFactors && f.Solver <= StochasticFactors, "be AlternatingFactors or StochasticFactors")); err != nil {
		return err
	}
	w := &factorWork{r: r, k: k, lambda: lambda, offsets: !f.NoIntercept}
	w.start(f.Seed)
	run := f.Begin("FactorRecommender", epochs)
	defer run.End()
	var trace model.Trace
	users, items := r.lists(false), r.lists(true)
	for epoch := range epochs {
		if f.Solver == AlternatingFactors {
			w.side(users, w.b, w.p, w.c, w.q)
			w.side(items, w.c, w.q, w.b, w.p)
		} else {
			w.pass(rate, model.Rand(f.Seed, uint64(epoch)+1).Perm(len(r.Value)))
		}
		loss := w.loss(f.Solver == AlternatingFactors)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return model.Errorf(op, "the descent diverged").WithHint("set a smaller Rate or a larger Lambda")
		}
		trace.Loss = append(trace.Loss, loss)
		if err := run.Step(epoch+1, loss); err != nil {
			return err
		}
	}
	f.Mean, f.UserOffsets, f.ItemOffsets, f.UserFactors, f.ItemFactors, f.Trace = w.mean, w.b, w.c, w.p, w.q, trace
	return nil
}

// factorWork is the state of one search for factors.
type factorWork struct {
	r       *Ratings
	k       int
	lambda  float64
	offsets bool
	mean    float64
	b, c    []float64
	p, q    *mat.Dense
}

func (w *factorWork) start(seed uint64) {
	n, items := w.r.Users(), w.r.Items()
	if w.offsets {
		w.mean = floats.Sum(w.r.Value) / float64(len(w.r.Value))
	}
	w.b, w.c = make([]float64, n), make([]float64, items)
	w.p, w.q = mat.NewDense(n, w.k, nil), mat.NewDense(items, w.k, nil)
	rng := model.Rand(seed, 0)
	for _, m := range []*mat.Dense{w.p, w.q} {
		data := m.RawMatrix().Data
		for i := range data {
			data[i] = 0.1 * rng.NormFloat64()
		}
	}
}

func (w *factorWork) predict(u, i int) float64 {
	return w.mean + w.b[u] + w.c[i] + floats.Dot(w.p.RawRowView(u), w.q.RawRowView(i))
}

// side solves for the offsets and factors of all users with the items fixed, or the other way
// around. A user without a rating gets zeros.
func (w *factorWork) side(lists [][]entry, b []float64, p *mat.Dense, c []float64, q *mat.Dense) {
	size := w.k
	if w.offsets {
		size++
	}
	par.Range(len(lists), 16, func(lo, hi int) {
		g, a, v := make([]float64, size*size), make([]float64, size), make([]float64, size)
		for u := lo; u < hi; u++ {
			clear(g)
			clear(a)
			for _, e := range lists[u] {
				copy(v, q.RawRowView(e.at))
				if w.offsets {
					v[w.k] = 1
				}
				floats.AddScaled(a, e.value-w.mean-c[e.at], v)
				for j := range size {
					floats.AddScaled(g[j*size:(j+1)*size], v[j], v)
				}
			}
			for j := range size {
				g[j*size+j] += max(w.lambda, 1e-10)
			}
			if !linalg.Cholesky(g, size) {
				continue // as it was
			}
			linalg.SolveCholesky(g, a)
			copy(p.RawRowView(u), a[:w.k])
			if w.offsets {
				b[u] = a[w.k]
			}
		}
	})
}

// pass goes over all ratings in the order given.
func (w *factorWork) pass(rate float64, order []int) {
	for _, at := range order {
		u, i := w.r.User[at], w.r.Item[at]
		e := w.r.Value[at] - w.predict(u, i)
		if w.offsets {
			w.b[u] += rate * (e - w.lambda*w.b[u])
			w.c[i] += rate * (e - w.lambda*w.c[i])
		}
		p, q := w.p.RawRowView(u), w.q.RawRowView(i)
		for j := range p {
			pj := p[j]
			p[j] += rate * (e*q[j] - w.lambda*pj)
			q[j] += rate * (e*pj - w.lambda*q[j])
		}
	}
}

func (w *factorWork) loss(penalty bool) float64 {
	sum := 0.0
	for i, v := range w.r.Value {
		e := v - w.predict(w.r.User[i], w.r.Item[i])
		sum += e * e
	}
	if penalty {
		for _, v := range [][]float64{w.b, w.c, w.p.RawMatrix().Data, w.q.RawMatrix().Data} {
			sum += w.lambda * floats.Dot(v, v)
		}
	}
	return sum
}

// Predict returns the rating that user is expected to give item. If Learn did not see the user or
// the item, the prediction uses no factors.
func (f *FactorRecommender) Predict(user, item int) float64 {
	if f.UserFactors == nil {
		panic(model.NotFitted("FactorRecommender.Predict"))
	}
	knowsUser, knowsItem := user >= 0 && user < len(f.UserOffsets), item >= 0 && item < len(f.ItemOffsets)
	out := f.Mean
	if knowsUser {
		out += f.UserOffsets[user]
	}
	if knowsItem {
		out += f.ItemOffsets[item]
	}
	if knowsUser && knowsItem {
		out += floats.Dot(f.UserFactors.RawRowView(user), f.ItemFactors.RawRowView(item))
	}
	return out
}

// ImplicitRecommender learns from implicit feedback, such as how often users watched or bought,
// instead of ratings. The absence of an action is also information, though less certain.
//
//	J = Σᵤᵢ (1 + Alpha·rᵤᵢ)·([rᵤᵢ > 0] − pᵤ·qᵢ)² + Lambda·(Σ‖pᵤ‖² + Σ‖qᵢ‖²)
//
// over all users and items, by alternating least squares: QᵀQ is computed once per pass, so the
// cost depends only on the nonzero entries. J never rises.
//
// Cost: O(entries·k² + (users + items)·k³) per pass.
//
// References: [HuKorenVolinsky2008].
// Course: DEC-08.
type ImplicitRecommender struct {
	model.Control

	// Components is the number of latent factors per user and per item; 0 means 10. More factors
	// fit the known ratings more closely.
	Components int
	// Alpha is the confidence that each action adds; 0 means 40.
	Alpha float64
	// Lambda is the strength of the penalty; 0 means 1. A larger penalty fits the known ratings
	// less closely.
	Lambda float64
	// Epochs is the number of passes; 0 means 15. More passes fit the known ratings
	// more closely.
	Epochs int
	// Seed is the random seed for the initial factors.
	Seed uint64

	UserFactors *mat.Dense  // set by Learn: p, one user a row
	ItemFactors *mat.Dense  // set by Learn: q, one item a row
	Trace       model.Trace // set by Learn; Loss is J
}

// Learn fits the factors to the counts. The values of r are counts of actions and must not be
// negative.
func (m *ImplicitRecommender) Learn(r *Ratings) error {
	const op = "ImplicitRecommender.Learn"
	m.UserFactors, m.ItemFactors, m.Trace = nil, nil, model.Trace{}
	if err := r.check(op); err != nil {
		return err
	}
	for i, v := range r.Value {
		if v < 0 {
			return model.Errorf(op, "value %d must be a count, at least 0, got %v", i, v)
		}
	}
	k, err := model.Iterations(op, "Components", m.Components, 10)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations(op, "Epochs", m.Epochs, 15)
	if err != nil {
		return err
	}
	alpha, lambda := model.Or(m.Alpha, 40), model.Or(m.Lambda, 1)
	if err := limits.Check(op,
		limits.NotNegative("Alpha", alpha),
		limits.Positive("Lambda", lambda)); err != nil {
		return err
	}
	w := &factorWork{r: r, k: k, lambda: lambda}
	w.start(m.Seed)
	users, items := r.lists(false), r.lists(true)
	run := m.Begin("ImplicitRecommender", epochs)
	defer run.End()
	var trace model.Trace
	for epoch := range epochs {
		implicitSide(users, w.p, w.q, alpha, lambda)
		implicitSide(items, w.q, w.p, alpha, lambda)
		trace.Loss = append(trace.Loss, implicitLoss(users, w.p, w.q, alpha, lambda))
		if err := run.Step(epoch+1, trace.Loss[epoch]); err != nil {
			return err
		}
	}
	m.UserFactors, m.ItemFactors, m.Trace = w.p, w.q, trace
	return nil
}

// squareOf returns the matrix qᵀ·q.
func squareOf(q *mat.Dense) []float64 {
	n, k := q.Dims()
	g := make([]float64, k*k)
	linalg.AddGram(g, k, q.RawMatrix().Data, n, k, k)
	for i := range k {
		for j := range i {
			g[i*k+j] = g[j*k+i]
		}
	}
	return g
}

func implicitSide(lists [][]entry, p, q *mat.Dense, alpha, lambda float64) {
	_, k := q.Dims()
	whole := squareOf(q)
	for j := range k {
		whole[j*k+j] += lambda
	}
	par.Range(len(lists), 16, func(lo, hi int) {
		g, a := make([]float64, k*k), make([]float64, k)
		for u := lo; u < hi; u++ {
			copy(g, whole)
			clear(a)
			for _, e := range lists[u] {
				row := q.RawRowView(e.at)
				for j := range k {
					floats.AddScaled(g[j*k:(j+1)*k], alpha*e.value*row[j], row)
				}
				if e.value > 0 {
					floats.AddScaled(a, 1+alpha*e.value, row)
				}
			}
			if linalg.Cholesky(g, k) {
				linalg.SolveCholesky(g, a)
				copy(p.RawRowView(u), a)
			}
		}
	})
}

// implicitLoss returns J: Σᵤᵢ (p·q)² over all pairs, corrected for the pairs with actions.
func implicitLoss(users [][]entry, p, q *mat.Dense, alpha, lambda float64) float64 {
	loss := floats.Dot(squareOf(p), squareOf(q))
	for u, list := range users {
		for _, e := range list {
			s := floats.Dot(p.RawRowView(u), q.RawRowView(e.at))
			want := 0.0
			if e.value > 0 {
				want = 1
			}
			loss += (1+alpha*e.value)*(want-s)*(want-s) - s*s
		}
	}
	for _, m := range []*mat.Dense{p, q} {
		loss += lambda * floats.Dot(m.RawMatrix().Data, m.RawMatrix().Data)
	}
	return loss
}

// Predict returns a user's preference for an item, from about 0 to 1, or 0 if Learn did not see the
// user or the item.
func (m *ImplicitRecommender) Predict(user, item int) float64 {
	if m.UserFactors == nil {
		panic(model.NotFitted("ImplicitRecommender.Predict"))
	}
	users, _ := m.UserFactors.Dims()
	items, _ := m.ItemFactors.Dims()
	if user < 0 || item < 0 || user >= users || item >= items {
		return 0
	}
	return floats.Dot(m.UserFactors.RawRowView(user), m.ItemFactors.RawRowView(item))
}
