package file

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// Numbers are read exactly as strconv reads them.
func TestParseNumber(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		want, err := strconv.ParseFloat(text, 64)
		got, kind := cell.Parse([]byte(text))
		if err != nil {
			if kind == cell.Number {
				t.Fatalf("%q is read as %v", text, got)
			}
			return
		}
		if kind != cell.Number || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q is read as %v (kind %d), want %v", text, got, kind, want)
		}
	}
	for _, text := range []string{"0", "-0", "1", "+1.5", ".5", "5.", "1e5", "1E-5", "1e+22", "1e23", "9007199254740993", "0.1", "123456789012345678901234567890", "4.9e-324", "1e-400", "1.7976931348623157e308", "1e", "e5", "1e5.5", "--1", "", "."} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return
		}
		format := rapid.SampledFrom([]byte("gef")).Draw(t, "format")
		digits := rapid.IntRange(-1, 20).Draw(t, "digits")
		check(t, strconv.FormatFloat(v, format, digits, 64))
	})
	rapid.Check(t, func(t *rapid.T) { // numbers of 16 to 19 digits and ties between two floats
		m := rapid.Uint64Range(1<<53, 9999999999999999999).Draw(t, "m")
		if rapid.Bool().Draw(t, "tie") {
			m = m&^(1<<11-1) | 1<<10
		}
		digits := strconv.FormatUint(m, 10)
		at := rapid.IntRange(0, len(digits)).Draw(t, "point")
		check(t, digits[:at]+"."+digits[at:])
		check(t, "-0.000"+digits)
		check(t, digits+"e-"+strconv.Itoa(at))
	})
	for text, want := range map[string]cell.Kind{"inf": cell.Infinite, "-Infinity": cell.Infinite, "1e999": cell.Infinite, "NaN": cell.Missing, "n/a": cell.Text, "0x10": cell.Text, "1 2": cell.Text, "1_000": cell.Text} {
		if _, kind := cell.Parse([]byte(text)); kind != want {
			t.Errorf("%q is of kind %d, want %d", text, kind, want)
		}
	}
}
