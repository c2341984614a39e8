package chart

import (
	"math"
	"time"
)

// axisChannel describes a position channel over the named field.
func axisChannel(a *axis, s *scale, field string) object {
	ch := object{"field": field, "title": a.label()}
	if a.label() == "" {
		ch["title"] = nil
	}
	switch {
	case a.levels != nil && a.beside:
		ch["type"] = "quantitative"
		sc := object{"domain": []any{s.lo, s.hi}, "nice": false, "zero": false}
		if a.reverse {
			sc["reverse"] = true
		}
		ch["scale"], ch["axis"] = sc, namedAxis(a.levels)
	case a.levels != nil:
		ch["type"] = "nominal"
		ch["sort"] = nil
		ch["scale"] = object{"domain": a.levels}
		ch["axis"] = object{"labelAngle": 0, "labelOverlap": true}
	case a.times:
		ch["type"] = "temporal"
		ch["scale"] = object{"type": "utc"}
	default:
		ch["type"] = "quantitative"
		sc := object{"domain": []any{s.lo, s.hi}, "nice": false}
		if s.log {
			sc["type"] = "log"
		} else {
			sc["zero"] = false
		}
		if a.reverse {
			sc["reverse"] = true
		}
		if a.whole {
			ch["axis"] = object{"tickMinStep": 1}
		}
		ch["scale"] = sc
	}
	if a.hidden {
		ch["axis"] = nil
	}
	return ch
}

// namedAxis writes names at the numbers 0, 1, 2 ...
func namedAxis(levels []string) object {
	labels := "["
	var ticks []any
	for i, name := range levels {
		if i > 0 {
			labels += ","
		}
		labels += jsString(name)
		ticks = append(ticks, i)
	}
	return object{"values": ticks, "labelExpr": labels + "][datum.value]", "grid": false}
}

// position is a value as the axis takes it.
func position(a *axis, x float64) any {
	switch {
	case a.levels != nil && !a.beside:
		k := int(math.Round(x))
		if k < 0 || k >= len(a.levels) {
			return nil
		}
		return a.levels[k]
	case a.times:
		seconds := math.Floor(x)
		return time.Unix(int64(seconds), int64(math.Round(1e3*(x-seconds)))*1e6).UTC().Format("2006-01-02T15:04:05.999Z")
	}
	return x
}

// swap exchanges the directions of lying bars and boxes.
func (v *vegaPanel) swap(enc object) object {
	if !v.transposed {
		return enc
	}
	out := object{}
	for k, e := range enc {
		switch k {
		case "x":
			k = "y"
		case "y":
			k = "x"
		case "x2":
			k = "y2"
		case "y2":
			k = "x2"
		case "xOffset":
			k = "yOffset"
		}
		out[k] = e
	}
	return out
}

func (v *vegaPanel) xy() object {
	return object{"x": axisChannel(&v.c.x, &v.x, "x"), "y": axisChannel(&v.c.y, &v.y, "y")}
}

// edges are the channels of marks that have two ends in both directions.
func (v *vegaPanel) ends() object {
	enc := v.xy()
	for _, k := range []string{"x", "y"} {
		ch := enc[k].(object)
		if ch["type"] == "nominal" { // cells of named rows and columns lie between numbers
			ch["type"] = "quantitative"
			delete(ch, "sort")
			a, s := &v.c.x, &v.x
			if k == "y" {
				a, s = &v.c.y, &v.y
			}
			b := *a
			b.levels = nil
			enc[k] = axisChannel(&b, s, k)
			enc[k].(object)["axis"] = namedAxis(a.levels)
		}
	}
	enc["x2"], enc["y2"] = object{"field": "x2"}, object{"field": "y2"}
	return enc
}
