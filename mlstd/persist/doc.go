// Package persist saves fitted models and loads them again.
//
//	err := persist.SaveFile("iris.model", tree)
//	m, err := persist.LoadFile("iris.model")
//	tree := m.(*tree.DecisionTree)
//
// A loaded model returns the same predictions as the saved model, bit for bit: it has every
// parameter and every result of Fit. Every estimator of the library can be saved, and so can
// pipelines and reductions that consist of them. Your own types can be saved after you pass them to
// [Register].
//
// A file contains neither the context and the OnStep of a [model.Control] nor the functions that
// only Fit calls (New, By, Omega). Set New before you fit a loaded model again. Save returns an
// error if the predictions depend on a function, such as KNN.Distance or a kernel.KernelFunc; the
// error names the function. Use one of the library's metrics and kernels instead.
//
// # Format, version 1
//
// A file consists of two lines of text, followed by bytes:
//
//	gokernel model 1
//	{"type":"*tree.DecisionTree","library":"v1.2.0","bytes":5310,"sha256":"9c1f…"}
//	…
//
// The first line has the version of the format. The second line has the type of the model, the
// version of the library that wrote it, the number of bytes that follow, and a checksum. The
// checksum is a SHA-256 hash in hexadecimal. Its input is the value of "type", a line feed, the
// value of "library", a line feed, and the bytes. The bytes are the fields of the model in the
// format of package snapshot, which contains the name and type of each field. Load accepts a file
// from another version of the library if the types have the same fields in both versions. The file
// can lack fields that were added later, if the model works as before when these fields are zero.
// Otherwise, Load returns an error that names the difference. The tests load a stored file of each
// kind, so that old files remain loadable.
//
// The checksum detects damage, not malice. Loading a forged file runs no code from it and does not
// panic. However, the loaded model may predict anything, and its Predict may panic.
package persist
