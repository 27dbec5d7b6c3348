package model

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
)

// outside is a table that is not in memory and counts how often it is read.
type outside struct {
	rows  *linalg.Matrix
	scans int
}

func (o *outside) Dims() (rows, columns int) { return o.rows.Dims() }

func (o *outside) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	o.scans++
	return o.rows.Scan(ctx, visit)
}

// Regressions and classifiers read a source once and learn from it what they learn from a matrix.
func TestSupervisedSourcesAreReadOnce(t *testing.T) {
	ctx := context.Background()
	x, y, labels := typedRows()
	src := &outside{rows: linalg.FromDense(x)}
	a, err := linear.Robust{}.Fit(ctx, src, y)
	if err != nil {
		t.Fatal(err)
	}
	b, err := linear.Robust{}.Fit(ctx, linalg.FromDense(x), y)
	if err != nil || src.scans != 1 || !slices.Equal(a.Coef(), b.Coef()) {
		t.Errorf("%d scans, %v; coefficients %v, of a matrix %v", src.scans, err, a.Coef(), b.Coef())
	}
	src.scans = 0
	if _, err := (classify.Logistic{}).Fit(ctx, src, labels, 2); err != nil || src.scans != 1 {
		t.Errorf("%d scans, %v", src.scans, err)
	}
}
