// Package widget has the controls that stand in the output of a cell: sliders, check
// boxes, lists, buttons, boxes of them, and whatever else a library for Jupyter's
// widgets brings along. A cell reaches it without an import:
//
//	k := widget.Slider(1, 30).Label("k")
//	k
//
// A value that the user changes is there at once, k.Value() in any cell and in a cell
// that runs. A function given to OnChange is called like a cell: when no other one
// runs, so that it may use all variables of the notebook. While a cell runs it waits,
// and is then called once with the last value. [Interact] calls a function with the
// values of controls and shows what it gives.
//
// The messages are those of ipywidgets 8 (protocol 2.1.0), so that JupyterLab, VS Code
// and nbconvert show the widgets; a notebook that is saved keeps their state. Where
// there are no widgets, a line of text says which one there was and what it held.
package widget
