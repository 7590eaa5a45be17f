package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// maxDigits is what a number may have, and its exponent reach: more than any
// float64 needs (RFC 8259, section 6).
const maxDigits = 400

func measureNumber(number string) error {
	digits, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		var err error
		digits = number[:i]
		if exponent, err = strconv.Atoi(number[i+1:]); err != nil {
			exponent = maxDigits + 1 // too large for an int
		}
	}
	if len(digits) > maxDigits || exponent > maxDigits || exponent < -maxDigits {
		return fmt.Errorf("has a number of more than %d digits", maxDigits)
	}
	return nil
}
