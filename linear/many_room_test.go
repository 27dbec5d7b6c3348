package linear

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The last block of a table is short, and its room may be the next one's of a longer block.
func TestRoomsGrow(t *testing.T) {
	at := &room{design: &design{p: 1, stride: 8, ones: 1}}
	for _, n := range []int{3, 5, 11, 4} {
		at.take(mat.NewDense(n, 1, nil), nil)
		if at.y[n-1] = 7; len(at.r) != n || slices.Contains(at.r, 7) || len(at.rows) != 8*n {
			t.Fatalf("%d rows: %v %v %v", n, at.y, at.r, at.rows)
		}
	}
}
