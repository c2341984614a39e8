// Package rules learns rules. It learns lists of propositional rules by sequential covering,
// first-order rules from relations, association rules between items of transactions, and version
// spaces of conjunctions.
package rules
