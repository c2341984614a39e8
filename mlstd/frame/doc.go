// Package frame implements data frames, which have named columns of equal length, and the verbs of
// exploratory data analysis. Each column has one kind (float64, int64, string, category, bool or
// time), and every kind can have missing values.
//
// A [Column] never changes; verbs return new frames that share unchanged columns. Only [Frame.Set]
// changes a frame, by replacing one of its columns.
//
// Unknown column names, wrong kinds and unequal lengths are mistakes in the program: verbs panic
// with a [*model.Error], which lists the existing columns if a name is unknown.
package frame
