package raw

// SeenLevels returns the levels in the training examples of a model that grows trees on histograms:
// for each column, bit l of the set stands for level l, and nil is a column of numbers. Package
// ensemble sets it.
var SeenLevels func(model any) []*[4]uint64
