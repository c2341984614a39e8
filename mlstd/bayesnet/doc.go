// Package bayesnet has discrete Bayesian networks: their tables, exact inference by
// enumeration, variable elimination and junction tree, inference by sampling,
// independence read from the graph, learning of tables (counts, priors, EM) and of
// graphs (Chow-Liu, hill climbing, sparse candidates), and networks as classifiers.
//
// Names of variables and states are those of the network. A state is given by its name,
// by true or false, or by its position. Logarithms are natural but where bits are
// named.
package bayesnet
