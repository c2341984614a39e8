// Package ensemble combines many models into one: votes of independent models (bagging, random
// forests), and greedy sums in which each model corrects the errors of the models before it
// (AdaBoost, gradient boosting).
package ensemble
