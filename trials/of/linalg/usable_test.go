package linalg

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

func TestUsable(t *testing.T) {
	x := mat.NewDense(700, 3, nil)
	if err := linalg.Usable(t.Context(), linalg.FromDense(x)); err != nil {
		t.Errorf("finite numbers: %v", err)
	}
	x.Set(650, 1, math.NaN())
	x.Set(600, 2, math.Inf(-1)) // the first block has 256 rows
	var cell *refusal.CellError
	if err := linalg.Usable(t.Context(), linalg.FromDense(x)); !errors.As(err, &cell) || cell.Row != 601 || cell.Column != 3 || !math.IsInf(cell.Value, -1) {
		t.Errorf("%v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := linalg.Usable(done, linalg.FromDense(x)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search ended with %v", err)
	}
}
