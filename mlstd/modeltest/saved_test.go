package modeltest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	_ "github.com/gokernel/gokernel/mlstd/persist" // registers the types that can be saved
)

// notSaved are the types that package persist leaves out, with the reason.
var notSaved = map[string]string{
	"*online.WeightedMajority":  "its experts are functions",
	"kernel.KernelFunc":         "it is a function",
	"*prep.FunctionTransformer": "it holds a function of the user",
	"kernel.TreeKernel":         "it compares parse trees and is no part of a model",
	"kernel.BitmapKernel":       "it compares bitmaps and is no part of a model",
	"*concept.Explained":        "its Learn is a field: it is a result, no model",
	"optim.GradientDescent":     "its Rate is a field: it is an optimizer, no part of a model",
	"optim.SGD":                 "its Rate is a field: it is an optimizer, no part of a model",
	"nn.Trainer":                "its Rate is a field: it trains networks, no part of a model",
	"nn.GAN":                    "its Rate is a field: it has networks to play with, no model that predicts",
	"nn.Network":                "its Eval is of one row: what is saved are the estimators that hold its weights",
	"optim.LinearRisk":          "it holds the data of one fit, no part of a model",
	"eval.Resampling":           "its Split is a field: it says how to cross-validate, no part of a model",
	"recommend.Ratings":         "its Split is of another kind: ratings are no part of a model",
	"data.Dataset":              "its Split is of another kind: a dataset is no part of a model",
	"frame.Column":              "its Split is of another kind: it cuts strings",
	"lazy.Column":               "its Split is of another kind: it cuts strings",
}

// Package persist registers every estimator, and every kernel, loss, penalty, step size and
// splitter that an estimator can contain.
func TestEveryEstimatorIsSaved(t *testing.T) {
	all := families(t)
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		f := all[dir]
		for _, symbol := range slices.Sorted(maps.Keys(f.symbols)) {
			typ, method, ok := strings.Cut(symbol, ".")
			if !ok || !f.symbols[typ] || strings.ToUpper(typ[:1]) != typ[:1] {
				continue
			}
			name := f.name + "." + typ
			switch method {
			case "Fit", "FitPredict", "FitGraph", "FitQueries", "Learn":
				name = "*" + name
			case "Eval", "Rate", "Derivative", "AddGradient", "Split":
				if snapshot.Type("*"+name) != nil {
					continue // a model with a parameter of that name
				}
			default:
				continue
			}
			if snapshot.Type(name) == nil && notSaved[name] == "" {
				t.Errorf("package persist does not know %s; add it to types.go, or to notSaved with the reason", name)
			}
			if snapshot.Type(name) != nil && notSaved[name] != "" {
				t.Errorf("%s is in notSaved but package persist knows it", name)
			}
		}
	}
}
