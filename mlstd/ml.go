// Package ml is the course library under one name. It contains everything that the family packages
// (tree, neighbors, eval, data and so on) export, as aliases, thin functions and constants.
// Notebook cells have it in scope as ml; a Go program that needs a single family can import that
// family's package instead.
//
// The declarations are generated. A type of this package is identical to the type in its family
// package, so values made through either package mix freely.
package ml

//go:generate go run ./internal/facade
