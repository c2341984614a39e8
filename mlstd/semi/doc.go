// Package semi learns from few labeled and many unlabeled examples: naive Bayes with
// expectation maximization, self-training, co-training, transductive support vector
// machines, labels that spread over a graph of neighbors.
package semi
