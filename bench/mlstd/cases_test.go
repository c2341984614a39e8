package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each case has a unique name, two sizes, and an entry in the script.
func TestCases(t *testing.T) {
	script, err := os.ReadFile("sklearn_cases.py")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^    "([^"]+)": `).FindAllStringSubmatch(string(script), -1) {
		known[m[1]] = true
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		seen[c.name] = true
		if !known[c.name] {
			t.Errorf("sklearn_cases.py does not know %s", c.name)
		}
		if c.sizes[0].n <= 0 || c.sizes[1].n <= c.sizes[0].n {
			t.Errorf("%s: the sizes are %v", c.name, c.sizes)
		}
		if c.slower != "" && !strings.HasSuffix(c.slower, ".") {
			t.Errorf("%s: the reason must be a sentence: %s", c.name, c.slower)
		}
	}
	for name := range known {
		if !seen[name] {
			t.Errorf("sklearn_cases.py has %s, which is not a case", name)
		}
	}
}

// Every case runs with a tiny size, and its data are written to the file.
func TestCasesRun(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := c.sizes[0]
			s.kind, s.n, s.test = c.kind, 60, min(s.test, 20)
			d := data(t, s)
			if info, err := os.Stat(d.path); err != nil || info.Size() == 0 {
				t.Errorf("the file of the data: %v", err)
			}
			r, err := c.run(d)
			if err != nil {
				t.Fatal(err)
			}
			if r.Fit <= 0 || r.Quality != r.Quality {
				t.Errorf("measured %+v", r)
			}
		})
	}
}

// BenchmarkCases shows the time and the allocations of each case in course size.
func BenchmarkCases(b *testing.B) {
	for _, c := range cases {
		b.Run(c.family+"/"+c.name, func(b *testing.B) {
			s := c.sizes[0]
			s.kind = c.kind
			d := data(b, s)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.run(d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func data(t testing.TB, s size) *dataset {
	t.Helper()
	d, err := newDataset(s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}
