// Package widget contains controls for the output of a cell: sliders, checkboxes, lists, buttons,
// boxes that arrange controls, and the widgets of any Jupyter library. A cell can use it without an
// import:
//
//	k := widget.Slider(1, 30).Label("k")
//	k
//
// When the user changes a value, k.Value() returns the new value in any cell, even in the running
// cell. A function passed to OnChange runs like a cell, while no other cell runs, so it can use all
// variables of the notebook. If the value changes while a cell runs, the function is called once
// after the cell, with the last value. [Interact] calls a function with the values of controls and
// shows its result.
//
// Widgets use the messages of ipywidgets 8 (protocol 2.1.0), so JupyterLab, VS Code and nbconvert
// show the widgets. A saved notebook contains the state of its widgets. A frontend that does not
// support widgets shows a line of text with the widget's type and value.
package widget
