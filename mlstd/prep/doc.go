// Package prep turns raw columns and texts into features that algorithms can
// learn from: scalers, encoders, an imputer, polynomial features and
// conjunctions, words, context features and stems.
//
// Transformers learn (means, levels, vocabularies) only from the training data: Fit
// on the training set, Transform everything.
package prep
