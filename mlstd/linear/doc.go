// Package linear implements models whose score is a weighted sum of the features: linear, ridge,
// lasso and polynomial regression, logistic and softmax regression, and generalized linear models.
// The maximum entropy classifier is the dual of softmax regression.
package linear
