package decimal

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/internal/decimal"
)

// agree compares with the standard library: what JSON allows and fits into a float64 is read to the same bits, nothing else is read.
func agree(t *testing.T, text string) {
	t.Helper()
	v, length := decimal.Read([]byte(text + ",1"))
	want, err := strconv.ParseFloat(text, 64)
	if wanted := err == nil && json.Valid([]byte(text)); wanted != (length == len(text)) && length != 0 || wanted && (length == 0 || math.Float64bits(v) != math.Float64bits(want)) {
		t.Fatalf("%q: %v, %d bytes; not %v, %v", text, v, length, want, err)
	}
}

func TestReadAgreesWithTheLibrary(t *testing.T) {
	for _, text := range []string{"0", "-0", "0.0", "-0e5", "1", "-1", "12345678", "123456789012345678", "18446744073709551615", "18446744073709551616", "9007199254740993", "9007199254740992.5",
		"9007199254740993.0000000000000001", "1e22", "1e23", "8.5e-1", "1.7976931348623157e308", "1.7976931348623159e308", "5e-324", "2.4703282292062327e-324", "1e-400", "1e400", "1e9999999999999999999", "0e9999999999999999999",
		"0.1", "0.5", "1.25", "00", "01", "-", "", ".5", "1.", "1.e5", "1e", "1e+", "+1", "1_0", "0x10", "Inf", "NaN", "6.0221407600000000000000e23", "0.00000000000000000000000000001234567890123456789",
		"7450580596923828125e-27", "3.0517578125e-05", "1e64", "1e65", "1e-64", "1e-65", "9999999999999999999e45", "4503599627370497.5", "4503599627370496.5", "1.0000000000000001110223024625156540", "99999999", "9999999:"} {
		agree(t, text)
	}
	draw := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		v := math.Float64frombits(draw.Uint64())
		for _, v := range []float64{v, draw.NormFloat64(), math.Ldexp(draw.Float64(), draw.IntN(300)-150)} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			agree(t, strconv.FormatFloat(v, 'g', -1, 64))
			agree(t, strconv.FormatFloat(v, 'e', draw.IntN(20), 64))
		}
	}
	for range 3000 {
		agree(t, fmt.Sprintf("%d.5", uint64(1<<52)+draw.Uint64N(1<<52))) // as near to one as to the next
		agree(t, fmt.Sprintf("%d", uint64(1<<53)+draw.Uint64N(1<<54)))
		agree(t, fmt.Sprintf("%de%d", draw.Uint64(), draw.IntN(140)-70))
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1", "-0.5e-3", "123456789.123456789", "1e400"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { agree(t, text) })
}
