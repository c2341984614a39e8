package rules_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/rules"
)

// A literal that leaves 3 of 5 positive bindings and 0 of 5 negative ones.
func ExampleFOILGain() {
	fmt.Println(rules.FOILGain(5, 5, 3, 0, 3))
	// Output:
	// 3
}

func ExamplePairs() {
	r := rules.Pairs("parent", "ann bob, bob cid")
	fmt.Println(r.Name, r.Tuples)
	// Output:
	// parent [[ann bob] [bob cid]]
}

func ExampleRelation() {
	r := rules.Relation{Name: "older", Tuples: [][]string{{"ann", "bob"}, {"bob", "cid"}}}
	foil := rules.FOIL{Background: []rules.Relation{r}, NoNegation: true}
	if err := foil.Learn(rules.Pairs("parent", "ann bob, bob cid"), nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(foil.String())
	// Output:
	// parent(A, B) :- older(A, B).
}
