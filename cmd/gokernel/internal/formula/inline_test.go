package formula

import (
	"strings"
	"testing"
)

func TestInline(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Cost: O(n·d·log n) to fit;\nO(d·log n) a row.", `Cost: $O(n\cdot d\cdot \log n)$ to fit;` + "\n" + `$O(d\cdot \log n)$ a row.`},
		{"ρ̂ⱼ is the mean activation of unit j in the batch.", `$\hat{\rho}_{j}$ is the mean activation of unit $j$ in the batch.`},
		// Operators and brackets join a formula; a sentence is not a formula.
		{"it is (1 + x·z)² = 1 + 2x·z + (x·z)², so", `it is $(1 + x\cdot z)^{2} = 1 + 2x\cdot z + (x\cdot z)^{2}$, so`},
		{"Z = p₊ + p₋/α ≤ 1 of that", `$Z = p_{+} + p_{-}/\alpha \le 1$ of that`},
		{"with λ = Noise; Lambda = 0 is plain, and λ = the weight", `with $\lambda = \mathrm{Noise}$; Lambda = 0 is plain, and $\lambda$ = the weight`},
		{"Grow (λ of the weight) in [−1, 1] (or ½).", `Grow ($\lambda$ of the weight) in $[-1, 1]$ (or $\tfrac{1}{2}$).`},
		{"gives log p(x) of the set {w ∈ R² : ‖w‖ = 1}", `gives $\log p(x)$ of the set $\{w \in R^{2} : \|w\| = 1\}$`},
		{"cᵢ ← argmin_k ‖xᵢ − μ_k‖², the lowest k", `$c_{i} \leftarrow \operatorname*{argmin}_{k} \|x_{i} - \mu _{k}\|^{2}$, the lowest $k$`},
		// A letter is a variable; the article, a unit and an L₁-norm are words.
		{"A class a of k, by n's 5 s of A-E in the l₁-norm", `A class a of $k$, by $n$'s 5 s of A-E in the $l_{1}$-norm`},
		{"takes A and n! orders, (n+1)/2 or x_best, and/or 2d.", `takes $A$ and $n!$ orders, $(n+1)/2$ or $x_{\text{best}}$, and/or 2d.`},
		{"with w = Σᵢ αᵢyᵢ xᵢ − log p(x) and ⌊q·n⌋ of log₂ k, log₂ of Σ or", `with $w = \sum_{i} \alpha _{i}y_{i}$ $x_{i} - \log p(x)$ and $\lfloor q\cdot n\rfloor$ of $\log _{2} k$, $\log _{2}$ of $\Sigma$ or`},
		{"R. Duda says K. the Kernel{C: c} of b. The rest", `R. Duda says $K$. the Kernel{C: $c$} of $b$. The rest`},
		// Signs that TeX does not know, code, and names stay.
		{`the "α" of ☃₂ as in [Ng2011] §6.4 – C4.5…`, `the "α" of ☃₂ as in [Ng2011] §6.4 – C4.5…`},
		{" = n² , (n", ` = $n^{2}$ , ($n$`},
		{"", ""},
		{"  ", "  "},
	} {
		var b strings.Builder
		for _, p := range Inline(tt.text) {
			if p.Formula {
				b.WriteString("$" + p.Text + "$")
			} else {
				b.WriteString(p.Text)
			}
		}
		if got := b.String(); got != tt.want {
			t.Errorf("Inline(%q)\n gives %s\n want  %s", tt.text, got, tt.want)
		}
	}
}
