// Package semi learns from few labeled and many unlabeled examples. It implements naive Bayes with
// expectation maximization, self-training, co-training, transductive support vector machines, and
// label propagation over a graph of neighbors.
package semi
