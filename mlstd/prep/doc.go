// Package prep turns raw columns and texts into features that algorithms can
// learn from: scalers, encoders, an imputer, polynomial features and
// conjunctions, words, context features and stems.
//
// What is learned here (means, levels, vocabularies) is learned from the
// training data alone: Fit on the training set, Transform everything.
package prep
