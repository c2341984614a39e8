// Package rules learns rules: lists of propositional rules by sequential covering,
// first-order rules from relations, associations between items that are bought
// together, and all conjunctions at once that agree with the examples.
package rules
