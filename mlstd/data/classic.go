package data

import (
	"embed"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

//go:embed files
var files embed.FS

const sklearnLicense = "BSD-3-Clause (the copy in scikit-learn 1.9.1; see files/LICENSE.scikit-learn)"

// Iris is Fisher's set of 150 flowers of three species, 50 each, with length and
// width of sepals and petals in cm. The class setosa is linearly separable from
// the other two, which are not from each other.
//
// References: [Fisher1936].
func Iris() *Dataset {
	return classic("iris.csv", &Dataset{
		Name:        "Iris",
		Description: "150 iris flowers of three species, measured in cm",
		Source:      "R. A. Fisher, The use of multiple measurements in taxonomic problems, 1936",
		License:     sklearnLicense,
	}, "species", columns("cm", "sepal length", "sepal width", "petal length", "petal width"))
}

func columns(unit string, names ...string) []model.Column {
	c := make([]model.Column, len(names))
	for j, name := range names {
		c[j] = model.Column{Name: name, Unit: unit}
	}
	return c
}

// classic reads an embedded file: a first line with rows, columns and the names
// of the classes, then the rows with the class last.
func classic(file string, d *Dataset, target string, cols []model.Column) *Dataset {
	text, err := files.ReadFile("files/" + file)
	if err != nil {
		panic("data: " + err.Error())
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	levels := strings.Split(strings.TrimSpace(lines[0]), ",")[2:]
	lines = lines[1:]
	d.X = &model.Table{
		Dense:   mat.NewDense(len(lines), len(cols), nil),
		Columns: cols,
		Target:  model.Column{Name: target, Kind: model.Nominal, Levels: levels},
	}
	d.Y = make([]int, len(lines))
	for i, line := range lines {
		for j, s := range strings.Split(strings.TrimSpace(line), ",") {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				panic("data: " + file + ": " + err.Error())
			}
			if j < len(cols) {
				d.X.Set(i, j, v)
			} else {
				d.Y[i] = int(v)
			}
		}
	}
	return d
}
