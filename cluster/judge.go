package cluster

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Judgement is what a model thinks of rows.
type Judgement struct {
	Label    []int     // nearest center
	Distance []float64 // from it
	Cutoff   []float64 // that applies to the row
	Weight   []float64 // vote that the row would have, 1 = full
}

// Outlier tells whether row i lies beyond its cut-off.
func (j *Judgement) Outlier(i int) bool { return j.Distance[i] > j.Cutoff[i] }

// Judge finds the cluster of every row and how far it is from the center, for training
// rows and new ones alike.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*Judgement, error) {
	labels, squared, err := nearestRow(ctx, x, m.centers)
	if err != nil {
		return nil, err
	}
	return m.judge(labels, squared), nil
}

func (m *Model) judge(labels []int, squared []float64) *Judgement {
	j := &Judgement{Label: labels, Distance: make([]float64, len(labels)), Cutoff: make([]float64, len(labels)), Weight: make([]float64, len(labels))}
	for i, s := range squared {
		j.Distance[i], j.Cutoff[i], j.Weight[i] = math.Sqrt(s), m.cutoffs[labels[i]], 1
		switch {
		case m.loss != nil:
			j.Weight[i] = math.Min(1, math.Exp(m.loss.LogWeight(s)-m.largest))
		case m.radius > 0 && j.Distance[i] > m.radius*(1+1e-12):
			j.Weight[i] = 0
		}
	}
	return j
}

// nearestRow finds the nearest row of points for every row of x.
func nearestRow(ctx context.Context, x, points *mat.Dense) ([]int, []float64, error) {
	n, d := x.Dims()
	k, want := points.Dims()
	if d != want {
		return nil, nil, fmt.Errorf("cluster: the rows have %d columns; the model has %d", d, want)
	}
	src := linalg.FromDense(x)
	_, middle, err := linalg.WeightedMean(ctx, linalg.FromDense(points), nil)
	if err != nil {
		return nil, nil, err
	}
	t := &table{src: src, n: n, d: d, mean: middle, norms: make([]float64, n)}
	if err := linalg.Residuals(ctx, src, middle, nil, t.norms, nil); err != nil {
		return nil, nil, err
	}
	for _, s := range t.norms {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, nil, findMissing(ctx, src)
		}
	}
	centers := make([]float64, k*d)
	for c := range k {
		subtract(centers[c*d:(c+1)*d], points.RawRowView(c), middle)
	}
	labels, squared := make([]int32, n), make([]float64, n)
	if err := t.nearest(ctx, centers, labels, squared); err != nil {
		return nil, nil, err
	}
	out := make([]int, n)
	for i, c := range labels {
		out[i] = int(c)
	}
	return out, squared, nil
}
