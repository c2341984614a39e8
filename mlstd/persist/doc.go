// Package persist saves fitted models and loads them again.
//
//	err := persist.SaveFile("iris.model", tree)
//	m, err := persist.LoadFile("iris.model")
//	tree := m.(*tree.DecisionTree)
//
// A loaded model predicts exactly, bit for bit, what the saved one did: it has every parameter and
// everything that Fit computed. Every estimator of the library can be saved, and so can pipelines
// and reductions made of them.
//
// A file does not contain the context and the OnStep of a [model.Control], or the functions that
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
// checksum is in hexadecimal. It is the SHA-256 of the lines "type" and "library", each ended by a
// line feed, and the bytes. The bytes are the fields of the model, in the format of package
// snapshot. They contain the name and type of each field. A file of another version of the library
// loads if the fields of its types are the same. Fields that it lacks are allowed if they were
// added later and mean the same when they are zero. Otherwise Load returns an error that names the
// difference. A file of each kind is kept with the tests, so that files continue loading.
//
// The checksum finds damage, not malice. Loading a file that somebody forged
// runs none of its content and does not panic, but the model may predict
// anything, and its Predict may panic.
package persist
