package cluster

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// spanWork is how many values one goroutine compares at a time; fewer are not worth starting a
// goroutine.
const spanWork = 1 << 13

// prim finds a minimum spanning tree of rows by Prim's algorithm.
//
// Cost: O(n²) distances, O(n) memory.
type prim struct {
	// far is the distance; nil means the Euclidean one.
	far func(a, b []float64) float64
	// core, if not nil, holds the core distances, and the tree uses the mutual reachability
	// distance: the maximum of the distance and the core distances of both rows. If far is nil,
	// core and the distances are squared.
	core []float64
	run  *model.Run

	out []outside
	at  []float64 // the coordinates of the rows outside the tree, in the order of out
}

// outside is a row that is not in the tree yet.
type outside struct {
	row, from    int32   // the row, and its nearest row in the tree
	height, core float64 // its distance to the tree, and its core distance
}

// nearer reports whether o comes before p: by distance, then by index.
func (o *outside) nearer(p *outside) bool {
	return o.height < p.height || o.height == p.height && o.row < p.row
}

// tree returns the n−1 edges. Of equally long edges it takes the one of the lower row first.
func (s *prim) tree(d *mat.Dense) ([]joint, error) {
	n, cols := d.Dims()
	s.out = make([]outside, n-1)
	s.at = append([]float64(nil), d.RawMatrix().Data[cols:]...)
	for i := range s.out {
		s.out[i] = outside{row: int32(i + 1), height: math.Inf(1)}
		if s.core != nil {
			s.out[i].core = s.core[i+1]
		}
	}
	found := make([]joint, 0, n-1)
	grain := max(1024, spanWork/cols)
	least := make([]int, (n+grain-1)/grain)
	for last := 0; len(s.out) > 0; {
		row, core := d.RawRowView(last), 0.0
		if s.core != nil {
			core = s.core[last]
		}
		par.Range(len(s.out), grain, func(lo, hi int) { least[lo/grain] = s.look(row, core, int32(last), lo, hi) })
		best := least[0]
		for _, i := range least[1 : (len(s.out)+grain-1)/grain] {
			if s.out[i].nearer(&s.out[best]) {
				best = i
			}
		}
		o, end := s.out[best], len(s.out)-1
		last = int(o.row)
		s.out[best] = s.out[end]
		copy(s.at[best*cols:(best+1)*cols], s.at[end*cols:])
		s.out, s.at = s.out[:end], s.at[:end*cols]
		if s.far == nil {
			o.height = math.Sqrt(o.height)
		}
		found = append(found, joint{o.from, o.row, o.height})
		if err := s.run.Step(len(found), o.height); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// look compares rows lo to hi of those outside the tree with the row that was added last, and
// returns the row nearest to the tree.
func (s *prim) look(row []float64, core float64, last int32, lo, hi int) int {
	best, least, first := lo, math.Inf(1), int32(math.MaxInt32)
	var away [256]float64
	for ; lo < hi; lo += len(away) {
		end := min(lo+len(away), hi)
		s.distances(away[:end-lo], row, core, lo)
		for i, v := range away[:end-lo] {
			o := &s.out[lo+i]
			if v < core {
				v = core
			}
			if v < o.core {
				v = o.core
			}
			if v < o.height || v != v {
				o.height, o.from = v, last
			}
			if h := o.height; h < least || h == least && o.row < first {
				best, least, first = lo+i, h, o.row
			}
		}
	}
	return best
}

// distances writes the distances from row to the rows outside the tree from lo on, squared if they
// are Euclidean. It writes +Inf for a row that cannot come nearer.
func (s *prim) distances(away, row []float64, core float64, lo int) {
	cols := len(row)
	at := s.at[lo*cols : (lo+len(away))*cols]
	switch {
	case s.far != nil:
		for i := range away {
			away[i] = math.Inf(1)
			if o := &s.out[lo+i]; max(core, o.core) < o.height {
				away[i] = s.far(row, at[i*cols:(i+1)*cols])
			}
		}
	case cols == 2: // adds in the same order as squared
		a, b := row[0], row[1]
		for i := range away {
			p := at[2*i : 2*i+2 : 2*i+2]
			u, v := a-p[0], b-p[1]
			away[i] = u*u + v*v
		}
	case cols == 3:
		a, b, c := row[0], row[1], row[2]
		for i := range away {
			p := at[3*i : 3*i+3 : 3*i+3]
			u, v, w := a-p[0], b-p[1], c-p[2]
			away[i] = u*u + v*v + w*w
		}
	default:
		for i := range away {
			away[i] = squared(row, at[i*cols:(i+1)*cols])
		}
	}
}
