package report

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a float64 of a result. Its JSON form is null where JSON has no number for it:
// NaN and the infinities.
type Number float64

// MarshalJSON writes the shortest text that reads back the same.
func (n Number) MarshalJSON() ([]byte, error) { return AppendNumber(nil, float64(n)), nil }

// AppendNumber appends the JSON form of a [Number], as encoding/json writes a float64.
func AppendNumber(to []byte, v float64) []byte {
	if v-v != 0 {
		return append(to, "null"...)
	}
	form := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	to = strconv.AppendFloat(to, v, form, -1, 64)
	if end := len(to) - 2; form == 'e' && to[end] == '0' && to[end-2] == 'e' { // e-07
		to[end] = to[end+1]
		to = to[:end+1]
	}
	return to
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Numbers converts a slice.
func Numbers(v []float64) []Number {
	out := make([]Number, len(v))
	for i, x := range v {
		out[i] = Number(x)
	}
	return out
}
