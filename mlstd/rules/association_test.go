package rules_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/rules"
)

var notes = [][]string{{"1", "3", "4"}, {"2", "3", "5"}, {"1", "2", "3", "5"}, {"2", "5"}}

func mined(t testing.TB, s *rules.Itemsets, err error) *rules.Itemsets {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func written(sets []rules.Itemset) []string {
	var s []string
	for _, set := range sets {
		s = append(s, fmt.Sprint(strings.Join(set.Items, " "), ":", set.Count))
	}
	return s
}

// The four transactions of the catalogue, with the numbers counted by hand. Of the six pairs, {1 2}
// and {1 5} are not frequent, so the only triple that is counted is {2 3 5}.
func TestRULE10_Apriori(t *testing.T) {
	a := rules.Apriori{MinCount: 2}
	s, err := a.Mine(notes)
	s = mined(t, s, err)
	want := []string{"1:2", "2:3", "3:3", "5:3", "1 3:2", "2 3:2", "2 5:3", "3 5:2", "2 3 5:2"}
	if got := written(s.Sets); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.Levels[0]; got != (rules.AprioriLevel{Size: 1, Joined: 5, Counted: 5, Frequent: 4}) {
		t.Errorf("items: %+v", got)
	}
	if got := s.Levels[1]; got != (rules.AprioriLevel{Size: 2, Joined: 6, Counted: 6, Frequent: 4}) {
		t.Errorf("pairs: %+v", got)
	}
	if got := s.Levels[2]; got != (rules.AprioriLevel{Size: 3, Joined: 1, Counted: 1, Frequent: 1}) {
		t.Errorf("triples: %+v", got)
	}
	if got, want := written(s.Maximal()), []string{"1 3:2", "2 3 5:2"}; !slices.Equal(got, want) {
		t.Errorf("maximal: got %v, want %v", got, want)
	}
	if got, want := written(s.Closed()), []string{"3:3", "1 3:2", "2 5:3", "2 3 5:2"}; !slices.Equal(got, want) {
		t.Errorf("closed: got %v, want %v", got, want)
	}
	mltest.Near(t, "support of {2 5}", s.Support("5", "2"), 0.75, 0)
	made, err := s.Rules(1)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range made {
		all = append(all, r.String())
	}
	if got, want := strings.Join(all, "; "), "5 → 2; 2 → 5; 1 → 3; 3, 5 → 2; 2, 3 → 5"; got != want {
		t.Errorf("certain rules: got %s, want %s", got, want)
	}
	// 2 → 3 by hand: P(2,3) = 1/2, P(2) = P(3) = 3/4.
	made, _ = s.Rules(0.6)
	at := slices.IndexFunc(made, func(r rules.AssociationRule) bool { return r.String() == "2 → 3" })
	r := made[at]
	mltest.NearAll(t, "2 → 3", []float64{r.Support, r.Confidence, r.Lift, r.Leverage, r.Conviction},
		[]float64{0.5, 2.0 / 3, 8.0 / 9, 0.5 - 9.0/16, 0.75}, 1e-12)
	if c := made[0].Conviction; !math.IsInf(c, 1) {
		t.Errorf("the conviction of a certain rule is %v", c)
	}
}

// generated returns random baskets with some structure.
func generated(n, items int, seed uint64) [][]string {
	rng := model.Rand(seed, 0)
	baskets := make([][]string, n)
	for i := range baskets {
		group := rng.IntN(3)
		for k := range items {
			p := 0.15
			if k%3 == group {
				p = 0.7
			}
			if rng.Float64() < p {
				baskets[i] = append(baskets[i], fmt.Sprintf("item%d", k))
			}
		}
	}
	return baskets
}

// counted finds the frequent sets by counting all 2ⁿ sets.
func counted(baskets [][]string, items, least, maxLen int) map[string]int {
	found := map[string]int{}
	for mask := 1; mask < 1<<items; mask++ {
		var set []string
		for k := range items {
			if mask&(1<<k) != 0 {
				set = append(set, fmt.Sprintf("item%d", k))
			}
		}
		if maxLen > 0 && len(set) > maxLen {
			continue
		}
		slices.Sort(set)
		n := 0
		for _, b := range baskets {
			if !slices.ContainsFunc(set, func(s string) bool { return !slices.Contains(b, s) }) {
				n++
			}
		}
		if n >= least {
			found[strings.Join(set, " ")] = n
		}
	}
	return found
}

func TestFPGrowthIsAprioriIsCounting(t *testing.T) {
	for seed := range uint64(12) {
		const items = 8
		baskets := generated(20+10*int(seed), items, seed)
		least, maxLen := 2+int(seed), int(seed)%4
		want := counted(baskets, items, least, maxLen)
		a, err := rules.Apriori{MinCount: least, MaxLen: maxLen}.Mine(baskets)
		a = mined(t, a, err)
		f, err := rules.FPGrowth{MinCount: least, MaxLen: maxLen}.Mine(baskets)
		f = mined(t, f, err)
		if !slices.Equal(written(a.Sets), written(f.Sets)) {
			t.Fatalf("seed %d: Apriori %v, FP-growth %v", seed, written(a.Sets), written(f.Sets))
		}
		if len(a.Sets) != len(want) {
			t.Fatalf("seed %d: %d sets, want %d", seed, len(a.Sets), len(want))
		}
		for _, s := range a.Sets {
			if n := want[strings.Join(s.Items, " ")]; n != s.Count || a.Count(s.Items...) != n {
				t.Errorf("seed %d: %v: got %d, want %d", seed, s, s.Count, n)
			}
		}
		maximal, closed := a.Maximal(), a.Closed()
		holds := func(all []rules.Itemset, is func(super rules.Itemset) bool) bool { return slices.ContainsFunc(all, is) }
		for _, s := range a.Sets {
			super := func(b rules.Itemset) bool {
				return !slices.ContainsFunc(s.Items, func(i string) bool { return !slices.Contains(b.Items, i) })
			}
			if !holds(maximal, super) {
				t.Errorf("seed %d: no maximal set has %v", seed, s)
			}
			if !holds(closed, func(b rules.Itemset) bool { return b.Count == s.Count && super(b) }) {
				t.Errorf("seed %d: no closed set gives the count of %v", seed, s)
			}
		}
	}
}

// The rules are all partitions of a frequent set into two parts, and enumerating the consequents by
// size misses none.
func TestAssociationRulesAreAll(t *testing.T) {
	s, err := rules.FPGrowth{MinCount: 5}.Mine(generated(60, 7, 3))
	s = mined(t, s, err)
	all, err := s.Rules(0)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, set := range s.Sets {
		want += 1<<len(set.Items) - 2
	}
	if len(all) != want {
		t.Errorf("%d rules, want %d", len(all), want)
	}
	for _, least := range []float64{0.3, 0.6, 0.9} {
		some, err := s.Rules(least)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range all {
			if r.Confidence >= least {
				n++
			}
		}
		if len(some) != n {
			t.Errorf("confidence %v: %d rules, want %d", least, len(some), n)
		}
	}
}

func TestMineRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  func() error
		want string
	}{
		{"none", func() error { _, err := rules.Apriori{}.Mine(nil); return err }, "transactions must not be empty"},
		{"support", func() error { _, err := rules.FPGrowth{MinSupport: 2}.Mine(notes); return err }, "MinSupport must be above 0 and at most 1 (a fraction of the transactions), got 2"},
		{"count", func() error { _, err := rules.Apriori{MinCount: -1}.Mine(notes); return err }, "MinCount must be at least 1, got -1"},
		{"length", func() error { _, err := rules.Apriori{MaxLen: -1}.Mine(notes); return err }, "MaxLen must not be negative (0 means no limit), got -1"},
		{"confidence", func() error {
			s, _ := rules.Apriori{}.Mine(notes)
			_, err := s.Rules(1.5)
			return err
		}, "minConfidence must be between 0 and 1, got 1.5"},
	} {
		if err := tt.err(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	if s, err := (rules.Apriori{MinCount: 5}).Mine(notes); err != nil || len(s.Sets) != 0 {
		t.Errorf("nothing is frequent: %v, %v", s, err)
	}
}

func TestOracleItemsets(t *testing.T) {
	type rule struct {
		If, Then                                        []string
		Support, Confidence, Lift, Leverage, Conviction float64
	}
	var sets map[string]struct {
		Baskets             [][]string
		Support, Confidence float64
		Itemsets            [][2]any
		Maximal             [][]string
		Rules               []rule
	}
	mltest.ReadOracle(t, "rules", &sets)
	for name, o := range sets {
		want := map[string]float64{}
		for _, s := range o.Itemsets {
			want[strings.Trim(fmt.Sprint(s[0]), "[]")] = s[1].(float64)
		}
		a, err := rules.Apriori{MinSupport: o.Support}.Mine(o.Baskets)
		a = mined(t, a, err)
		f, err := rules.FPGrowth{MinSupport: o.Support}.Mine(o.Baskets)
		f = mined(t, f, err)
		for _, s := range []*rules.Itemsets{a, f} {
			if len(s.Sets) != len(want) {
				t.Errorf("%s: %d sets, want %d", name, len(s.Sets), len(want))
			}
			for _, set := range s.Sets {
				mltest.Near(t, name+" "+set.String(), set.Support, want[strings.Join(set.Items, " ")], 1e-15)
			}
		}
		maximal := map[string]bool{}
		for _, s := range o.Maximal {
			maximal[strings.Join(s, " ")] = true
		}
		got := a.Maximal()
		if len(got) != len(maximal) || slices.ContainsFunc(got, func(s rules.Itemset) bool { return !maximal[strings.Join(s.Items, " ")] }) {
			t.Errorf("%s: maximal sets %v", name, got)
		}
		made, err := f.Rules(o.Confidence)
		if err != nil {
			t.Fatal(err)
		}
		if len(made) != len(o.Rules) {
			t.Errorf("%s: %d rules, want %d", name, len(made), len(o.Rules))
		}
		theirs := map[string]rule{}
		for _, r := range o.Rules {
			theirs[rules.AssociationRule{If: r.If, Then: r.Then}.String()] = r
		}
		for _, r := range made {
			w := theirs[r.String()]
			if w.Conviction < 0 {
				w.Conviction = math.Inf(1)
			}
			mltest.NearAll(t, name+" "+r.String(), []float64{r.Support, r.Confidence, r.Lift, r.Leverage, r.Conviction},
				[]float64{w.Support, w.Confidence, w.Lift, w.Leverage, w.Conviction}, 1e-12)
		}
	}
}

func ExampleFPGrowth() {
	baskets := [][]string{{"bread", "milk"}, {"bread", "butter", "milk"}, {"butter", "jam"}, {"bread", "butter", "jam", "milk"}}
	sets, err := rules.FPGrowth{MinSupport: 0.5}.Mine(baskets)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, _ := sets.Rules(0.9)
	for _, r := range found {
		fmt.Printf("%v  confidence %.2f, lift %.2f\n", r, r.Confidence, r.Lift)
	}
	// Output:
	// milk → bread  confidence 1.00, lift 1.33
	// bread → milk  confidence 1.00, lift 1.33
	// jam → butter  confidence 1.00, lift 1.33
	// butter, milk → bread  confidence 1.00, lift 1.33
	// bread, butter → milk  confidence 1.00, lift 1.33
}

func BenchmarkApriori(b *testing.B) {
	baskets := generated(5000, 16, 1)
	for b.Loop() {
		if _, err := (rules.Apriori{MinSupport: 0.1}).Mine(baskets); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFPGrowth(b *testing.B) {
	baskets := generated(5000, 16, 1)
	for b.Loop() {
		if _, err := (rules.FPGrowth{MinSupport: 0.1}).Mine(baskets); err != nil {
			b.Fatal(err)
		}
	}
}
