package course_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// The figure of a model and examples does not depend on the order of columns or classes.
func TestFiguresFindColumnsByName(t *testing.T) {
	iris := data.Iris().Only("versicolor", "virginica")
	names := []string{iris.FeatureNames()[2], iris.FeatureNames()[1]}
	d := iris.Features(names...)
	slices.Reverse(names)
	other := d.Features(names...)
	swapped := other.Like(other) // a copy in which the classes are exchanged
	swapped.X.Target.Levels = []string{"virginica", "versicolor"}
	swapped.Y = make([]int, len(d.Y))
	for i, y := range d.Y {
		swapped.Y[i] = 1 - y
	}
	boundary := data.Fit(&tree.DecisionTree{MaxDepth: 3}, d)
	normal := data.Fit(&prob.QDA{}, d)
	strange := data.Fit(&anomaly.GaussianDetector{}, d)
	axes := data.Fit(&decomp.PCA{}, d)
	centers := data.Fit(&cluster.KMeans{K: 2, Seed: 1}, d)
	mixture := data.Fit(&latent.GaussianMixture{K: 2, Seed: 1}, d)
	list := data.Fit(&rules.RIPPER{}, d)
	codes := data.Fit(&nn.Autoencoder{Components: 1, Epochs: 2}, d)
	svg := func(v any) string { return fmt.Sprint(shown(t, v)["image/svg+xml"]) }
	for what, draw := range map[string]func(d *data.Dataset) string{
		"Regions":          func(d *data.Dataset) string { return svg(course.Regions(boundary, d)) },
		"Regions, a table": func(d *data.Dataset) string { return svg(course.Regions(boundary, d.X)) },
		"ClassEllipses":    func(d *data.Dataset) string { return svg(course.ClassEllipses(normal, d)) },
		"Anomalies":        func(d *data.Dataset) string { return svg(course.Anomalies(strange, d)) },
		"Biplot":           func(d *data.Dataset) string { return svg(course.Biplot(axes, d)) },
		"KMeansSteps":      func(d *data.Dataset) string { return svg(course.KMeansSteps(d.X, centers)) },
		"MixtureSteps":     func(d *data.Dataset) string { return svg(course.MixtureSteps(d.X, mixture)) },
		"HiddenCodes": func(d *data.Dataset) string {
			return fmt.Sprint(shown(t, course.HiddenCodes(codes, d.X))["text/plain"])
		},
	} {
		want := draw(d)
		if got := draw(other); got != want {
			t.Errorf("%s: another order of columns is another figure", what)
		}
		if what == "Regions" || what == "ClassEllipses" {
			if got := draw(swapped); got != want {
				t.Errorf("%s: another order of classes is another figure", what)
			}
		}
	}
	near := fmt.Sprint(shown(t, data.Fit(&neighbors.KNN{K: 1}, d))["text/plain"])
	if contains(t, "a model", near, "KNN{K: 1}"); strings.Contains(near, "Fitted") {
		t.Errorf("a model shows what it remembers of its columns: %s", near)
	}
	_, err := course.Covering(list.List, other).Display()
	if err == nil || !strings.Contains(err.Error(), "in the order in which the rules were fitted") {
		t.Errorf("Covering: got %v", err)
	}
}
