// Package nn implements neural networks: reverse-mode differentiation of matrices, layers and
// losses with their gradients, optimizers, and estimators built from these parts.
//
// [MLPClassifier] and [MLPRegressor] are fitted like any other model. A [Network] is a list of
// layers that a [Trainer] trains; [MLP] returns a multi-layer perceptron. [Network.Backprop] shows
// the activations, deltas and gradients of one example. A [Var] is a matrix that remembers how it
// was computed; use it to try out formulas and to see where gradients come from.
//
// Deep networks use [BatchNorm] or [LayerNorm] and [Residual] layers. A [TransformerBlock] returns
// the layers of a block of a transformer, which processes sequences by [SelfAttention]. Such a
// network starts with an [Embedding] and a [PositionalEncoding]. With the loss [StepEntropy], it
// learns to predict the next step.
//
// The documentation uses three terms. The activation of a unit is its output. The transfer
// function, here [Activation], computes the output from the net input. An epoch is one pass over
// all examples.
//
// Rows are examples. A row of a picture holds its pixels from left to right, line
// after line, with the channels of a pixel side by side. A row of a sequence holds
// its steps, with the features of a step side by side.
package nn
