package rules

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// DecisionList learns Rivest's k-decision list: if term₁ then class₁, else if term₂ then class₂,
// and so on, where a term has at most K conditions and the list misclassifies no training example.
//
//		(t₁, c₁), …, (t_r, c_r), (true, c)   with |tᵢ| ≤ K
//
//	 1. Among all terms that hold only for examples of one class, append the term that holds for
//	    the most examples to the list.
//	 2. Remove these examples, and continue until all remaining examples are of one class.
//
// If a list of terms with at most K conditions is consistent with the examples, Fit finds such a
// list, because a pure term stays pure when examples are removed. Otherwise Fit returns an error:
// the examples are noisy or K is too small. Conditions are A = level for a nominal column, and A ≤
// a or A > a for any other column.
//
// Cost: O(n·m^K) per term for m possible conditions. K above 2 is practical only for few columns
// with few values.
//
// References: [Rivest1987]. Course: RULE-01, RULE-02.
type DecisionList struct {
	// K is the maximum number of conditions of a term; 0 means 1. With a larger K, Fit can learn
	// more concepts but is slower.
	K int

	List RuleList // set by Fit

	learned

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Classifier = (*DecisionList)(nil)

// Takes reports that nominal columns are accepted.
func (l *DecisionList) Takes() model.Takes { return model.Takes{Nominal: true} }

// Classes lists the classes in ascending order.
func (l *DecisionList) Classes() []int { return slices.Clone(l.classes) }

// Predict returns, for each row, the class of the first term that holds.
func (l *DecisionList) Predict(x mat.Matrix) []int {
	x = model.MustRead("DecisionList.Predict", &l.Fitted, x)
	return l.predict("DecisionList.Predict", &l.List, x)
}

// Fit learns the list.
func (l *DecisionList) Fit(x mat.Matrix, y []int) error {
	const op = "DecisionList.Fit"
	model.NoteXY(&l.Fitted, x, y)
	l.List, l.learned = RuleList{}, learned{}
	if l.K < 0 {
		return model.Errorf(op, "K must be at least 1, got %d", l.K)
	}
	e, err := readExamples(op, x, y)
	if err != nil {
		return err
	}
	var rules []tree.TreeRule
	rows := e.all()
	for !e.pure(rows) {
		best := e.purest(rows, or(l.K, 1))
		if best == nil {
			return model.Errorf(op, "no term of at most %d conditions selects only one class of the %d remaining examples", or(l.K, 1), len(rows)).
				WithHint("set a larger K, or use a learner that tolerates errors, such as ml.RIPPER")
		}
		rules = append(rules, *best)
		_, rows = e.covered(*best, rows)
	}
	l.List = e.finish(rules)
	l.learned = learned{e.classes, len(e.columns)}
	return nil
}

func (e *examples) pure(rows []int) bool {
	return !slices.ContainsFunc(rows, func(i int) bool { return e.y[i] != e.y[rows[0]] })
}

// purest returns the term of at most k conditions that holds for the most rows among the terms that
// hold for only one class. It returns nil if there is none.
func (e *examples) purest(rows []int, k int) *tree.TreeRule {
	var best *tree.TreeRule
	most := 0
	var search func(r tree.TreeRule, in []int, k int)
	search = func(r tree.TreeRule, in []int, k int) {
		var inner []question
		for class := range e.classes {
			e.questions(in, func(i int) bool { return e.y[i] == class }, func(q question, p, n int) {
				switch {
				case n == 0 && p > most:
					found := r.And(e.condition(q), e.columns)
					found.Class, found.ClassName = e.classes[class], e.name(class)
					best, most = &found, p
				case class == 0 && k > 1 && p+n > most:
					inner = append(inner, q)
				}
			})
		}
		for _, q := range inner {
			longer := r.And(e.condition(q), e.columns)
			if some, _ := e.covered(longer, in); len(some) > most {
				search(longer, some, k-1)
			}
		}
	}
	search(tree.TreeRule{}, rows, k)
	return best
}
