package data

import (
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PlayTennis is Mitchell's data set of 14 days: whether tennis was played, given outlook,
// temperature, humidity and wind, all nominal. The entropy of the target is .940 bits; the
// information gains are .247, .029, .152 and .048.
//
// References: [Quinlan1986], [Mitchell1997] table 3.2. Course: TREE-04, TREE-06.
func PlayTennis() *Dataset {
	return nominal("PlayTennis", "Fourteen days: was tennis played?",
		"J. R. Quinlan, Induction of decision trees, 1986; T. Mitchell, Machine Learning, 1997, table 3.2",
		[]model.Column{
			{Name: "Outlook", Kind: model.Nominal, Levels: []string{"sunny", "overcast", "rain"}},
			{Name: "Temperature", Kind: model.Nominal, Levels: []string{"hot", "mild", "cool"}},
			{Name: "Humidity", Kind: model.Nominal, Levels: []string{"high", "normal"}},
			{Name: "Wind", Kind: model.Nominal, Levels: []string{"weak", "strong"}},
		},
		model.Column{Name: "Play", Kind: model.Nominal, Levels: []string{"no", "yes"}},
		`sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no`)
}

// EnjoySport is the set of four days that Mitchell's book uses to explain candidate elimination.
//
// References: [Mitchell1997], table 2.1.
func EnjoySport() *Dataset {
	return nominal("EnjoySport", "Four days: was the water sport enjoyed?",
		"T. Mitchell, Machine Learning, 1997, table 2.1",
		[]model.Column{
			{Name: "Sky", Kind: model.Nominal, Levels: []string{"Sunny", "Cloudy", "Rainy"}},
			{Name: "AirTemp", Kind: model.Nominal, Levels: []string{"Warm", "Cold"}},
			{Name: "Humidity", Kind: model.Nominal, Levels: []string{"Normal", "High"}},
			{Name: "Wind", Kind: model.Nominal, Levels: []string{"Strong", "Weak"}},
			{Name: "Water", Kind: model.Nominal, Levels: []string{"Warm", "Cool"}},
			{Name: "Forecast", Kind: model.Nominal, Levels: []string{"Same", "Change"}},
		},
		model.Column{Name: "EnjoySport", Kind: model.Nominal, Levels: []string{"no", "yes"}},
		`Sunny Warm Normal Strong Warm Same yes
Sunny Warm High Strong Warm Same yes
Rainy Cold High Strong Warm Change no
Sunny Warm High Strong Cool Change yes`)
}

// SunnyWindy is the set of eight days of the course's first decision tree, with play on 5 of 8
// days. Splitting by "sunny?" classifies 3/4 of the days correctly. Splitting by "windy?"
// classifies 5/8, which is not better than no split.
//
// Course: TREE-01, TREE-02, TREE-03.
func SunnyWindy() *Dataset {
	noYes := []string{"no", "yes"}
	return nominal("SunnyWindy", "Eight days: do we play outside?",
		"made to agree with the frequencies of the course's first example",
		[]model.Column{
			{Name: "sunny", Kind: model.Nominal, Levels: noYes},
			{Name: "windy", Kind: model.Nominal, Levels: noYes},
		},
		model.Column{Name: "play", Kind: model.Nominal, Levels: noYes},
		`yes yes no
yes no yes
yes no no
no yes yes
no yes yes
no yes no
no no yes
no no yes`)
}

// TwoCoins is the smallest example of overfitting: two independent coins were tossed four times. In
// this sample, the first coin seems to predict the second: 3 of 4 predictions are right
// (information gain .311 bits).
//
// Course: CORE-10, TREE-07, TREE-08.
func TwoCoins() *Dataset {
	sides := []string{"tail", "head"}
	return nominal("TwoCoins", "Two independent coins, four tosses",
		"the course's example of a useless feature that looks useful",
		[]model.Column{{Name: "A", Kind: model.Nominal, Levels: sides}},
		model.Column{Name: "B", Kind: model.Nominal, Levels: sides},
		`head head
tail tail
tail tail
tail head`)
}

// XOR is the truth table of exclusive or: no single feature has information about the class, but
// both together determine it.
//
// Course: TREE-16, CORE-26.
func XOR() *Dataset {
	bits := []string{"0", "1"}
	return nominal("XOR", "The truth table of exclusive or", "by definition",
		[]model.Column{
			{Name: "a", Kind: model.Nominal, Levels: bits},
			{Name: "b", Kind: model.Nominal, Levels: bits},
		},
		model.Column{Name: "a xor b", Kind: model.Nominal, Levels: bits},
		"0 0 0\n0 1 1\n1 0 1\n1 1 0")
}

// nominal reads a table of level names, the class last, one example per line.
func nominal(name, description, source string, columns []model.Column, target model.Column, text string) *Dataset {
	lines := strings.Split(text, "\n")
	d := &Dataset{
		Name: name, Description: description, Source: source, License: "facts; free to use",
		X: &model.Table{Dense: mat.NewDense(len(lines), len(columns), nil), Columns: columns, Target: target},
		Y: make([]int, len(lines)),
	}
	for i, line := range lines {
		words := strings.Fields(line)
		for j, c := range columns {
			d.X.Set(i, j, float64(level(c, words[j])))
		}
		d.Y[i] = level(target, words[len(columns)])
	}
	return d
}

func level(c model.Column, name string) int {
	for k, l := range c.Levels {
		if l == name {
			return k
		}
	}
	panic("data: " + c.Name + " has no level " + name)
}
