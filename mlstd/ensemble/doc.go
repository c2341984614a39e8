// Package ensemble combines many models into one: votes of independent models
// (bagging, random forests), and greedy sums in which each model corrects what the
// ones before it missed (AdaBoost, gradient boosting).
package ensemble
