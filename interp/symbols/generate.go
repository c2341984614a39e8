package symbols

//go:generate go run ./gen
