package bayesnet

import _ "embed"

func textbook(name, source string, nodes ...CPT) *BayesNetwork {
	n, err := NewBayesNetwork(name, nodes...)
	if err != nil {
		panic(err)
	}
	n.Source = source
	return n
}

// Alarm is Pearl's network of a burglar alarm, which an earthquake can also set off, and two
// neighbors who call.
//
// References: [Pearl1988], with the numbers of [RussellNorvig2021] fig. 13.2. Course:
// BN-01, BN-03.
func Alarm() *BayesNetwork {
	return textbook("alarm", "S. Russell, P. Norvig, Artificial Intelligence, 4th edition, figure 13.2, after J. Pearl",
		CPT{Name: "Burglary", P: [][]float64{{0.001}}},
		CPT{Name: "Earthquake", P: [][]float64{{0.002}}},
		CPT{Name: "Alarm", Parents: []string{"Burglary", "Earthquake"}, P: [][]float64{{0.95}, {0.94}, {0.29}, {0.001}}},
		CPT{Name: "John", Parents: []string{"Alarm"}, P: [][]float64{{0.90}, {0.05}}},
		CPT{Name: "Mary", Parents: []string{"Alarm"}, P: [][]float64{{0.70}, {0.01}}})
}

// Sprinkler is the network of a lawn that rain or a sprinkler makes wet.
//
// References: [RussellNorvig2021] fig. 13.15.
func Sprinkler() *BayesNetwork {
	return textbook("sprinkler", "S. Russell, P. Norvig, Artificial Intelligence, 4th edition, figure 13.15",
		CPT{Name: "Cloudy", P: [][]float64{{0.5}}},
		CPT{Name: "Sprinkler", Parents: []string{"Cloudy"}, P: [][]float64{{0.10}, {0.50}}},
		CPT{Name: "Rain", Parents: []string{"Cloudy"}, P: [][]float64{{0.80}, {0.20}}},
		CPT{Name: "WetGrass", Parents: []string{"Sprinkler", "Rain"}, P: [][]float64{{0.99}, {0.90}, {0.90}, {0.00}}})
}

// Asia is the network of a chest clinic: a visit to Asia, smoking, three diseases, an
// X-ray and shortness of breath.
//
// References: [LauritzenSpiegelhalter1988].
func Asia() *BayesNetwork {
	states := []string{"yes", "no"}
	n := func(name string, parents []string, p ...float64) CPT {
		c := CPT{Name: name, States: states, Parents: parents}
		for _, v := range p {
			c.P = append(c.P, []float64{v})
		}
		return c
	}
	return textbook("asia", "S. L. Lauritzen, D. J. Spiegelhalter, Local computations with probabilities on graphical structures, 1988",
		n("Asia", nil, 0.01),
		n("Tuberculosis", []string{"Asia"}, 0.05, 0.01),
		n("Smoking", nil, 0.5),
		n("LungCancer", []string{"Smoking"}, 0.1, 0.01),
		n("Bronchitis", []string{"Smoking"}, 0.6, 0.3),
		n("Either", []string{"Tuberculosis", "LungCancer"}, 1, 1, 1, 0),
		n("XRay", []string{"Either"}, 0.98, 0.05),
		n("Dyspnea", []string{"Either", "Bronchitis"}, 0.9, 0.7, 0.8, 0.1))
}

// Student is the network of a student's grade, test and letter of recommendation.
//
// References: [KollerFriedman2009] fig. 3.4.
func Student() *BayesNetwork {
	return textbook("student", "D. Koller, N. Friedman, Probabilistic Graphical Models, figure 3.4",
		CPT{Name: "Difficulty", States: []string{"d0", "d1"}, P: [][]float64{{0.6, 0.4}}},
		CPT{Name: "Intelligence", States: []string{"i0", "i1"}, P: [][]float64{{0.7, 0.3}}},
		CPT{Name: "Grade", States: []string{"g1", "g2", "g3"}, Parents: []string{"Intelligence", "Difficulty"},
			P: [][]float64{{0.3, 0.4, 0.3}, {0.05, 0.25, 0.7}, {0.9, 0.08, 0.02}, {0.5, 0.3, 0.2}}},
		CPT{Name: "SAT", States: []string{"s0", "s1"}, Parents: []string{"Intelligence"}, P: [][]float64{{0.95, 0.05}, {0.2, 0.8}}},
		CPT{Name: "Letter", States: []string{"l0", "l1"}, Parents: []string{"Grade"}, P: [][]float64{{0.1, 0.9}, {0.4, 0.6}, {0.99, 0.01}}})
}

//go:embed files/alarm.bif
var monitoring string

// AlarmMonitoring is the ALARM network: 37 variables for monitoring patients under anesthesia, 46
// arrows, 509 free probabilities.
//
// The tables come from the file alarm.bif in bnlearn's Bayesian network repository (M. Scutari), as
// distributed with pgmpy 1.1.2 under the MIT license, and were reformatted.
//
// References: [Beinlich1989].
func AlarmMonitoring() *BayesNetwork {
	n, err := ParseBIF(monitoring)
	if err != nil {
		panic(err)
	}
	n.Source = "I. A. Beinlich, H. J. Suermondt, R. M. Chavez, G. F. Cooper, The ALARM monitoring system, 1989; tables from the Bayesian network repository of bnlearn, as in pgmpy 1.1.2 (MIT license; see files/LICENSE.pgmpy)"
	return n
}
