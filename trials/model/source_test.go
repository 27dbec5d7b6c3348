package model

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
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

// Methods that compare all rows hold a source in memory, read once, and refuse one that has none.
func TestHeldSourcesAreReadOnce(t *testing.T) {
	ctx := context.Background()
	x, _, labels := typedRows()
	for name, fit := range map[string]func(linalg.Source) (interface{ Training() *verdict.Rows }, error){
		"correntropy": func(s linalg.Source) (interface{ Training() *verdict.Rows }, error) {
			return pca.Correntropy{Components: 2}.Fit(ctx, s)
		},
		"peaks": func(s linalg.Source) (interface{ Training() *verdict.Rows }, error) {
			return cluster.DensityPeaks{Clusters: 2}.Fit(ctx, s)
		},
		"centers": func(s linalg.Source) (interface{ Training() *verdict.Rows }, error) {
			return nearest.Centers{}.Fit(ctx, s, labels, 2)
		},
	} {
		src := &outside{rows: linalg.FromDense(x)}
		a, err := fit(src)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := fit(linalg.FromDense(x))
		if err != nil || src.scans != 1 || !reflect.DeepEqual(a.Training(), b.Training()) {
			t.Errorf("%s: %d scans, %v; or verdicts other than those of a matrix", name, src.scans, err)
		}
		if _, err := fit(&outside{rows: linalg.FromDense(&mat.Dense{})}); err == nil {
			t.Errorf("%s: a source without rows is fitted", name)
		}
	}
}
