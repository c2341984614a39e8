package magic

import "testing"

func TestInterpolate(t *testing.T) {
	values := map[string]string{"x": "3", "näme": "a b"}
	value := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	for command, want := range map[string]string{
		"echo {x} $x":           "echo 3 3",
		"echo {x}.csv $x.csv":   "echo 3.csv 3.csv",
		"echo {näme}":           "echo a b",
		"echo $HOME {y} $":      "echo $HOME {y} $",
		"echo {1..3} {a,x}":     "echo {1..3} {a,x}",
		"awk '{print $1}'":      "awk '{print $1}'",
		"echo ${x} $$x {{x}} {": "echo ${x} $x {x} {",
		"echo $xy {x":           "echo $xy {x",
		"":                      "",
	} {
		if got := interpolate(command, value); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"%time", "%who", "%help"}
	for name, want := range map[string]string{"tiem": "%time", "tim": "%time", "hepl": "%help", "helpp": "%help", "xyz": "", "w": "", "": ""} {
		if got := nearest(name, known, "%"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
