package methods

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// A program may leave the context out: nil is one that never ends, in everything a model does, also behind the table.
func TestNilContext(t *testing.T) {
	var none context.Context
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		model, err := m.Fit(none, data.Source(), params, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		fail := func(what string, err error) {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if d, ok := model.(catalog.Detector); ok {
			_, err := d.Outliers(none, data)
			fail("judge", err)
		}
		if p, ok := catalog.As[predictor](model); ok {
			_, err := p.Predict(none, data.X)
			fail("predict", err)
		}
		if p, ok := catalog.As[valuePredictor](model); ok {
			_, err := p.Predict(none, data.X)
			fail("predict values", err)
		}
		if p, ok := catalog.As[outputPredictor](model); ok {
			_, err := p.Predict(none, data.X)
			fail("predict outputs", err)
		}
		if r, ok := catalog.As[transformer](model); ok {
			_, err := r.Transform(none, data.X)
			fail("transform", err)
		}
		if r, ok := catalog.As[reconstructor](model); ok {
			r.Reconstruct(none, data.X) // must not panic; not every reduction has a way back
		}
		if r, ok := catalog.As[contributor](model); ok {
			_, err := r.Contributions(none, data.X)
			fail("contributions", err)
		}
	})
}

// What typed models have, each where it can.
type (
	predictor interface {
		Predict(ctx context.Context, x *mat.Dense) (*catalog.Prediction, error)
	}
	valuePredictor interface {
		Predict(ctx context.Context, x *mat.Dense) ([]float64, error)
	}
	outputPredictor interface {
		Predict(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
	transformer interface {
		Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
	reconstructor interface {
		Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
	contributor interface {
		Contributions(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
)
