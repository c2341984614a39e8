// Package frame implements data frames: named columns of equal length, and the
// verbs of exploratory analysis on them. Each column has one kind (float64, int64,
// string, category, bool or time), and every kind can have missing values.
//
// A [Column] never changes; verbs give new frames that share the columns they leave as
// they are. Only [Frame.Set] changes a frame, by replacing one of its columns.
//
// Names of columns that do not exist, kinds that do not fit and lengths that differ are
// mistakes in the program: verbs panic with a [*model.Error] that lists the columns
// there are.
package frame
