// Package optim implements objectives of learning and methods that minimize them. It has losses,
// penalties, tests of convexity, gradients and gradient checks, descent methods with step-size
// schedules, and Lagrange multipliers.
//
// Labels of a margin loss are −1 and +1; a score s is real, and the margin is
// the product y·s.
package optim
