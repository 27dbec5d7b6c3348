package linalg

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestUnusable(t *testing.T) {
	x := mat.NewDense(700, 3, nil)
	if row, column, _, err := Unusable(context.Background(), FromDense(x)); row != 0 || column != 0 || err != nil {
		t.Errorf("finite numbers: row %d, column %d, %v", row, column, err)
	}
	x.Set(650, 1, math.NaN())
	x.Set(600, 2, math.Inf(-1)) // the first block has 256 rows
	row, column, value, err := Unusable(context.Background(), FromDense(x))
	if row != 601 || column != 3 || !math.IsInf(value, -1) || err != nil {
		t.Errorf("row %d, column %d is %v, %v", row, column, value, err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := Unusable(done, FromDense(x)); err == nil {
		t.Error("a cancelled search ended well")
	}
}
