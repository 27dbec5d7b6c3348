package experiment

import (
	"context"
	"fmt"
	"maps"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
)

// Bench is what an entrant works at: the data drawn for it and the place for its results.
type Bench struct {
	Data   any    // what the case drew; shared by all entrants, so it must not be changed
	Seed   uint64 // of this repeat
	Repeat int
	Env    *Env

	record *Record
}

// Fit fits a method of the catalog. Time, steps and status go to the record; several fits
// of one run add up.
func (b *Bench) Fit(ctx context.Context, method string, params map[string]string, set *dataset.Set) (catalog.Model, error) {
	ctx = given.Context(ctx)
	m, err := catalog.Lookup(method)
	if err != nil {
		return nil, err
	}
	params = Unclipped(m, params)
	began := time.Now()
	model, err := m.Fit(ctx, set.Source(), params, catalog.Run{Seed: b.Seed})
	b.record.Seconds += time.Since(began).Seconds()
	if err == nil {
		err = ctx.Err() // a cancelled fit returns what it has
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	d := model.Describe()
	b.record.Steps += d.Steps
	b.record.Status = d.Status
	return model, nil
}

// Unclipped adds clip=off, unless clipping is asked for, to the parameters of a method that
// can pull inputs in: no paper does so before its machines see them.
func Unclipped(m *catalog.Method, params map[string]string) map[string]string {
	if _, clips := m.Param("clip"); !clips || params["clip"] != "" {
		return params
	}
	out := map[string]string{"clip": "off"}
	maps.Copy(out, params)
	return out
}

// Time takes the time of work that is not a fit of the catalog.
func (b *Bench) Time(work func() error) error {
	began := time.Now()
	err := work()
	b.record.Seconds += time.Since(began).Seconds()
	return err
}

// Ended notes how work that is not a fit of the catalog ended.
func (b *Bench) Ended(steps int, status string) {
	b.record.Steps += steps
	b.record.Status = status
}

// Score notes a result.
func (b *Bench) Score(name string, value float64) {
	if b.record.Scores == nil {
		b.record.Scores = map[string]Number{}
	}
	b.record.Scores[name] = Number(value)
}

// Series notes a curve that a figure needs, rounded to four digits. Values that are not
// finite have no place in a curve.
func (b *Bench) Series(name string, values []float64) {
	if b.record.Series == nil {
		b.record.Series = map[string][]float64{}
	}
	out := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out = append(out, round(v, 4))
		}
	}
	b.record.Series[name] = out
}

// round keeps so many significant digits.
func round(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(v))))
	if math.IsInf(scale, 0) || scale == 0 {
		return v
	}
	return math.Round(v*scale) / scale
}

// Basis is the fitted subspace of a PCA model, d x m.
func Basis(m catalog.Model) (*mat.Dense, error) {
	a, ok := m.State().Arrays["components"]
	if !ok {
		return nil, fmt.Errorf("experiment: %s models have no components", m.Describe().Method)
	}
	rows, err := a.Dense()
	if err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// Mean is the fitted centre of a PCA model.
func Mean(m catalog.Model) ([]float64, error) {
	a, ok := m.State().Arrays["mean"]
	if !ok {
		return nil, fmt.Errorf("experiment: %s models have no mean", m.Describe().Method)
	}
	return a.Data, nil
}

// Objective is the trace of a fit, step by step; nil where the model does not tell.
func Objective(m catalog.Model) []float64 {
	t, ok := m.(interface{ Trace() []irls.Step })
	if !ok {
		return nil
	}
	var out []float64
	for _, s := range t.Trace() {
		out = append(out, s.Objective)
	}
	return out
}

// ScorePerFit notes the mean number of steps of the fits so far.
func (b *Bench) ScorePerFit(name string, fits int) {
	b.Score(name, float64(b.record.Steps)/float64(fits))
}
