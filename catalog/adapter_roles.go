package catalog

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// reduction is a model that reduces rows.
type reduction struct{ *adapted }

func (r *reduction) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	out, err := r.typed.(transformer).Transform(ctx, x)
	return out, r.explain(err, "")
}

// ScoreNames are pc1, pc2, ...
func (r *reduction) ScoreNames() []string {
	names := make([]string, r.typed.(transformer).Width())
	for j := range names {
		names[j] = "pc" + strconv.Itoa(j+1)
	}
	return names
}

func (r *reduction) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	m, ok := r.typed.(reconstructor)
	if !ok {
		return nil, &UsageError{Problem: r.description.Method + " defines no reconstruction: a score does not determine a row", Hint: "pca, pca-kmpe and the other methods of that family do"}
	}
	out, err := m.Reconstruct(ctx, x)
	return out, r.explain(err, "")
}

// ResidualLimit is how far a further regular row lies from what the model keeps; 0: not known.
func (r *reduction) ResidualLimit() float64 {
	if m, ok := r.typed.(interface{ ResidualLimit() float64 }); ok {
		return m.ResidualLimit()
	}
	return 0
}

// prediction is a model that predicts.
type prediction struct{ *adapted }

func (p *prediction) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	ctx = given.Context(ctx)
	var out Prediction
	var err error
	switch m := p.typed.(type) {
	case predictor:
		made, err := m.Predict(ctx, x)
		return made, p.explain(err, "data")
	case valuePredictor:
		out.Values, err = m.Predict(ctx, x)
	case outputPredictor:
		var outputs *mat.Dense
		if outputs, err = m.Predict(ctx, x); err == nil {
			if out.Values = mat.Col(nil, 0, outputs); p.description.Task == Classify {
				out = Prediction{Labels: largest(outputs), Scores: outputs}
				if c, ok := p.typed.(interface {
					Classes(*mat.Dense) ([]int, *mat.Dense)
				}); ok {
					out.Labels, out.Probabilities = c.Classes(outputs)
				}
			}
		}
	}
	if err != nil {
		return nil, p.explain(err, "data")
	}
	if m, ok := p.typed.(bordered); ok {
		out.Outside = m.Outside(x)
	}
	return &out, nil
}

// largest is the column with the largest score for every row, the first of equals.
func largest(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	out := make([]int, n)
	for i := range out {
		row := scores.RawRowView(i)
		for c, v := range row {
			if v > row[out[i]] {
				out[i] = c
			}
		}
	}
	return out
}

var (
	_ interface {
		Transformer
		Detector
		Rememberer
	} = (*reduction)(nil)
	_ interface {
		Predictor
		Detector
		Rememberer
	} = (*prediction)(nil)
)
