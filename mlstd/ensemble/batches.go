package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.BatchFitter = (*HistGradientBoosting)(nil)
	_ model.BatchFitter = (*HistGradientBoostingRegressor)(nil)
)

// gathered is what histogram boosting keeps of examples in batches: one byte for each value, and
// the targets. It keeps the held-out examples unbinned.
type gathered struct {
	op          string
	run         *model.Run
	src         *model.Batches
	index       []int     // of each example's class
	target      []float64 // of each example, if there are no classes
	train, test []int     // the examples; nil for training on all of them
	binned      *binned
	held        *mat.Dense
}

// each calls do with each batch and the number of its first row.
func (g *gathered) each(do func(p model.Batch, first int) error) error {
	first := 0
	return g.src.Pass(0, func(p model.Batch) error {
		if _, err := (model.Takes{Missing: true, Nominal: true}).CheckX(g.op, p.X); err != nil {
			return err
		}
		if i := finite.First(p.Target); i >= 0 {
			return model.Errorf(g.op, "y[%d] must be finite, got %v", first+i, p.Target[i]).WithHint("drop examples without a target")
		}
		if err := do(p, first); err != nil {
			return err
		}
		first += len(p.Y) + len(p.Target)
		return g.run.Err()
	})
}

// read reads the examples in two passes, or in three if a part is held out.
func (g *gathered) read(b *histBooster, share float64) error {
	var sample [][]float64
	var picks []int
	at := 0
	if share == 0 {
		picks, sample = g.sampled(nil, b.seed)
	}
	err := g.each(func(p model.Batch, first int) error {
		for _, y := range p.Y {
			c, _ := slices.BinarySearch(g.src.Classes, y)
			g.index = append(g.index, c)
		}
		g.target = append(g.target, p.Target...)
		if share == 0 {
			at = collect(sample, p.X.Dense, picks, at, first)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if share > 0 {
		if err := g.split(share, b.seed); err != nil {
			return err
		}
		picks, sample = g.sampled(g.train, b.seed)
		err := g.each(func(p model.Batch, first int) error {
			at = collect(sample, p.X.Dense, picks, at, first)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return g.bin(sample, b.bins)
}

// split holds examples out.
func (g *gathered) split(share float64, seed uint64) error {
	groups := make([][]int, max(1, len(g.src.Classes)))
	if g.src.Classes == nil {
		groups[0] = everyRow(g.src.Rows)
	}
	for i, c := range g.index {
		groups[c] = append(groups[c], i)
	}
	if g.train, g.test = holdOut(groups, share, seed); len(g.test) == 0 {
		return model.Errorf(g.op, "Validation must hold out at least 1 of %d examples, got %v", g.src.Rows, share).WithHint("set a larger Validation, or 0 for none")
	}
	return nil
}

// sampled returns the ascending rows from which the edges are computed, and an empty sample for
// their values. They are those of [sampleRows].
func (g *gathered) sampled(train []int, seed uint64) (picks []int, sample [][]float64) {
	n := g.src.Rows
	if train != nil {
		n = len(train)
	}
	if n <= edgeSample {
		picks = everyRow(n)
	} else {
		rng := model.Rand(seed, 1)
		for range edgeSample {
			picks = append(picks, rng.IntN(n))
		}
		slices.Sort(picks)
	}
	for k, i := range picks {
		if train != nil {
			picks[k] = train[i]
		}
	}
	return picks, make([][]float64, len(g.src.Columns))
}

// collect adds the values of the rows in picks, from position at on, to the sample. It returns the
// position after the batch d.
func collect(sample [][]float64, d *mat.Dense, picks []int, at, first int) int {
	n, _ := d.Dims()
	for ; at < len(picks) && picks[at] < first+n; at++ {
		for j, v := range d.RawRowView(picks[at] - first) {
			sample[j] = append(sample[j], v)
		}
	}
	return at
}

// bin computes the edges of the bins, and reads the examples into the bins.
func (g *gathered) bin(sample [][]float64, limit int) error {
	n, cols := g.src.Rows, len(g.src.Columns)
	b := &binned{
		columns: make([][]uint8, cols), edges: make([][]float64, cols), seen: make([]*levels, cols),
		bins: make([]int, cols), missing: make([]bool, cols),
	}
	if g.test != nil {
		n, g.held = len(g.train), mat.NewDense(len(g.test), cols, nil)
	}
	tables := make([]*edgeTable, cols)
	par.Range(cols, 1, func(j, _ int) {
		b.columns[j] = make([]uint8, n)
		if g.src.Columns[j].Kind == model.Nominal {
			b.seen[j] = new(levels)
			return
		}
		b.edges[j] = binEdges(radix.NewSorter(len(sample[j])).Order(sample[j]), sample[j], nil, nil, limit)
		b.bins[j] = len(b.edges[j]) + 1
		tables[j] = newEdgeTable(b.edges[j])
		sample[j] = nil
	})
	g.binned = b
	at, out := 0, 0
	return g.each(func(p model.Batch, first int) error {
		n, _ := p.X.Dims()
		var rows []int // of the batch, for training
		for i := range n {
			if out < len(g.test) && g.test[out] == first+i {
				g.held.SetRow(out, p.X.RawRowView(i))
				out++
				continue
			}
			rows = append(rows, i)
		}
		errs := make([]error, cols)
		par.Range(cols, 1, func(j, _ int) {
			column := b.columns[j][at:]
			for k, i := range rows {
				switch v := p.X.At(i, j); {
				case v != v:
					column[k], b.missing[j] = missingBin, true
				case b.seen[j] == nil:
					column[k] = tables[j].bin(v)
				case v < 0 || v >= maxBins || v != math.Trunc(v):
					errs[j] = manyLevels(g.op, j, g.src.Columns[j], v)
					return
				default:
					b.seen[j].add(uint8(v))
					column[k], b.bins[j] = uint8(v), max(b.bins[j], int(v)+1)
				}
			}
		})
		at += len(rows)
		return firstError(errs)
	})
}

func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// trainBatches reads the examples and trains on them. The objective of some examples, or of all if
// rows is nil, is that of objective.
func (b *histBooster) trainBatches(run *model.Run, src *model.Batches, share float64, objective func(g *gathered, rows []int) (histObjective, error)) (*histTrained, error) {
	g := &gathered{op: b.op, run: run, src: src}
	if err := g.read(b, share); err != nil {
		return nil, err
	}
	o, err := objective(g, g.train)
	if err != nil {
		return nil, err
	}
	var held histObjective
	if g.test != nil {
		if held, err = objective(g, g.test); err != nil {
			return nil, err
		}
	}
	return b.train(run, g.binned, o, g.held, held)
}

// FitBatches is Fit for examples in batches, with the same result. It reads the examples twice, or
// three times with Validation, and keeps one byte for each value and about 40 bytes for each
// example, or 24 bytes for each class if there are more than two. Held-out examples take 8 bytes
// for each value.
func (g *HistGradientBoosting) FitBatches(b *model.Batches) error {
	const op = "HistGradientBoosting.FitBatches"
	g.reset()
	if err := model.NoteBatches(op, &g.Fitted, b, model.Nominal); err != nil {
		return err
	}
	if err := model.CheckTwoOrMore(op, b.Classes); err != nil {
		return err
	}
	h, err := g.booster(op, b.Columns, len(b.Classes))
	if err != nil {
		return err
	}
	run := g.Begin("HistGradientBoosting", h.rounds)
	defer run.End()
	t, err := h.trainBatches(run, b, model.Or(g.Validation, 0), func(r *gathered, rows []int) (histObjective, error) {
		o := &histClasses{k: len(b.Classes), index: r.index}
		if rows != nil {
			o.index = pick.Of(r.index, rows)
		}
		return o, nil
	})
	if err != nil {
		return err
	}
	g.set(t, len(b.Columns), slices.Clone(b.Classes))
	return nil
}

// FitBatches is Fit for examples in batches, with the same result. It reads the examples twice, or
// three times with Validation, and keeps one byte for each value and about 30 bytes for each
// example. Held-out examples take 8 bytes for each value.
func (g *HistGradientBoostingRegressor) FitBatches(b *model.Batches) error {
	const op = "HistGradientBoostingRegressor.FitBatches"
	g.reset()
	if err := model.NoteBatches(op, &g.Fitted, b, model.Numeric); err != nil {
		return err
	}
	h, err := g.booster(op, b.Columns)
	if err != nil {
		return err
	}
	run := g.Begin("HistGradientBoostingRegressor", h.rounds)
	defer run.End()
	t, err := h.trainBatches(run, b, model.Or(g.Validation, 0), func(r *gathered, rows []int) (histObjective, error) {
		o, err := g.objective(op, r.target, nil)
		if err == nil && rows != nil {
			o.y = pick.Of(o.y, rows)
		}
		return o, err
	})
	if err != nil {
		return err
	}
	g.set(t, len(b.Columns))
	return nil
}
