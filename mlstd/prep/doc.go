// Package prep turns raw columns and texts into features that algorithms can learn from. It has
// scalers, encoders, imputers, feature selection, polynomial features and conjunctions, word
// counts, context features and stems.
//
// Transformers must learn their means, levels and vocabularies only from the training data: call
// Fit on the training set, and Transform on all data.
package prep
