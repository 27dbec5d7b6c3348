package elm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// The errors of left-out rows against fits that really leave them out.
func TestLeftOutErrorsAreThoseOfRefits(t *testing.T) {
	ctx := context.Background()
	r := wavy(30, 12)
	f := &fitting{prob: &problem{regression: *r}, weights: make([]float64, 30)}
	f.prob.lambda = 1e-6
	for i := range f.weights {
		f.weights[i] = 1 / (1 + float64(i%4))
	}
	var err error
	if f.beta, err = linalg.Ridge(ctx, r.h.kept, r.t, f.weights, f.prob.lambda); err != nil {
		t.Fatal(err)
	}
	got, err := f.leftOut()
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.weights {
		w := append([]float64(nil), f.weights...)
		w[i] = 0
		beta, err := linalg.Ridge(ctx, r.h.kept, r.t, w, f.prob.lambda)
		if err != nil {
			t.Fatal(err)
		}
		e := r.t.At(i, 0) - mat.Dot(r.h.kept.RowView(i), beta.ColView(0))
		if math.Abs(got[i]-e*e) > 1e-6*e*e {
			t.Errorf("row %d: %g, a fit without it has %g", i+1, got[i], e*e)
		}
	}
}
