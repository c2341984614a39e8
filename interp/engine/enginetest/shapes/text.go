package shapes

import "fmt"

var sentences = []string{
	"the quick brown fox jumps over 13 lazy dogs",
	"Größe, Maß & 日本語: ελληνικά!",
	`a\xffb\xc3(\xe2\x82z`, // invalid UTF-8
	"((1+2)*3-[4/{5}])",
	"aaaaabbbbcccdde",
}

// scanner has a function that reads a string byte by byte and keeps a state.
func scanner(g *generator) string {
	n := g.fresh()
	g.declare(`type @token%[1]d struct {
	kind byte
	from, to int
}

func @scan%[1]d(s string) (tokens []@token%[1]d) {
	for i := 0; i < len(s); {
		c := s[i]
		from := i
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			for i < len(s) && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' {
				i++
			}
			tokens = append(tokens, @token%[1]d{'w', from, i})
		case c >= '0' && c <= '9':
			for i < len(s) && s[i] >= '0' && s[i] <= '9' {
				i++
			}
			tokens = append(tokens, @token%[1]d{'n', from, i})
		case c >= 0x80:
			i += %[2]d
			tokens = append(tokens, @token%[1]d{'u', from, min(i, len(s))})
		default:
			i++
			tokens = append(tokens, @token%[1]d{c, from, i})
		}
	}
	return tokens
}`, n, g.between(1, 3))
	return g.local(`s := "%[2]s"
sum := uint64(0)
words := 0
for i := range %[3]d {
	part := s[i%%len(s):]
	for _, t := range @scan%[1]d(part) {
		word := part[t.from:t.to]
		sum = mix(sum, t.kind)
		sum = mix(sum, len(word))
		switch {
		case word == "fox" || word == "Ma":
			words += 10
		case word > "m", len(word) > 4 && word[1] == 'u':
			words++
		}
		if t.kind == 'n' {
			value := 0
			for k := 0; k < len(word); k++ {
				value = value*10 + int(word[k]-'0')
			}
			sum = mix(sum, value)
		}
	}
}
fmt.Println("scanner", sum, words)`, n, of(g, sentences...), g.between(40, 120))
}

// runes has ranges over strings, conversions between strings, bytes and runes, and string builders.
func runes(g *generator) string {
	return g.local(`s := "%[1]s"
var b strings.Builder
sum, wide := uint64(0), 0
for i := range %[2]d {
	for at, r := range s {
		sum = mix(sum, r)
		if at%%%[3]d == i%%%[3]d {
			b.WriteRune(r + rune(i%%2))
		}
		if r > 0x7f {
			wide++
		}
	}
	rs := []rune(s)
	rs[i%%len(rs)], rs[0] = rs[0], rs[i%%len(rs)]
	if i%%%[4]d == 0 {
		s = string(rs)
	}
	bs := []byte(s)
	for k := range bs {
		bs[k] ^= byte(k & %[5]d)
	}
	t := string(bs)
	if t < s {
		sum = mix(sum, len(t))
	}
	s += string(rune('a' + i%%26))
	if len(s) > 60 {
		s = s[%[6]d:]
	}
	if b.Len() > 300 {
		sum = mix(sum, strings.Count(b.String(), "a"))
		b.Reset()
	}
}
fmt.Printf("runes %%q %%d %%d %%d\n", s, sum, wide, b.Len())`, of(g, sentences...), g.between(40, 150), g.between(1, 5), g.between(1, 7), of(g, 0, 1, 3, 32), g.between(1, 40))
}

// control has labels, goto, fallthrough and switches on values and conditions.
func control(g *generator) string {
	t := of(g, integers...)
	var cases string
	for i := range g.between(3, 7) {
		cases += fmt.Sprintf("\t\tcase %d:\n\t\t\tx = %s\n", i, g.integer(t, 2, "x", "y"))
		switch g.IntN(6) {
		case 0:
			cases += "\t\t\tfallthrough\n"
		case 1:
			cases += "\t\t\tcontinue outer\n"
		case 2:
			cases += "\t\t\tif x > y {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tx++\n"
		case 3:
			cases += "\t\t\tif count > 400 {\n\t\t\t\tbreak outer\n\t\t\t}\n"
		}
	}
	return g.local(`x, y, count := %[1]s(3), %[1]s(5), 0
outer:
for i := 0; i < %[2]d; i++ {
	for j := range %[3]d {
		count++
		switch int(x) & %[4]d {
%[5]s		default:
			y += %[1]s(j)
		}
		if count%%%[6]d == 0 {
			goto next
		}
		y = %[7]s
		if count > 5000 {
			break outer
		}
	}
next:
	x, y = y, x+1
}
fmt.Println("control", x, y, count)`, t, g.between(20, 90), g.between(2, 9), of(g, 3, 7, 15), cases, g.between(3, 30), g.integer(t, 2, "y", "x"))
}
