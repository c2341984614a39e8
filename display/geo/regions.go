package geo

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Regions holds the features of a GeoJSON document (RFC 7946): areas, lines and places, each with
// its properties. It is also a table of the properties, whose columns charts can use.
type Regions struct {
	features   []feature
	properties []string // in order of first occurrence
	problems   problems
}

// feature is a feature of the map.
type feature struct {
	id         string
	properties map[string]any
	areas      [][][]place // polygons: an outline and its holes
	lines      [][]place
	points     []place
}

// problems counts violations of the standard, and how they are handled.
type problems struct {
	winding, open, crossing, polar, outside, flat, empty int
}

// list returns the problems as text.
func (p problems) list() []string {
	var out []string
	say := func(n int, one, many string) {
		if n > 0 {
			out = append(out, guide.Plural(n, one, many))
		}
	}
	say(p.empty, "feature has no geometry", "features have no geometry")
	say(p.flat, "outline has fewer than three corners and is left out", "outlines have fewer than three corners and are left out")
	say(p.outside, "hole lies outside of its outline and is left out", "holes lie outside of their outlines and are left out")
	say(p.open, "outline does not end where it begins, so it is closed", "outlines do not end where they begin, so they are closed")
	say(p.winding, "outline runs the wrong way around (RFC 7946) and is drawn as meant", "outlines run the wrong way around (RFC 7946) and are drawn as meant")
	say(p.crossing, "outline jumps across the longitude of 180° and is taken to cross it", "outlines jump across the longitude of 180° and are taken to cross it")
	say(p.polar, "outline goes around a pole and is taken to hold it", "outlines go around a pole and are taken to hold it")
	return out
}

// mostBytes is the maximum size of a document.
const mostBytes = 1 << 28

// Read reads GeoJSON: Read("lands.geojson") from a file, from an http address, from the bytes of
// a document, or from a reader. It decompresses gzip.
func Read(source any) (*Regions, error) {
	name, data, err := load(source)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = limited(name, r)
		}
		if err != nil {
			return nil, fmt.Errorf("geo.Read: %s cannot be unpacked: %w", name, err)
		}
	}
	r, err := parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, fmt.Errorf("geo.Read: %s: %w", name, err)
	}
	return r, nil
}

func load(source any) (name string, data []byte, err error) {
	switch s := source.(type) {
	case nil:
	case []byte:
		return "the document", s, nil
	case io.Reader:
		data, err = limited("the reader", s)
		return "the document", data, err
	case string:
		if strings.HasPrefix(strings.TrimSpace(s), "{") {
			return "the document", []byte(s), nil
		}
		if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
			data, err = fetch(s)
			return s, data, err
		}
		file, err := os.Open(s)
		if err != nil {
			return s, nil, fmt.Errorf("geo.Read: %w", err)
		}
		defer file.Close()
		data, err = limited(s, file)
		return s, data, err
	}
	return "", nil, fmt.Errorf("geo.Read: the source is of type %T; give the name of a file, an address, or the bytes of a GeoJSON document", source)
}

func fetch(address string) ([]byte, error) {
	client := http.Client{Timeout: 2 * time.Minute}
	answer, err := client.Get(address)
	if err != nil {
		return nil, fmt.Errorf("geo.Read: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("geo.Read: the server of %s returned %s", address, answer.Status)
	}
	return limited(address, answer.Body)
}

// limited reads r, up to mostBytes.
func limited(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("geo.Read: %s is longer than %d MB, far more than a map can show; simplify it first", name, mostBytes>>20)
	}
	return data, err
}

// Len returns the number of features.
func (r *Regions) Len() int { return len(r.features) }

// Properties returns the names of the properties, in order of first occurrence.
func (r *Regions) Properties() []string { return slices.Clone(r.properties) }

// Problems describes how the document violates the standard, and how the map handles each
// violation.
func (r *Regions) Problems() []string { return r.problems.list() }

// ColumnValues returns the named property of all features, or their "id". The values are numbers if
// all of them are numbers in the document, and strings otherwise.
func (r *Regions) ColumnValues(name string) (values any, ok bool) {
	if !slices.Contains(r.properties, name) && name != "id" {
		return nil, false
	}
	numbers, numeric := make([]float64, len(r.features)), true
	var names variable.Coded
	level := map[string]int32{}
	for i := range r.features {
		v := r.features[i].property(name)
		x, isNumber := v.(float64)
		numbers[i] = x
		if v == nil {
			numbers[i] = math.NaN()
			names.Codes = append(names.Codes, -1)
			continue
		}
		numeric = numeric && isNumber
		s := written(v)
		k, known := level[s]
		if !known {
			k = int32(len(names.Levels))
			level[s], names.Levels = k, append(names.Levels, s)
		}
		names.Codes = append(names.Codes, k)
	}
	if numeric && len(level) > 0 {
		return numbers, true
	}
	return names, true
}

// property returns a property of a feature, or nil.
func (f *feature) property(name string) any {
	if v, ok := f.properties[name]; ok || name != "id" || f.id == "" {
		return v
	}
	return f.id
}

// written formats the value of a property.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return fmt.Sprintf("%.0f", v)
		}
	}
	return fmt.Sprint(v)
}

// names returns the properties that can name features, "id" first.
func (r *Regions) names() []string {
	out := []string{"id"}
	for _, p := range r.properties {
		if p != "id" {
			out = append(out, p)
		}
	}
	return out
}

// keyFor returns the property in which most of the names occur. Of several, it prefers the one
// with the most distinct values, and then the first.
func (r *Regions) keyFor(names []string) (key string, err error) {
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	most, spread := 0, 0
	for _, p := range r.names() {
		seen, hits := map[string]bool{}, 0
		for i := range r.features {
			v := r.features[i].property(p)
			if v == nil {
				continue
			}
			s := written(v)
			if !seen[s] && wanted[s] {
				hits++
			}
			seen[s] = true
		}
		if hits > most || hits == most && hits > 0 && len(seen) > spread {
			most, spread, key = hits, len(seen), p
		}
	}
	if most == 0 {
		return "", fmt.Errorf("no region has one of the names, such as %s; the regions have %s", quoted(names, 3), r.examples())
	}
	return key, nil
}

// examples lists the properties with a value for each.
func (r *Regions) examples() string {
	var out []string
	for _, p := range r.names() {
		for i := range r.features {
			if v := r.features[i].property(p); v != nil {
				out = append(out, fmt.Sprintf("%s: %q", p, written(v)))
				break
			}
		}
		if len(out) == 8 {
			out = append(out, "...")
			break
		}
	}
	if len(out) == 0 {
		return "no properties"
	}
	return strings.Join(out, ", ")
}

// quoted lists the first names.
func quoted(names []string, most int) string {
	var out []string
	for i, n := range names {
		if i == most {
			break
		}
		out = append(out, fmt.Sprintf("%q", n))
	}
	return strings.Join(out, ", ")
}

var errNothing = errors.New("there is nothing to draw on a map")
