// Package structured learns to predict structures: answers of many parts that
// depend on each other, such as the tags of the words of a sentence.
package structured
