// Package tree implements decision trees and regression trees. They are grown
// greedily from the root, on numeric and nominal features with missing values, and
// stopped early or pruned afterwards. You can read a tree as text, as rules and as
// a table of gains.
package tree
