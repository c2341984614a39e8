// Package prob implements probability and probabilistic learning: distributions and
// their estimation, information theory, Bayes' rule over hypotheses and decisions.
// Its classifiers are naive Bayes in all event models, discriminant analysis, and
// the table of the joint distribution.
//
// Probabilities are multiplied as sums of logarithms. Logarithms of densities are
// natural; information is in bits unless [Nats] is asked for.
package prob
