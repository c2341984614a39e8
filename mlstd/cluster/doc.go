// Package cluster groups rows without class labels: around centers, by density, by merging, or by
// the spectrum of a graph. Labels count from 0; -1 is noise. Package eval has the clustering
// metrics.
package cluster
