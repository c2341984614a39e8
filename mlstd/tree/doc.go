// Package tree holds decision trees and regression trees: grown greedily from
// the top, on numeric and nominal features, with missing values, stopped early
// or pruned afterwards, and readable as text, as rules and as a table of gains.
package tree
