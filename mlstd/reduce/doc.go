// Package reduce turns one learning problem into others that are already solved:
// weighted classification into plain, many classes into two, ranking into
// comparing, and labeling the nodes of a graph into labeling single examples;
// with what each reduction costs and guarantees.
package reduce
