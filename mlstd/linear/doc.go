// Package linear holds the models whose score is a weighted sum of the features:
// linear, ridge, lasso and polynomial regression, logistic and softmax
// regression, and the maximum entropy classifier, which is the latter seen from
// the other side.
package linear
