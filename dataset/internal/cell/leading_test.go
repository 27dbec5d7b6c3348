package cell

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestLeading holds numbers of all lengths against strconv.
func TestLeading(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	read := 0
	for range 40000 {
		text := digits(r.IntN(9))
		if r.IntN(8) > 0 {
			text += "." + digits(r.IntN(21))
		}
		switch r.IntN(6) {
		case 0:
			text = strconv.FormatFloat(r.NormFloat64(), 'f', -1, 64)
		case 1:
			text = strconv.FormatFloat(math.Float64frombits(r.Uint64()>>2), 'g', -1, 64) // 0x1.. to 1e-300 and subnormal
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		for _, after := range []string{",1234567", "\n1234567", ".5,12345", "e5,12345", "x/:;<=>?", "\xb0\xc5,12345", ""} {
			v, n := Leading([]byte(text + after))
			if n == 0 {
				continue
			}
			read++
			want, err := strconv.ParseFloat((text + after)[:n], 64)
			if err != nil || math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("%q is read as %v of %d bytes, want %v %v", text+after, v, n, want, err)
			}
			if next := (text + after)[n]; next-'0' <= 9 {
				t.Fatalf("%q is cut after %d bytes", text+after, n)
			}
		}
	}
	if read < 60000 {
		t.Errorf("only %d numbers were read at all", read)
	}
	for _, text := range []string{"", "-", "1234567", "12345678,1234567", ".5,1234567", "5.,1234567", "+1,1234567", "--1,1234567", " 1,1234567",
		"1.123456789012345678901,1234567"} {
		if v, n := Leading([]byte(text)); n != 0 {
			t.Errorf("%q is read as %v of %d bytes", text, v, n)
		}
	}
}

// TestShiftedIsNearest holds quotients by products against division and strconv: also those beside the middle between two numbers.
func TestShiftedIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	divided := 0
	for k := range 400000 {
		places := 1 + r.IntN(19)
		a := r.Uint64() >> r.IntN(63)
		if k%2 == 0 { // m + 1/2 of the last place, and its neighbours
			middle := new(big.Float).SetMantExp(big.NewFloat(float64(1<<53+2*r.Uint64N(1<<52)+1)), -54) // 1/2 to 1, of 54 bits
			scale := math.Exp2(float64(60 - int(math.Log2(float64(wholePowers[places])))))
			whole, _ := middle.Mul(middle, big.NewFloat(scale)).Mul(middle, new(big.Float).SetUint64(wholePowers[places])).Uint64()
			a = whole + r.Uint64N(5) - 2
		}
		a = max(a, 1)
		want, err := strconv.ParseFloat(fmt.Sprintf("%de-%d", a, places), 64)
		if got := shifted(a, places); err != nil || got != want {
			t.Fatalf("%d/1e%d is %v, want %v %v", a, places, got, want, err)
		}
		if got := quotient(a, wholePowers[places]); got != want {
			t.Fatalf("%d/1e%d by division is %v, want %v", a, places, got, want)
		}
		if math.FMA(want, float64(wholePowers[places]), -float64(a)) != 0 {
			divided++
		}
	}
	if divided < 100000 {
		t.Errorf("only %d quotients are rounded", divided)
	}
}
