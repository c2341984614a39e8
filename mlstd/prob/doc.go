// Package prob has probability and what is learned by it: distributions and their
// estimation, information theory, Bayes' rule over hypotheses, decisions, naive
// Bayes in all event models, discriminant analysis, and the table of the joint
// distribution as a classifier.
//
// Probabilities are multiplied as sums of logarithms. Logarithms of densities are
// natural; information is in bits unless [Nats] is asked for.
package prob
