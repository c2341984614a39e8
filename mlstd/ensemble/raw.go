package ensemble

import "github.com/gokernel/gokernel/mlstd/internal/raw"

func init() {
	raw.SeenLevels = func(m any) []*[4]uint64 {
		var seen []*levels
		switch m := m.(type) {
		case *HistGradientBoosting:
			seen = m.seen
		case *HistGradientBoostingRegressor:
			seen = m.seen
		}
		out := make([]*[4]uint64, len(seen))
		for j, s := range seen {
			out[j] = (*[4]uint64)(s)
		}
		return out
	}
}
