package eval

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Weights are the weights of examples, for fits and for metrics: each sum over the examples becomes
// a weighted sum. An example of weight 2 counts as two equal examples, and an example of weight 0
// is ignored. The metrics panic with a [*model.Error] when a weight is negative or not finite, when
// all weights are zero, or when the number of weights differs from the number of examples.
//
//	accuracy = Σᵢ wᵢ·[ŷᵢ = yᵢ] / Σᵢ wᵢ
//
// Course: EVAL-02, EVAL-37.
type Weights []float64

// BalancedWeights returns a weight for each example such that all classes have the same total
// weight and the mean weight is 1.
//
//	wᵢ = n / (k·n_c),  c = yᵢ
//
// Course: EVAL-07.
func BalancedWeights(y []int) Weights {
	classes, index := model.Classes(y)
	count := make([]float64, len(classes))
	for _, k := range index {
		count[k]++
	}
	w := make(Weights, len(y))
	for i, k := range index {
		w[i] = float64(len(y)) / (float64(len(classes)) * count[k])
	}
	return w
}

// ClassWeights returns the class weight of each example; a class that is not in the list has weight
// 1.
//
// Course: EVAL-07, EVAL-08.
func ClassWeights(y []int, of map[int]float64) Weights {
	w := make(Weights, len(y))
	for i, c := range y {
		w[i] = 1
		if v, ok := of[c]; ok {
			w[i] = v
		}
	}
	return w
}

// must panics unless the weights are valid for n examples, and returns their sum. Without weights,
// each example has weight 1.
func (w Weights) must(op string, n, m int) float64 {
	mustPair(op, n, m)
	if w == nil {
		return float64(n)
	}
	if err := model.CheckWeights(op, w, n); err != nil {
		panic(err)
	}
	return floats.Sum(w)
}

