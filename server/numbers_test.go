package server

import (
	"encoding/json"
	"math"
	"testing"
)

// FuzzNumberRows: what the quick way reads, the general way reads alike.
func FuzzNumberRows(f *testing.F) {
	for _, text := range []string{`{"rows":[[1,2],[3,null]]}`, ` { "rows" : [ [ -0.5e-3 ] ] } `, `{"rows":[[01]]}`, `{"rows":[[1],[2,3]]}`, `{"rows":[]}`, `{"rows":[[]]}`, `{"rows":[[1e999]]}`, `{"rows":[[1]]}x`, `{"rows":[[-]]}`, `{"rows":[[1.]]}`, `{"rows":[[.5]]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		numbers, width, ok := numberRows(text, nil)
		if !ok {
			return
		}
		var in struct {
			Rows [][]*float64 `json:"rows"`
		}
		if err := json.Unmarshal(text, &in); err != nil {
			t.Fatalf("%q is read, but is no JSON: %v", text, err)
		}
		k := 0
		for _, row := range in.Rows {
			if len(row) != width {
				t.Fatalf("%q: %d instead of %d", text, width, len(row))
			}
			for _, v := range row {
				if v == nil && !math.IsNaN(numbers[k]) || v != nil && *v != numbers[k] {
					t.Fatalf("%q: number %d is %g", text, k, numbers[k])
				}
				k++
			}
		}
		if k != len(numbers) {
			t.Fatalf("%q: %d numbers instead of %d", text, len(numbers), k)
		}
	})
}
