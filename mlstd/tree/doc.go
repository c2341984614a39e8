// Package tree implements decision trees and regression trees. They are grown greedily from the
// root and can be stopped early or pruned afterwards. Features can be numeric or nominal, and can
// have missing values. You can read a tree as text, as rules and as a table of gains.
package tree
