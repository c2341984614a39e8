package main

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/rules"
)

const itemsets = "frequent sets"

var basketSizes = [2]size{{n: 2000, cols: 10}, {n: 10000, cols: 10}}

// ruleCases are the cases of the family rules. Each row of levels is a basket of the items
// "column=level"; a frequent set is in 0.5 % of them. The other side is mlxtend.
var ruleCases = []bench{
	{family: "rules", name: "Apriori", kind: levelKind, sizes: basketSizes, quality: itemsets,
		run: mining(func(b [][]string) (*rules.Itemsets, error) { return rules.Apriori{MinSupport: 0.005}.Mine(b) })},
	{family: "rules", name: "FPGrowth", kind: levelKind, sizes: basketSizes, quality: itemsets,
		run: mining(func(b [][]string) (*rules.Itemsets, error) { return rules.FPGrowth{MinSupport: 0.005}.Mine(b) })},
}

func init() { cases = append(cases, ruleCases...) }

// mining measures the time from baskets of names; the other side starts with a frame of booleans.
func mining(mine func([][]string) (*rules.Itemsets, error)) runner {
	return func(d *dataset) (r measured, err error) {
		baskets := make([][]string, d.n)
		for i := range baskets {
			for j, v := range d.train.RawRowView(i) {
				baskets[i] = append(baskets[i], fmt.Sprintf("%d=%g", j, v))
			}
		}
		watch := stopwatch()
		s, err := mine(baskets)
		if err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		r.Quality = float64(len(s.Sets))
		return r, nil
	}
}
