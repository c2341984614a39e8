package check

import (
	"strings"
	"unicode"
)

// foreign are names of other languages and what Go has for them.
var foreign = map[string]string{
	"print":  "fmt.Println prints",
	"True":   "true is written small",
	"False":  "false is written small",
	"None":   "nil stands for no value",
	"null":   "nil stands for no value",
	"NULL":   "nil stands for no value",
	"str":    "fmt.Sprint(x) makes text of a value",
	"float":  "the type is float64",
	"double": "the type is float64",
	"range":  "range stands in a for: for i := range 10 { }",
	"abs":    "math.Abs",
	"sum":    "floats.Sum(x) adds the numbers of a vector",
	"not":    "not is written !",
	"np":     "vectors are []float64 with + - *, matrices are mat.NewDense",
	"pd":     "ml has data sets and tables",
	"plt":    "Plot(...) draws",

	"sqrt":       "math.Sqrt",
	"pow":        "math.Pow",
	"exp":        "math.Exp",
	"sin":        "math.Sin",
	"cos":        "math.Cos",
	"floor":      "math.Floor",
	"ceil":       "math.Ceil",
	"round":      "math.Round(x) gives a whole number; fmt.Sprintf(\"%.2f\", x) writes two digits",
	"sort":       "slices.Sort(xs) sorts xs in place",
	"sorted":     "slices.Sort(xs) sorts xs in place",
	"reversed":   "slices.Reverse(xs) turns xs around, slices.Backward(xs) goes over it from the end",
	"enumerate":  "for i, x := range xs { } counts along",
	"list":       "a slice is written []int{1, 2, 3}",
	"dict":       "a map is written map[string]int{\"a\": 1}",
	"set":        "a set is a map[string]bool",
	"open":       "os.Open(name) opens a file, os.ReadFile(name) reads one",
	"input":      "Input(prompt) asks the user",
	"printf":     "fmt.Printf prints",
	"cout":       "fmt.Println prints",
	"console":    "fmt.Println prints",
	"System":     "fmt.Println prints",
	"self":       "the receiver of a method has the name that stands before the method's: func (s *Student) Name()",
	"this":       "the receiver of a method has the name that stands before the method's: func (s *Student) Name()",
	"isinstance": "v, ok := x.(T) tells whether x holds a T",
	"df":         "ml.LoadCSV(name) reads a table",
	"lambda":     "a function without a name is written func(x int) int { return 2 * x }",
}

// Foreign says what Go has for a name of another language; it is empty for others.
func Foreign(name string) string { return foreign[name] }

// scikit are names of scikit-learn, which many know, and the package ml's own.
var scikit = map[string]string{
	"AdaBoostClassifier":         "AdaBoost",
	"BaggingClassifier":          "Bagging",
	"CalibratedClassifierCV":     "CalibratedSVC",
	"CountVectorizer":            "Vocabulary",
	"DecisionTreeClassifier":     "DecisionTree",
	"DecisionTreeRegressor":      "RegressionTree",
	"DummyClassifier":            "MajorityClassifier",
	"DummyRegressor":             "MeanRegressor",
	"GaussianProcessRegressor":   "GaussianProcess",
	"GradientBoostingClassifier": "GradientBoosting",
	"GridSearchCV":               "Search",
	"KNeighborsClassifier":       "KNN",
	"KNeighborsRegressor":        "KNNRegressor",
	"LassoRegression":            "Lasso",
	"NearestCentroid":            "PrototypeClassifier",
	"Normalizer":                 "RowNormalizer",
	"OneVsOneClassifier":         "AllVsAll",
	"OneVsRestClassifier":        "OneVsAll",
	"OutputCodeClassifier":       "OutputCode",
	"RandomForestClassifier":     "RandomForest",
	"RandomizedSearchCV":         "Search",
	"RidgeRegression":            "Ridge",
	"SGDClassifier":              "SGD",
	"SVM":                        "SVC",
	"SimpleImputer":              "Imputer",
	"TfidfVectorizer":            "Vocabulary",
	"accuracy_score":             "Accuracy",
	"average_precision_score":    "AveragePrecision",
	"brier_score_loss":           "BrierScore",
	"classification_report":      "Report",
	"confusion_matrix":           "Confusion",
	"cross_val_predict":          "CrossPredict",
	"cross_val_score":            "CrossValidate",
	"cross_validate":             "CrossValidate",
	"f1_score":                   "F1",
	"learning_curve":             "LearningCurve",
	"load_breast_cancer":         "BreastCancer",
	"load_diabetes":              "Diabetes",
	"load_digits":                "Digits",
	"load_iris":                  "Iris",
	"load_wine":                  "Wine",
	"log_loss":                   "LogLoss",
	"make_blobs":                 "Blobs",
	"make_moons":                 "TwoMoons",
	"make_pipeline":              "Pipeline",
	"mean_absolute_error":        "MAE",
	"mean_squared_error":         "MSE",
	"precision_recall_curve":     "PrecisionRecall",
	"precision_score":            "Precision",
	"r2_score":                   "R2",
	"read_csv":                   "LoadCSV",
	"recall_score":               "Recall",
	"roc_auc_score":              "AUC",
	"roc_curve":                  "ROC",
	"validation_curve":           "ValidationCurve",
}

// related gives the name that shares the most with one that is not near to any
// in its letters: all words of the shorter one occur in the other, as in
// GridSearch and Search.
func related(name string, names []string) string {
	given := words(name)
	best, most := "", 0
	for _, n := range names {
		have := words(n)
		shared, letters := 0, 0
		for _, w := range have {
			for _, g := range given {
				if g == w {
					shared++
					letters += len(w)
					break
				}
			}
		}
		if letters < 4 || shared < min(len(given), len(have)) {
			continue
		}
		// Of names with the same words in common the one with the fewest others.
		if score := letters*100 - len(n); score > most || score == most && n < best {
			best, most = n, score
		}
	}
	return best
}

// words are the parts of a name in small letters: mean_squaredError has three.
// Capitals in a row are one word.
func words(name string) []string {
	var list []string
	start := 0
	r := []rune(name)
	end := func(i int) {
		if i > start {
			list = append(list, strings.ToLower(string(r[start:i])))
		}
		start = i
	}
	for i, c := range r {
		switch {
		case c == '_':
			end(i)
			start = i + 1
		case unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])):
			end(i)
		}
	}
	end(len(r))
	return list
}
