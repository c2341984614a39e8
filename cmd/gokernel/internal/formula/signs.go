package formula

// below maps subscript letters and digits of Unicode to TeX.
var below = map[rune]string{
	'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9", '₊': "+", '₋': "-",
	'ₐ': "a", 'ₑ': "e", 'ₕ': "h", 'ᵢ': "i", 'ⱼ': "j", 'ₖ': "k", 'ₗ': "l", 'ₘ': "m", 'ₙ': "n", 'ₒ': "o", 'ₚ': "p", 'ᵣ': "r", 'ₛ': "s",
	'ₜ': "t", 'ᵤ': "u", 'ᵥ': "v", 'ₓ': "x", 'ᵧ': "y", 'ᵦ': "b", // no subscript y and b: comments use γ and β
}

// above maps superscripts to TeX.
var above = map[rune]string{
	'⁰': "0", '¹': "1", '²': "2", '³': "3", '⁴': "4", '⁵': "5", '⁶': "6", '⁷': "7", '⁸': "8", '⁹': "9", '⁺': "+", '⁻': "-",
	'ᵀ': `\top `, 'ᴰ': "D", 'ᴺ': "N", 'ˢ': "s", 'ᵅ': `\alpha `, 'ᵈ': "d", 'ʰ': "h", 'ⁱ': "i", 'ᵏ': "k", 'ⁿ': "n", 'ᵗ': "t", 'ˣ': "x",
}

// accents maps combining characters, each of which follows its letter, to TeX commands.
var accents = map[rune]string{'\u0302': `\hat`, '\u0303': `\tilde`, '\u0304': `\bar`}

// signs maps all other symbols to TeX.
var signs = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'κ': `\kappa`,
	'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ρ': `\rho`, 'σ': `\sigma`, 'τ': `\tau`, 'φ': `\varphi`, 'χ': `\chi`,
	'ψ': `\psi`, 'ω': `\omega`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Λ': `\Lambda`, 'Θ': `\Theta`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`, 'ℓ': `\ell`,
	'ŷ': `\hat{y}`, 'ȳ': `\bar{y}`, 'ā': `\bar{a}`,
	'Π': `\prod`, '∏': `\prod`, '∫': `\int`, '∂': `\partial`, '∇': `\nabla`, '∞': `\infty`, '½': `\tfrac{1}{2}`, '…': `\dots`,
	'·': `\cdot`, '×': `\times`, '⊙': `\odot`, '∘': `\circ`, '±': `\pm`, '−': "-", '-': "-", '+': "+", '/': "/", '*': `\ast`, '∖': `\setminus`, '∪': `\cup`,
	'∩': `\cap`, '∧': `\wedge`, '∨': `\vee`, '¬': `\neg`, '∀': `\forall`, '∃': `\exists`, '⊥': `\perp`, '⊆': `\subseteq`, '⊇': `\supseteq`,
	'=': "=", '<': "<", '>': ">", '≤': `\le`, '≥': `\ge`, '≠': `\ne`, '≈': `\approx`, '∝': `\propto`, '~': `\sim`, '∈': `\in`, '∋': `\ni`,
	'∉': `\notin`, '←': `\leftarrow`, '→': `\to`, '⇐': `\Leftarrow`, '⇒': `\Rightarrow`, '⇔': `\Leftrightarrow`,
	'(': "(", ')': ")", '[': "[", ']': "]", '{': `\{`, '}': `\}`, '|': "|", '‖': `\|`, '⟨': `\langle`, '⟩': `\rangle`, '⌈': `\lceil`, '⌉': `\rceil`, '⌊': `\lfloor`, '⌋': `\rfloor`,
	',': ",", ';': ";", ':': ":", '.': ".", '!': "!", '′': "'", '\'': "'", '%': `\%`, '#': `\#`, '?': "?",
}
