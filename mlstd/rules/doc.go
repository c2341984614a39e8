// Package rules learns rules: lists of propositional rules by sequential covering, first-order
// rules from relations, association rules between items that are bought together, and version
// spaces of conjunctions.
package rules
