package course

import (
	"errors"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/mlstd/bayesnet"
)

func shown(t *testing.T, v any) string {
	t.Helper()
	Install()
	b, err := display.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := b.Data["text/plain"].(string)
	return text
}

// Values of the library are shown without a call of a figure function.
func TestBayesNetworksShowThemselves(t *testing.T) {
	alarm := bayesnet.Alarm()
	search := &bayesnet.StructureSearch{}
	if err := search.Learn(bayesnet.Student().Sample(500, 1)); err != nil {
		t.Fatal(err)
	}
	sampled := alarm.Given("John", true).Sampled(bayesnet.LikelihoodWeighting, "Burglary", 1000, 1)
	q := alarm.Query("Burglary").Given("John", true, "Mary", true)
	for want, v := range map[string]any{
		"true, true: 0.95":      alarm,
		"HRBP":                  bayesnet.AlarmMonitoring(),
		"John=true":             q,
		"summed out":            q.Factors(),
		"likelihood weighting":  sampled,
		"are dependent given":   alarm.Separation("Burglary", "Earthquake", "Mary"),
		"Burglary  true 0.3736": alarm.Given("Alarm", true).Bars("Burglary"),
		"Grade":                 BayesNet(search),
		"mutual information":    chowLiu(),
	} {
		if got := shown(t, v); !strings.Contains(got, want) {
			t.Errorf("%T shows\n%s\nwithout %q", v, got, want)
		}
	}
	for want, v := range map[string]any{
		"no tree":                         BayesNet(nil, errors.New("no tree")),
		"string must be a network":        BayesNet("alarm"),
		"no variable":                     MarkovBlanket(alarm, "Burglar"),
		"there are no variables":          BayesNet(),
		"nothing to draw":                 Posteriors(nil),
		"has no graph yet":                SearchSteps(&bayesnet.StructureSearch{})[0],
		"learn one with":                  SpanningSteps(nil)[0],
		"or a model that has learned one": BayesNet(&bayesnet.TAN{}),
	} {
		if _, err := v.(display.Displayer).Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error that says %q", err, want)
		}
	}
}

// The last graph is the one that the search found; the first one is its start.
func TestSearchSteps(t *testing.T) {
	search := &bayesnet.StructureSearch{}
	if err := search.Learn(bayesnet.Student().Sample(500, 1)); err != nil {
		t.Fatal(err)
	}
	steps := SearchSteps(search)
	if len(steps) != len(search.Moves)+1 {
		t.Fatalf("%d graphs for %d changes", len(steps), len(search.Moves))
	}
	if got := shown(t, steps[0]); strings.Contains(got, "→") {
		t.Errorf("the start has arrows:\n%s", got)
	}
	edges := 0
	for _, c := range search.Net.Nodes {
		edges += len(c.Parents)
	}
	// The title contains one more arrow.
	if got := strings.Count(shown(t, steps[len(steps)-1]), "→"); got < 2 || edges < 2 {
		t.Errorf("%d arrows are written, the graph has %d", got, edges)
	}
}
