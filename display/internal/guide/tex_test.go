package guide

import "testing"

func TestTypeset(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		`$\lambda$ penalty`:          "λ penalty",
		`$x^2 + y_1$`:                "x² + y₁",
		`$10^{-3}$`:                  "10⁻³",
		`$\frac{1}{2}\sqrt{a+b}$`:    "1/2√(a+b)",
		`$\hat y = \bar{x}$`:         "y\u0302 = x\u0304",
		`$\alpha_{12} \le \infty$`:   "α₁₂ ≤ ∞",
		`$w^T x$`:                    "wᵀ x",
		`$x_{ij}$`:                   "xᵢⱼ",
		`from $5 to $10`:             "from $5 to $10",
		`\$5 and $\mu$`:              "$5 and μ",
		`$\unknown{x}$`:              `\unknownx`,
		`$\mathrm{loss}(\theta)$`:    "loss(θ)",
		`price in $`:                 "price in $",
		`$e^{x$`:                     "eˣ",
		`$n^{n}$ and $2^i$, $a - b$`: "nⁿ and 2ⁱ, a − b",
		`$x_\alpha + y_{qz}$`:        "x_α + y_(qz)",
	} {
		if got := Typeset(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzTypeset(f *testing.F) {
	for _, s := range []string{`$\frac{a}{b}$`, `$^`, `${`, `$\`, `$\hat`, `$_{}$`, "$é^ü$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { _ = Typeset(s) })
}
