// Package csv describes the format of files of comma-separated values: the options that reading and
// writing share.
package csv

// Dialect is the format of a file of separated values. Reading detects each field of Dialect that
// is left at its zero value. Dialect is embedded in the options of all functions that read or write
// such files; in a literal, set it by name, as in Format{Dialect: Dialect{Separator: ";", Decimal:
// ","}}.
//
// Missing, Decimal and NoHeader also apply to the cells of Excel workbooks, and Missing
// and Decimal to strings in JSON.
type Dialect struct {
	// Separator is the ASCII character between fields, such as ";" or "\t". Reading
	// detects comma, semicolon, tab, bar and white space; " " means any run of white
	// space. Writing uses a comma by default, or a semicolon if Decimal is ",".
	Separator string
	// Decimal is the decimal sign, "." or ",". Reading detects it for each column;
	// writing uses "." by default.
	Decimal string
	// Comment is the prefix of lines that reading skips, such as "#". By default,
	// only lines with "#" above the header are skipped.
	Comment string
	// NoQuotes makes reading treat quotation marks as ordinary characters. By default,
	// they enclose fields that contain separators or line breaks.
	NoQuotes bool
	// Missing lists the fields that stand for a missing value. Nil means "", "?", "NA", "N/A",
	// "n/a", "#N/A", "<NA>", "NaN", "nan", "null" and "NULL"; in JSON, only null. Writing uses the
	// first entry or, by default, an empty field.
	Missing []string
	// NoHeader means that the first line is data; reading names the columns x1, x2, ...
	NoHeader bool
	// Skip is the number of lines before the header that reading skips.
	Skip int
	// Ragged lets lines have more fields than the header; reading puts the extra fields
	// into columns of their own. By default, such a line is an error.
	Ragged bool
	// Encoding is utf-8, utf-16, latin1 or windows-1252. Reading detects it by default;
	// writing always uses UTF-8.
	Encoding string
}
