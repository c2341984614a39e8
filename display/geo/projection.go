package geo

import "math"

// Projection is a projection of the sphere onto the plane.
type Projection int

// The projections.
const (
	// Automatic selects EqualEarth for a map of the whole world and Azimuthal for a map of a part
	// of it.
	Automatic Projection = iota
	// EqualEarth preserves areas of the whole world. Its outline is an oval with flat ends (B.
	// Šavrič, T. Patterson and B. Jenny, "The Equal Earth map projection", 2019).
	EqualEarth
	// Azimuthal is Lambert's azimuthal equal-area projection (1772) around the center of the
	// drawn data, where it also preserves shapes (J. P. Snyder, "Map projections: a working
	// manual", 1987, p. 185).
	Azimuthal
	// Equirectangular draws longitudes and latitudes unchanged, so areas far from the equator are
	// too large. In the center of the drawn data, degrees have the same length in both
	// directions.
	Equirectangular
)

func (p Projection) String() string {
	switch p {
	case EqualEarth:
		return "Equal Earth projection"
	case Azimuthal:
		return "azimuthal projection of equal areas"
	case Equirectangular:
		return "equirectangular projection"
	}
	return "automatic projection"
}

// place is a longitude and a latitude in degrees.
type place struct{ lon, lat float64 }

// point is a position on the plane, for a globe of radius 1; y grows upwards.
type point struct{ x, y float64 }

// layout is a projection with its center.
type layout struct {
	kind   Projection
	middle place
}

// at projects a longitude, relative to the center, and a latitude.
func (l layout) at(lon, lat float64) point {
	const degree = math.Pi / 180
	lambda, phi := lon*degree, lat*degree
	switch l.kind {
	case Azimuthal:
		sin, cos := math.Sincos(phi)
		sin1, cos1 := math.Sincos(l.middle.lat * degree)
		sinL, cosL := math.Sincos(lambda)
		// At the antipode the divisor is 0, and the position becomes a circle.
		k := math.Sqrt(2 / math.Max(1e-9, 1+sin1*sin+cos1*cos*cosL))
		return point{k * cos * sinL, k * (cos1*sin - sin1*cos*cosL)}
	case Equirectangular:
		return point{lambda * math.Cos(l.middle.lat*degree), phi}
	}
	return equalEarth(lambda, phi)
}

// equalEarth computes the polynomial of Šavrič, Patterson and Jenny, equations (7) to (9):
//
//	sin θ = √3/2·sin φ
//	x = 2√3·λ·cos θ / (3·(9·A₄·θ⁸ + 7·A₃·θ⁶ + 3·A₂·θ² + A₁))
//	y = A₄·θ⁹ + A₃·θ⁷ + A₂·θ³ + A₁·θ
func equalEarth(lambda, phi float64) point {
	const a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
	theta := math.Asin(math.Sqrt(3) / 2 * math.Sin(phi))
	t2 := theta * theta
	t6 := t2 * t2 * t2
	return point{
		x: 2 * math.Sqrt(3) * lambda * math.Cos(theta) / (3 * (a1 + 3*a2*t2 + t6*(7*a3+9*a4*t2))),
		y: theta * (a1 + a2*t2 + t6*(a3+a4*t2)),
	}
}

// whole is the smallest range of longitudes that is drawn as the whole world.
const whole = 200

// layoutOf chooses the center of the drawn data and, if it is automatic, the projection. Its
// input is the occupied longitudes in whole degrees, and the smallest and largest latitude.
func layoutOf(kind Projection, longitudes *[360]bool, south, north float64) layout {
	west, span := occupied(longitudes)
	l := layout{kind: kind, middle: place{west + span/2, (south + north) / 2}}
	if span > whole {
		l.middle.lon = 0
	}
	if l.middle.lon > 180 {
		l.middle.lon -= 360
	}
	if l.kind == Automatic {
		l.kind = Azimuthal
		if span > whole || north-south > 120 {
			l.kind = EqualEarth
		}
	}
	if span > whole {
		l.middle.lat = 0
	}
	return l
}

// occupied returns the range of longitudes that excludes the largest gap.
func occupied(longitudes *[360]bool) (west, span float64) {
	gap, end := 0, 0
	for i := range 720 {
		if longitudes[i%360] {
			continue
		}
		n := 1
		for n < 360 && !longitudes[(i+n)%360] {
			n++
		}
		if n > gap {
			gap, end = n, (i+n)%360
		}
	}
	if gap == 360 {
		return 0, 0
	}
	return float64(end) - 180, float64(360 - gap)
}
