// Package recommend predicts what users think of items from the ratings that they and
// others gave: by neighbors, by factors, and from what they did instead of ratings.
package recommend
