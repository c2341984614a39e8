// Package bayesnet implements discrete Bayesian networks. Exact inference is by enumeration,
// variable elimination and junction tree; approximate inference is by sampling. The package reads
// independence from the graph, learns tables (counts, priors, EM) and graphs (Chow-Liu, hill
// climbing, sparse candidates), and uses networks as classifiers.
//
// You specify a variable by its name in the network. You specify a state by its name, by true or
// false, or by its position. Logarithms are natural except where the unit is bits.
package bayesnet
