// Package formula reads model formulas such as "y ~ x + C(g) + log(z)*w", as R and patsy write
// them, and computes the design matrix of a model from a frame. A [Design] remembers names, levels
// and the state of transforms, so that it computes the same columns from another frame, or returns
// an error.
//
//	y ~ a + b        the columns of a and of b, and an intercept
//	a:b              the products of their columns
//	a*b              a + b + a:b
//	(a + b)^2        all of a and b and their products of up to two
//	a/b              a + a:b
//	- a, - 1, + 0    without a; without the intercept
//	.                all columns that the left side does not use
//	C(g)             g as categories; C(g, ref="b") names the reference, C(g, Sum) compares with the mean
//	I(x^2), I(a > b) arithmetic and comparisons of numbers
//	log(x), scale(x) functions; center and scale remember the mean and the deviation
//	offset(log(t))   a term whose coefficient is 1
//	(x | g)          a random intercept and slope for each group (mixed models only)
//
// Columns of strings, categories and booleans are categorical even without C(). As in patsy, some
// categorical factors lose a level, so that the columns of the whole formula are linearly
// independent and span the space that the formula describes.
package formula
