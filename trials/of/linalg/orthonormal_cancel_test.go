package linalg

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// asked ends when it was asked often enough whether it has.
type asked struct {
	context.Context
	left int
}

func (c *asked) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Rows are made orthonormal panel by panel, and no further once the context ends: all of 1,500 rows of 4,000 columns at once took seconds.
func TestOrthonormalRowsEndWithTheirContext(t *testing.T) {
	const m, d, panels = 400, 500, 3
	draw := rand.New(rand.NewPCG(1, 2))
	v := mat.NewDense(m, d, nil)
	v.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, v)
	err := linalg.OrthonormalizeRows(&asked{t.Context(), panels}, v)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if done := mat.Dot(v.RowView(0), v.RowView(1)); done > 1e-12 || done < -1e-12 {
		t.Errorf("the first rows have %g in common", done)
	}
	if left := mat.Dot(v.RowView(m-1), v.RowView(0)); left < 1e-6 && left > -1e-6 {
		t.Error("the last row was reached")
	}
}
