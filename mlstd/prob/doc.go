// Package prob implements probability and probabilistic learning: distributions and their
// estimation, information theory, Bayes' rule over hypotheses and decisions. Its classifiers are
// naive Bayes with each event model, discriminant analysis, and the table of the joint
// distribution.
//
// Products of probabilities are computed as sums of logarithms. Log densities use the natural
// logarithm; information is in bits unless you ask for [Nats].
package prob
