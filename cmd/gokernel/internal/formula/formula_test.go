package formula

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTeX(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"J(θ) = (1/n) Σᵢ (yᵢ − θ·xᵢ)²", `J(\theta ) = (1/n) \sum_{i} (y_{i} - \theta \cdot x_{i})^{2}`},
		// A sum, and a covariance matrix.
		{"p(x) = Σₖ πₖ·N(x; μₖ, Σₖ)", `p(x) = \sum_{k} \pi _{k}\cdot N(x; \mu _{k}, \Sigma_{k} )`},
		{"log|Σₒ| + tr(Σₒ⁻¹Σ)", `\log |\Sigma_{o} | + \operatorname{tr}(\Sigma_{o} ^{-1}\Sigma )`},
		{"Σ = Σ(x−μ)(x−μ)ᵀ/n", `\Sigma = \sum (x-\mu )(x-\mu )^{\top}/n`},
		{"V(s) ← r + Σₛ′ P(s′)", `V(s) \leftarrow r + \sum_{s'} P(s')`},
		// Groups in subscripts, superscripts and roots lose their brackets.
		{"‖w‖_p = (Σ |wᵢ|^p)^(1/p)", `\|w\|_{p} = (\sum |w_{i}|^{p})^{1/p}`},
		{"√(Σ_{s≤t} g²_{s,j})", `\sqrt{\sum _{s\le t} g^{2}_{s,j}}`},
		{"σ√2π + √λ₁·u", `\sigma \sqrt{2\pi} + \sqrt{\lambda _{1}}\cdot u`},
		{"2^same(a, b)", `2^{\operatorname{same}(a, b)}`},
		{"‖x‖∞² ≤ y_(k)", `\|x\|_{\infty}^{2} \le y_{(k)}`},
		{"argmin_θ' f*", `\operatorname*{argmin}_{\theta'} f^{*}`},
		// Two indices, and an index of an index.
		{"θ_cⱼ² − log ρ_yₙ − μ_cᵢ", `\theta _{cj}^{2} - \log \rho _{y_{n}} - \mu _{c_{i}}`},
		{"x_d^a_d, w_ij, x_best, n_{ijk}", `x_{d}^{a_{d}}, w_{ij}, x_{\text{best}}, n_{ijk}`},
		{"x̂ᵢ,₋ⱼ + ŷᵢ − ρ̂ⱼ", `\hat{x}_{i,-j} + \hat{y}_{i} - \hat{\rho}_{j}`},
		// Words, names and products of letters.
		{"a leaf adds −G/H, a the action", `\text{a leaf adds}\ -G/H, \ \text{a the action}`},
		{"max over a of Q(s, a) for the m rows", `\max \ \text{over}\ a \ \text{of}\ Q(s, a) \ \text{for the}\ m \ \text{rows}`},
		{"Xw + tb if TP > 0, else Var(x)", `Xw + tb \ \text{if}\ \mathrm{TP} > 0, \ \text{else}\ \operatorname{Var}(x)`},
		{"DCG of the ideal order", `\mathrm{DCG}\ \text{of the ideal order}`},
		{"the n-th of k, up to 1.5", `\text{the}\ n\text{-}\text{th of}\ k, \ \text{up to}\ 1.5`},
		{"1{y=k} = #{i : yᵢ ≠ 0}", `1\{y=k\} = \#\{i : y_{i} \ne 0\}`},
	} {
		if got, ok := TeX(tt.line); !ok || got != tt.want {
			t.Errorf("TeX(%q) = %s, %v; want %s", tt.line, got, ok, tt.want)
		}
	}
	for _, line := range []string{"x & y", `x \ y`, "√ x", "☃", "x_", "x^{2"} {
		if got, ok := TeX(line); ok {
			t.Errorf("TeX(%q) = %s", line, got)
		}
	}
}

func TestRows(t *testing.T) {
	rows, columns := Rows("H = ½r²           if |r| ≤ δ\n  = δ(|r| − δ/2)  otherwise,  as usual\n")
	want := []Row{
		{{0, `H = \tfrac{1}{2}r^{2}`}, {1, `\text{if}\ |r| \le \delta`}},
		{{0, `\quad = \delta (|r| - \delta /2)`}, {1, `\text{otherwise}, \allowbreak \quad \text{as usual}`}},
	}
	if diff := cmp.Diff(want, rows); diff != "" || columns != 2 {
		t.Errorf("%d columns, %s", columns, diff)
	}
	for _, code := range []string{
		`f.By("zone").Agg(Mean("fare"))`, "err := f()", "m = ml.Fit(&ml.KNN{}, d)", "var trips []Trip", "S start   G goal", "w@±k  a word", "x = `a`",
		"for x = 1\n\tx = 2",
	} {
		if rows, _ := Rows(code); rows != nil {
			t.Errorf("Rows(%q) = %v", code, rows)
		}
	}
}
