package csv

import (
	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/model"
)

// CheckDialect returns an error for the first invalid option of d.
func CheckDialect(op string, d *csv.Dialect) error {
	if s := d.Separator; s != "" && (len(s) != 1 || s[0] == '"' || s[0] == '\n' || s[0] == '\r' || s[0] >= 0x80) {
		return model.Errorf(op, "Separator must be one ASCII character other than a quotation mark or a line break, got %q", s).
			WithHint(`set Separator to ";", "\t" or another character`)
	}
	if s := d.Decimal; s != "" && s != "." && s != "," {
		return model.Errorf(op, `Decimal must be "." or ",", got %q`, s)
	}
	if d.Skip < 0 {
		return model.Errorf(op, "Skip must not be negative, got %d", d.Skip)
	}
	return nil
}