func (w Weights) at(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// of returns the weights of some examples.
func (w Weights) of(rows []int) Weights {
	if w == nil {
		return nil
	}
	out := make(Weights, len(rows))
	for k, i := range rows {
		out[k] = w[i]
	}
	return out
}

// mean is the weighted mean of f over n examples.
func (w Weights) mean(op string, n, m int, f func(i int) float64) float64 {
	total, sum := w.must(op, n, m), 0.0
	for i := range n {
		sum += w.at(i) * f(i)
	}
	return sum / total
}

// Accuracy is [Accuracy] with weights.
func (w Weights) Accuracy(y, predicted []int) float64 {
	return w.mean("Weights.Accuracy", len(y), len(predicted), func(i int) float64 {
		if y[i] == predicted[i] {
			return 1
		}
		return 0
	})
}

// counts returns the total weight in each of the four cells.
func (w Weights) counts(op string, y, predicted []int, positive int) (tp, fp, fn, tn float64) {
	w.must(op, len(y), len(predicted))
	for i := range y {
		switch {
		case y[i] == positive && predicted[i] == positive:
			tp += w.at(i)
		case predicted[i] == positive:
			fp += w.at(i)
		case y[i] == positive:
			fn += w.at(i)
		default:
			tn += w.at(i)
		}
	}
	return tp, fp, fn, tn
}

func share(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Precision is [Precision] with weights.
func (w Weights) Precision(y, predicted []int, positive int) float64 {
	tp, fp, _, _ := w.counts("Weights.Precision", y, predicted, positive)
	return share(tp, tp+fp)
}

// Recall is [Recall] with weights.
func (w Weights) Recall(y, predicted []int, positive int) float64 {
	tp, _, fn, _ := w.counts("Weights.Recall", y, predicted, positive)
	return share(tp, tp+fn)
}

// F1 is [F1] with weights.
func (w Weights) F1(y, predicted []int, positive int) float64 {
	tp, fp, fn, _ := w.counts("Weights.F1", y, predicted, positive)
	return share(2*tp, 2*tp+fp+fn)
}

// LogLoss is [LogLoss] with weights.
func (w Weights) LogLoss(y []int, proba mat.Matrix, classes []int) float64 {
	const op = "LogLoss"
	n, k := proba.Dims()
	if k != len(classes) {
		panic(model.Errorf(op, "proba must have %d columns (the number of classes), got %d", len(classes), k))
	}
	return w.mean(op, len(y), n, func(i int) float64 {
		j, ok := slices.BinarySearch(classes, y[i])
		if !ok {
			panic(model.Errorf(op, "y[%d] must be one of the classes %v, got %d", i, classes, y[i]))
		}
		p := proba.At(i, j)
		mustProbability(op, i, p)
		return -math.Log(min(max(p, 1e-15), 1))
	})
}

// BrierScore is [BrierScore] with weights.
func (w Weights) BrierScore(y []int, probability []float64, positive int) float64 {
	return w.mean("BrierScore", len(y), len(probability), func(i int) float64 {
		p := probability[i]
		mustProbability("BrierScore", i, p)
		if y[i] == positive {
			p--
		}
		return p * p
	})
}

// AUC is [AUC] with weights. It is the weighted fraction of the pairs of a positive and a negative
// example in which the positive example scores higher; ties count half.
func (w Weights) AUC(y []int, score []float64, positive int) float64 {
	const op = "Weights.AUC"
	w.must(op, len(y), len(score))
	falling := make([]float64, len(score))
	for i, v := range score {
		if math.IsNaN(v) {
			panic(model.Errorf(op, "score[%d] must be a number, got NaN", i))
		}
		falling[i] = -v
	}
	order := radix.NewSorter(len(y)).Order(falling)
	above, pairs, negative := 0.0, 0.0, 0.0 // weights: positives seen, ordered pairs, negatives
	for lo := 0; lo < len(order); {
		hi, p, q := lo, 0.0, 0.0
		for ; hi < len(order) && score[order[hi]] == score[order[lo]]; hi++ {
			if i := int(order[hi]); y[i] == positive {
				p += w.at(i)
			} else {
				q += w.at(i)
			}
		}
		pairs += q * (above + p/2)
		above += p
		negative += q
		lo = hi
	}
	if above == 0 || negative == 0 {
		panic(model.Errorf(op, "the weights of the positive and of the negative examples must be above 0, got %v and %v", above, negative).WithHint("pass the class that counts as positive instead of %d", positive))
	}
	return pairs / (above * negative)
}

// MSE is [MSE] with weights.
func (w Weights) MSE(y, predicted []float64) float64 {
	mustReals("Weights.MSE", y, predicted)
	return w.mean("Weights.MSE", len(y), len(predicted), func(i int) float64 { return (y[i] - predicted[i]) * (y[i] - predicted[i]) })
}

// RMSE is [RMSE] with weights.
func (w Weights) RMSE(y, predicted []float64) float64 { return math.Sqrt(w.MSE(y, predicted)) }

// MAE is [MAE] with weights.
func (w Weights) MAE(y, predicted []float64) float64 {
	mustReals("Weights.MAE", y, predicted)
	return w.mean("Weights.MAE", len(y), len(predicted), func(i int) float64 { return math.Abs(y[i] - predicted[i]) })
}

// MAPE is [MAPE] with weights.
func (w Weights) MAPE(y, predicted []float64) float64 {
	const op = "MAPE"
	mustReals(op, y, predicted)
	return w.mean(op, len(y), len(predicted), func(i int) float64 {
		if y[i] == 0 {
			panic(model.Errorf(op, "y[%d] must not be 0 for a relative error", i).WithHint("leave the example out, or use MAE"))
		}
		return math.Abs((y[i] - predicted[i]) / y[i])
	})
}

// PinballLoss is [PinballLoss] with weights.
func (w Weights) PinballLoss(y, predicted []float64, quantile float64) float64 {
	const op = "PinballLoss"
	mustReals(op, y, predicted)
	if !(quantile >= 0 && quantile <= 1) {
		panic(model.Errorf(op, "quantile must be between 0 and 1, got %v", quantile).WithHint("use a fraction such as 0.9"))
	}
	return w.mean(op, len(y), len(predicted), func(i int) float64 {
		d := y[i] - predicted[i]
		return max(quantile*d, (quantile-1)*d)
	})
}

// R2 is [R2] with weights.
func (w Weights) R2(y, predicted []float64) float64 {
	const op = "Weights.R2"
	mustReals(op, y, predicted)
	center := w.mean(op, len(y), len(predicted), func(i int) float64 { return y[i] })
	res, tot, least, most, examples := 0.0, 0.0, math.Inf(1), math.Inf(-1), 0
	for i := range y {
		res += w.at(i) * (y[i] - predicted[i]) * (y[i] - predicted[i])
		tot += w.at(i) * (y[i] - center) * (y[i] - center)
		if w.at(i) > 0 {
			examples++
			least, most = min(least, y[i]), max(most, y[i])
		}
	}
	if examples == 1 {
		panic(model.Errorf(op, "R² must have at least 2 examples, got 1").WithHint("use larger test parts, or MSE"))
	}
	if tot == 0 || least == most { // the mean of equal numbers may be off
		if res == 0 {
			return 1
		}
		return 0
	}
	return 1 - res/tot
}
