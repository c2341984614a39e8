package data

import (
	"compress/gzip"
	"embed"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

//go:embed files
var files embed.FS

const sklearnLicense = "BSD-3-Clause (the copy in scikit-learn 1.9.1; see files/LICENSE.scikit-learn)"

// Iris is Fisher's set of 150 flowers of three species, 50 each, with length and width of sepals
// and petals in cm. The class setosa is linearly separable from the other two classes, which are
// not linearly separable from each other.
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

// Wine is a chemical analysis of 178 Italian wines of three cultivars (59, 71 and
// 48) by 13 constituents on very different scales.
//
// References: [Aeberhard1992].
func Wine() *Dataset {
	return classic("wine.csv.gz", &Dataset{
		Name:        "Wine",
		Description: "178 wines of three cultivars, 13 chemical constituents",
		Source:      "M. Forina et al., PARVUS, 1988; S. Aeberhard et al., 1992",
		License:     sklearnLicense,
	}, "cultivar", columns("", "alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium", "total phenols",
		"flavanoids", "nonflavanoid phenols", "proanthocyanins", "color intensity", "hue", "OD280/OD315", "proline"))
}

// BreastCancer is the Wisconsin set of 569 tumors, 212 malignant (class 0) and
// 357 benign (class 1): mean, standard error and worst value of ten measures of
// the cell nuclei.
//
// References: [Street1993].
func BreastCancer() *Dataset {
	var names []string
	for _, kind := range []string{"mean ", "error of ", "worst "} {
		for _, m := range []string{"radius", "texture", "perimeter", "area", "smoothness", "compactness",
			"concavity", "concave points", "symmetry", "fractal dimension"} {
			names = append(names, kind+m)
		}
	}
	return classic("breast_cancer.csv.gz", &Dataset{
		Name:        "BreastCancer",
		Description: "569 breast tumors, 30 measures of the cell nuclei",
		Source:      "W. N. Street, W. H. Wolberg, O. L. Mangasarian, Nuclear feature extraction for breast tumor diagnosis, 1993",
		License:     sklearnLicense,
	}, "diagnosis", columns("", names...))
}

// Digits is a set of 1797 handwritten digits as 8 x 8 images of gray levels from
// 0 to 16, row by row.
//
// References: [Kaynak1995].
func Digits() *Dataset {
	names := make([]string, 64)
	for j := range names {
		names[j] = "pixel " + strconv.Itoa(j/8) + "," + strconv.Itoa(j%8)
	}
	return classic("digits.csv.gz", &Dataset{
		Name:        "Digits",
		Description: "1797 handwritten digits, images of 8 x 8 pixels",
		Source:      "E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, 1998 (the test set)",
		License:     sklearnLicense,
	}, "digit", columns("", names...))
}

// Diabetes is a set of 442 patients: ten baseline measurements, in their original units, and the
// progress of the disease one year later as the target.
//
// References: [Efron2004].
func Diabetes() *Dataset {
	cols := columns("", "age", "sex", "bmi", "blood pressure", "total cholesterol", "ldl", "hdl",
		"cholesterol ratio", "log triglycerides", "glucose")
	cols[0].Unit = "years"
	return classic("diabetes.csv.gz", &Dataset{
		Name:        "Diabetes",
		Description: "442 diabetes patients and the progress of the disease after a year",
		Source:      "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani, Least angle regression, 2004",
		License:     sklearnLicense,
	}, "progression", cols)
}

// classic reads an embedded file: a first line with rows, columns and the names
// of the classes, then the rows with the class or the target last.
func classic(file string, d *Dataset, target string, cols []model.Column) *Dataset {
	lines := strings.Split(strings.TrimSpace(embedded(file)), "\n")
	head := strings.Split(strings.TrimSpace(lines[0]), ",")
	levels := head[2:]
	lines = lines[1:]
	d.X = &model.Table{
		Dense:   mat.NewDense(len(lines), len(cols), nil),
		Columns: cols,
		Target:  model.Column{Name: target},
	}
	for i, line := range lines {
		for j, s := range strings.Split(strings.TrimSpace(line), ",") {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				panic("data: " + file + ": " + err.Error())
			}
			if j < len(cols) {
				d.X.Set(i, j, v)
			} else {
				d.Target = append(d.Target, v)
			}
		}
	}
	if len(levels) > 0 {
		d.X.Target.Kind, d.X.Target.Levels = model.Nominal, levels
		d.Y = make([]int, len(lines))
		for i, v := range d.Target {
			d.Y[i] = int(v)
		}
		d.Target = nil
	}
	return d
}

// embedded returns the text of a file, unpacked if its name ends in .gz.
func embedded(file string) string {
	f, err := files.Open("files/" + file)
	if err != nil {
		panic("data: " + err.Error())
	}
	defer f.Close()
	r := io.Reader(f)
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			panic("data: " + file + ": " + err.Error())
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic("data: " + file + ": " + err.Error())
	}
	return string(text)
}
