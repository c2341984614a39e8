package advice

import "testing"

func TestPlainWords(t *testing.T) {
	for msg, want := range map[string]string{
		"cannot use ǃrt.MulMV(1190, X.T(), iris.Signs()) (value of type []float64) as int value": "cannot use X.T() * iris.Signs() (value of type []float64) as int value",
		"ǃrt.AddVV(3, ǃrt.MulVS(2, x, 3), f(a, []int{1, 2})) is not used":                        "x * 3 + f(a, []int{1, 2}) is not used",
		"ǃrt.AddScaledIn(3, w, eta, x)":                                                          "w + eta * x",
		"ǃrt.CompareVS(9, \"<=\", x, 2) is []bool":                                               "x <= 2 is []bool",
		"ǃrt.OrBB(9, ǃrt.NotB(a), b)":                                                            "!a || b",
		"ǃrt.MapV(9, ǃrt.FixSecond(math.Pow, 2), x)":                                             "math.Pow(x, 2)",
		"ǃrt.MapVV(9, math.Atan2, ǃrt.MapV(3, math.Sin, y), x)":                                  "math.Atan2(math.Sin(y), x)",
		`cannot use f.Col("a b") (value of type *frame.Column)`:                                  `cannot use f["a b"] (value of type *frame.Column)`,
		"-ǃrt.NegV(v)":      "--v",
		"ǃrt.Check(err)":    "err",
		"undefined: main.T": "undefined: T",
		"too few values in struct literal of type T (type has unexported fields - use key:value pairs)": "too few values in struct literal of type T",
		"ǃrt.MulMV(": "ǃrt.MulMV(",
	} {
		if got := PlainWords(msg); got != want {
			t.Errorf("%s\n got %s\nwant %s", msg, got, want)
		}
	}
}
