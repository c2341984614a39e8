package site

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// lecturesOf returns the lectures of a course file, without their notebooks.
func lecturesOf(t *testing.T, text []byte) (list []*lecture) {
	t.Helper()
	var c struct {
		Parts []struct {
			Lectures []struct {
				ID    string
				Needs []string
			}
		}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	of := map[string]*lecture{}
	for _, p := range c.Parts {
		for _, l := range p.Lectures {
			made := &lecture{Name: l.ID, Number: l.ID}
			for _, n := range l.Needs {
				made.Needs = append(made.Needs, of[n])
			}
			of[l.ID] = made
			list = append(list, made)
		}
	}
	return list
}

var (
	boxOf   = regexp.MustCompile(`data-name="([^"]+)"><rect x="([-\d.]+)" y="([-\d.]+)"`)
	arrowOf = regexp.MustCompile(`data-from="([^"]+)" data-to="([^"]+)" d="M([^"]+)"`)
)

// points returns points along a path of cubic curves and straight lines.
func points(t *testing.T, path string) (all [][2]float64) {
	t.Helper()
	var at [2]float64
	for i, part := range regexp.MustCompile(`[CL]`).Split(path, -1) {
		var v []float64
		for _, f := range strings.Fields(part) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		end := [2]float64{v[len(v)-2], v[len(v)-1]}
		c1, c2 := at, end
		if len(v) == 6 {
			c1, c2 = [2]float64{v[0], v[1]}, [2]float64{v[2], v[3]}
		}
		for s := 0.0; i > 0 && s <= 1; s += 1.0 / 32 {
			var p [2]float64
			for k := range p {
				p[k] = math.Pow(1-s, 3)*at[k] + 3*s*(1-s)*(1-s)*c1[k] + 3*s*s*(1-s)*c2[k] + s*s*s*end[k]
			}
			all = append(all, p)
		}
		at = end
	}
	return all
}

// TestArrowsPassBetweenBoxes checks that no box hides an arrow, even across several rows, and that
// boxes do not touch.
func TestArrowsPassBetweenBoxes(t *testing.T) {
	course, err := os.ReadFile(repository + "notebooks/course.json")
	if err != nil {
		t.Fatal(err)
	}
	long := `{"parts": [{"lectures": [{"id": "A"}, {"id": "B", "needs": ["A"]}, {"id": "C", "needs": ["B"]}, {"id": "D", "needs": ["C"]},
		{"id": "E", "needs": ["A"]}, {"id": "F", "needs": ["D", "E"]}, {"id": "G", "needs": ["A", "C"]}]}]}`
	for name, tt := range map[string]struct {
		course []byte
		arrows int // of the needs, without those that a longer path replaces; 0 if unknown
	}{"the course": {course, 0}, "long ways": {[]byte(long), 7}} {
		t.Run(name, func(t *testing.T) {
			lectures := lecturesOf(t, tt.course)
			svg := string(drawMap(lectures))
			boxes, arrows := boxOf.FindAllStringSubmatch(svg, -1), arrowOf.FindAllStringSubmatch(svg, -1)
			if len(boxes) != len(lectures) || len(arrows) < len(lectures)-1 || tt.arrows > 0 && len(arrows) != tt.arrows {
				t.Fatalf("%d boxes of %d lectures, %d arrows", len(boxes), len(lectures), len(arrows))
			}
			number := func(s string) float64 { x, _ := strconv.ParseFloat(s, 64); return x }
			for i, b := range boxes {
				x, y := number(b[2]), number(b[3])
				for _, a := range arrows {
					for _, p := range points(t, a[3]) {
						if a[1] != b[1] && a[2] != b[1] && p[0] > x-5 && p[0] < x+nodeWidth+5 && p[1] > y && p[1] < y+nodeHeight {
							t.Errorf("the arrow from %s to %s passes the box of %s", a[1], a[2], b[1])
							break
						}
					}
				}
				for _, o := range boxes[i+1:] {
					if math.Abs(number(o[2])-x) < nodeWidth+gapX-0.2 && math.Abs(number(o[3])-y) < nodeHeight {
						t.Errorf("%s and %s touch", b[1], o[1])
					}
				}
			}
		})
	}
}
