// Package bayesnet implements discrete Bayesian networks. Exact inference is by
// enumeration, variable elimination and junction tree; approximate inference is by
// sampling. It reads independence from the graph, learns tables (counts, priors,
// EM) and graphs (Chow-Liu, hill climbing, sparse candidates), and uses networks as
// classifiers.
//
// Names of variables and states are those of the network. A state is given by its name,
// by true or false, or by its position. Logarithms are natural but where bits are
// named.
package bayesnet
