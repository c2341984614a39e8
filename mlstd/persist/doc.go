// Package persist saves fitted models and loads them again.
//
//	err := persist.SaveFile("iris.model", tree)
//	m, err := persist.LoadFile("iris.model")
//	tree := m.(*tree.DecisionTree)
//
// A loaded model returns the same predictions as the saved model, bit for bit: it has every
// parameter and every result of Fit. Every estimator of the library can be saved, and so can
// pipelines and reductions made of them.
//
// A file contains neither the context and the OnStep of a [model.Control] nor the functions that
// only Fit calls (New, By, Omega). Set New before you fit a loaded model again. A function that
// predictions depend on, such as KNN.Distance or a kernel.KernelFunc, cannot be saved, and the
// error of Save names it; use one of the library's metrics and kernels instead.
//
// # Format, version 1
//
// Two lines of text, then bytes:
//
//	gokernel model 1
//	{"type":"*tree.DecisionTree","library":"v1.2.0","bytes":5310,"sha256":"9c1f…"}
//	…
//
// The first line has the version of the format. The second line has the type of the model, the
// version of the library that wrote it, the number of bytes that follow, and a checksum. The
// checksum is in hexadecimal. It is the SHA-256 of the values of "type" and "library", each
// followed by a line feed, and the bytes. The bytes are the fields of the model, in the format of
// package snapshot. They contain the name and type of each field. A file from another version of
// the library can be loaded if the fields of its types are the same. It may lack fields that were
// added later, if the model works as before when these fields are zero. Otherwise Load returns an
// error that names the difference. The tests load a stored file of each kind, so that old files
// remain loadable.
//
// The checksum detects damage, not malice. Loading a forged file runs no code from it and does not
// panic. But the model may predict anything, and its Predict may panic.
package persist
