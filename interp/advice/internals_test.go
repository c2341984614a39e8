package advice

import "testing"

func TestPlainWords(t *testing.T) {
	for msg, want := range map[string]string{
		"cannot use ǃrt.MulMV(1190, X.T(), iris.Signs()) (value of type []float64) as int value": "cannot use X.T() * iris.Signs() (value of type []float64) as int value",
		"ǃrt.AddVV(3, ǃrt.MulVS(2, x, 3), f(a, []int{1, 2})) is not used":                        "x * 3 + f(a, []int{1, 2}) is not used",
		"ǃrt.AddScaledIn(3, w, eta, x)":                                                          "w + eta * x",
		"-ǃrt.NegV(v)":                                                                           "--v",
		"ǃrt.Check(err)":                                                                         "err",
		"undefined: main.T":                                                                      "undefined: T",
		"ǃrt.MulMV(":                                                                             "ǃrt.MulMV(",
	} {
		if got := PlainWords(msg); got != want {
			t.Errorf("%s\n got %s\nwant %s", msg, got, want)
		}
	}
}
