package eval

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// mustReals refuses two lists that are not pairs of finite numbers.
func mustReals(op string, y, predicted []float64) {
	mustPair(op, len(y), len(predicted))
	for _, list := range [][]float64{y, predicted} {
		if i := finite.First(list); i >= 0 {
			panic(model.Errorf(op, "value %d must be finite, got %v", i, list[i]).WithHint("leave out missing values"))
		}
	}
}

// MSE is the mean squared error, in the square of the target's unit.
//
//	MSE = (1/n) Σᵢ (yᵢ − ŷᵢ)²
//
// The constant prediction that minimizes it is the mean, and its MSE is the variance.
//
// Course: EVAL-34, CORE-02.
func MSE(y, predicted []float64) float64 {
	mustReals("MSE", y, predicted)
	sum := 0.0
	for i := range y {
		d := y[i] - predicted[i]
		sum += d * d
	}
	return sum / float64(len(y))
}

// RMSE is the square root of [MSE], in the target's unit.
//
// Course: EVAL-34.
func RMSE(y, predicted []float64) float64 { return math.Sqrt(MSE(y, predicted)) }

// MAE is the mean absolute error, in the target's unit. The constant prediction that minimizes it
// is the median.
//
// Course: EVAL-34.
func MAE(y, predicted []float64) float64 {
	mustReals("MAE", y, predicted)
	sum := 0.0
	for i := range y {
		sum += math.Abs(y[i] - predicted[i])
	}
	return sum / float64(len(y))
}

// MAPE is the mean absolute error as a fraction of the target: 0.1 is an error of a
// tenth.
//
//	MAPE = (1/n) Σᵢ |yᵢ − ŷᵢ| / |yᵢ|
//
// It panics with a [*model.Error] if a target is 0, because the error is divided by the target.
// Predictions that are too low cost less than predictions that are too high.
//
// Course: EVAL-34.
func MAPE(y, predicted []float64) float64 { return Weights(nil).MAPE(y, predicted) }

// PinballLoss is the mean pinball loss, which predictions of the given quantile minimize. A
// prediction below the target costs quantile times the distance, and a prediction above it costs 1
// − quantile times the distance.
//
//	L = (1/n) Σᵢ max(q·(yᵢ − ŷᵢ), (q−1)·(yᵢ − ŷᵢ))
//
// For q = ½ it is half the mean absolute error.
//
// References: [KoenkerBassett1978]. Course: EVAL-34.
func PinballLoss(y, predicted []float64, quantile float64) float64 {
	return Weights(nil).PinballLoss(y, predicted, quantile)
}

// MedianAbsoluteError is the median of |yᵢ − ŷᵢ|: half of the predictions have a smaller error. A
// few outliers do not change it much.
//
// Course: EVAL-34.
func MedianAbsoluteError(y, predicted []float64) float64 {
	mustReals("MedianAbsoluteError", y, predicted)
	d := make([]float64, len(y))
	for i := range y {
		d[i] = math.Abs(y[i] - predicted[i])
	}
	slices.Sort(d)
	h := len(d) / 2
	if len(d)%2 == 1 {
		return d[h]
	}
	return (d[h-1] + d[h]) / 2
}

// R2 is the fraction of the variance that the predictions explain.
//
//	R² = 1 − Σ(yᵢ−ŷᵢ)² / Σ(yᵢ−ȳ)²
//
// The mean as a constant prediction has R² = 0; worse predictions have a negative R². For a
// constant y it is 1 when every prediction is exact and 0 otherwise. A single example has no
// variance, so R² is undefined, and R2 panics.
//
// Course: EVAL-34.
func R2(y, predicted []float64) float64 {
	mustReals("R2", y, predicted)
	if len(y) == 1 {
		panic(model.Errorf("R2", "R² must have at least 2 examples, got 1").WithHint("use larger test parts, or MSE"))
	}
	mean := 0.0
	for _, v := range y {
		mean += v
	}
	mean /= float64(len(y))
	var res, tot float64
	for i := range y {
		res += (y[i] - predicted[i]) * (y[i] - predicted[i])
		tot += (y[i] - mean) * (y[i] - mean)
	}
	if tot == 0 || slices.Min(y) == slices.Max(y) { // the mean of equal numbers may be off
		if res == 0 {
			return 1
		}
		return 0
	}
	return 1 - res/tot
}

// ExplainedVariance is R² after the mean residual is subtracted: a constant offset costs nothing.
//
//	1 − Var(y−ŷ) / Var(y)
//
// Course: EVAL-34.
func ExplainedVariance(y, predicted []float64) float64 {
	mustReals("ExplainedVariance", y, predicted)
	r := make([]float64, len(y))
	mean := 0.0
	for i := range y {
		r[i] = y[i] - predicted[i]
		mean += r[i] / float64(len(y))
	}
	shifted := make([]float64, len(y))
	for i := range y {
		shifted[i] = predicted[i] + mean
	}
	return R2(y, shifted)
}
