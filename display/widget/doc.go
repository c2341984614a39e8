// Package widget has the controls that can be in the output of a cell: sliders, checkboxes,
// lists, buttons, boxes of them, and the widgets of any library for Jupyter. A cell can use it
// without an import:
//
//	k := widget.Slider(1, 30).Label("k")
//	k
//
// When the user changes a value, k.Value() returns the new value in any cell, also in the running
// one. A function passed to OnChange is called like a cell, when no cell runs, so it can use all
// variables of the notebook. If the value changes while a cell runs, the function is called once
// after the cell, with the last value. [Interact] calls a function with the values of controls
// and shows its result.
//
// The messages are those of ipywidgets 8 (protocol 2.1.0), so JupyterLab, VS Code and nbconvert
// show the widgets. A saved notebook contains their state. A frontend without widgets shows a
// line of text with the widget's type and value.
package widget
