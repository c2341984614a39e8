package report

import (
	"encoding/xml"
	"strings"
	"testing"
)

func example() *ModelSummary {
	s := &ModelSummary{Title: "OLS: a_b ~ x & <y>", Notes: []string{"3 rows lack a value & are left out."}}
	s.Add("Observations", "32")
	s.Add("R²", "0.8268")
	s.Add("F(2, 29)", "69.21")
	s.AddMore("Durbin-Watson", "1.362")
	s.Tables = []SummaryTable{{Head: []string{"", "coefficient", "P"}, Rows: [][]string{{"Intercept", "37.2273", "2.6e-20"}, {"C(g)[T.50%]", "-3.8778", "0.0113"}}}}
	return s
}

func TestText(t *testing.T) {
	want := `OLS: a_b ~ x & <y>
═════════════════════════════════════════
Observations     32  F(2, 29)       69.21
R²            0.8268
─────────────────────────────────────────
                     coefficient        P
─────────────────────────────────────────
Intercept                37.2273  2.6e-20
C(g)[T.50%]              -3.8778   0.0113
─────────────────────────────────────────
Durbin-Watson  1.362
═════════════════════════════════════════
3 rows lack a value & are left out.`
	if got := example().String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestHTMLIsWellFormed(t *testing.T) {
	s := example().HTML()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%v in\n%s", err, s)
			}
			break
		}
	}
	for _, part := range []string{"a_b ~ x &amp; &lt;y&gt;", "C(g)[T.50%]", "2.6e-20", "Durbin-Watson"} {
		if !strings.Contains(s, part) {
			t.Errorf("no %q", part)
		}
	}
}

func TestLaTeXEscapes(t *testing.T) {
	s := example().LaTeX()
	for _, part := range []string{`a\_b \textasciitilde{} x \& \textless{}y\textgreater{}`, `R\textsuperscript{2}`, `C(g)[T.50\%] & -3.8778 & 0.0113 \\`} {
		if !strings.Contains(s, part) {
			t.Errorf("no %q in\n%s", part, s)
		}
	}
	if strings.Count(s, `\begin{`) != strings.Count(s, `\end{`) {
		t.Error("environments are not closed")
	}
}
