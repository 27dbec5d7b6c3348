package file

import (
	"testing"
)

func TestDressedNumbers(t *testing.T) {
	for _, text := range []string{"$1,200.50", "1.234,5 EUR", "12 %", "12%", "(300)", "-5 %", "1'000", "€ 9", "9 €", "+3", "1 234 567", "~10", "<5", "USD 1,000", "$-4.20", "1e3", "1,5", "20\u00a0000", "7°"} {
		if !isDressedNumber(text) {
			t.Errorf("%q is not taken for a number", text)
		}
	}
	for _, text := range []string{"", "red", "3XL", "1.2.3", "2020-01-01", "7:30", "a1", "12 34", "1,23,4", "--", "%", "B12", "10-20", "5 apples"} {
		if isDressedNumber(text) {
			t.Errorf("%q is taken for a number", text)
		}
	}
}
