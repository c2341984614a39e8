// Package course shows the values of the course library: data sets as tables,
// trees as drawings, classifiers as the regions of the plane that they decide on.
// A program that imports it shows all of them that way.
package course
