// Package formula reads model formulas such as "y ~ x + C(g) + log(z)*w", as R and patsy write
// them, and makes the columns of a model from a frame. A [Design] remembers names, levels and the
// state of transforms, so that it makes the same columns of another frame, or refuses it.
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
// Columns of strings, categories and booleans are categories without C. Which categorical factors
// lose a level is decided as in patsy: the columns of the whole formula are independent, and span
// what the formula says.
package formula
