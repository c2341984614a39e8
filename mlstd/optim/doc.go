// Package optim holds the objectives of learning and the methods that minimize them: losses,
// penalties, convexity and its tests, gradients and their checks, descent methods with their
// step-size schedules, and Lagrange multipliers.
//
// Labels of a margin loss are −1 and +1; a score s is real, and the margin is
// the product y·s.
package optim
