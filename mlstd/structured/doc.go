// Package structured learns to predict structures: outputs with many parts that depend on each
// other, such as the tags of the words in a sentence.
package structured
