// Package prob implements probability and probabilistic learning. It has distributions and their
// estimators, information theory, Bayes' rule for hypotheses, and decision theory. Its classifiers
// are naive Bayes with each event model, discriminant analysis, and the table of the joint
// distribution.
//
// Products of probabilities are computed as sums of logarithms. Log densities use the natural
// logarithm; information is in bits unless you ask for [Nats].
package prob
