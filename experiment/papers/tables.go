package papers

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/score"
)

// divided is a set split into rows to learn from and rows to test on.
type divided struct{ train, test *dataset.Set }

// unitRange returns the set with every column, and the target if it has values to learn,
// brought to [0, 1] over all rows, as the kmpe paper does for regression.
func unitRange(s *dataset.Set, target bool) *dataset.Set {
	out := *s
	out.X = mat.DenseCopyOf(s.X)
	n, d := out.X.Dims()
	for j := range d {
		column := mat.Col(nil, j, out.X)
		toUnit(column)
		for i := range n {
			out.X.Set(i, j, column[i])
		}
	}
	if target {
		t := *s.Target
		t.Values = slices.Clone(t.Values)
		toUnit(t.Values)
		out.Target = &t
	}
	return &out
}

func toUnit(v []float64) {
	low, high := slices.Min(v), slices.Max(v)
	for i := range v {
		v[i] = (v[i] - low) / math.Max(high-low, 1e-300)
	}
}

// withRowNumber adds the number of the row as a first column: what a careless reader of a
// file with an identifier does.
func withRowNumber(s *dataset.Set) *dataset.Set {
	n, d := s.X.Dims()
	out := *s
	out.X = mat.NewDense(n, d+1, nil)
	out.Columns = append([]string{"row"}, s.Columns...)
	for i := range n {
		out.X.Set(i, 0, float64(i+1))
		copy(out.X.RawRowView(i)[1:], s.X.RawRowView(i))
	}
	return &out
}

// number writes a parameter.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// rmseOf predicts the rows of a set and returns the RMSE.
func rmseOf(ctx context.Context, m catalog.Model, s *dataset.Set) (float64, error) {
	p, err := m.(catalog.Predictor).Predict(ctx, s.X)
	if err != nil {
		return 0, err
	}
	return score.RMSE(s.Target.Values, p.Values)
}

// accuracyOf is the share of right labels in per cent.
func accuracyOf(ctx context.Context, m catalog.Model, s *dataset.Set) (float64, error) {
	p, err := m.(catalog.Predictor).Predict(ctx, s.X)
	if err != nil {
		return 0, err
	}
	a, err := score.Accuracy(s.Target.Labels, largest(p))
	return 100 * a, err
}

// largest are the classes with the largest outputs, as the papers decide. The program's own
// labels are the most probable classes, which held-out rows have a say in.
func largest(p *catalog.Prediction) []int {
	if p.Scores == nil {
		return p.Labels
	}
	n, _ := p.Scores.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = floats.MaxIdx(p.Scores.RawRowView(i))
	}
	return out
}

// matchedOf is the share of right labels after the best matching, in per cent.
func matchedOf(ctx context.Context, m catalog.Model, s *dataset.Set) (float64, error) {
	p, err := m.(catalog.Predictor).Predict(ctx, s.X)
	if err != nil {
		return 0, err
	}
	a, err := score.MatchedAccuracy(s.Target.Labels, largest(p))
	return 100 * a, err
}

// sweepRepeats is how many draws a sweep over parameters has: with one draw no claim about it
// can be tested.
const sweepRepeats = 5

// machineSetting is one line of Table I, V or VI: the four machines' parameters.
type machineSetting struct {
	plain       int
	ridge       int
	ridgeLambda float64
	rcc         int
	rccSigma    float64
	rccLambda   float64
	kmpe        int
	kmpeSigma   float64
	kmpeLambda  float64
	p           float64
}

// fitScore fits a machine and notes its scores.
type fitScore func(ctx context.Context, b *experiment.Bench, m catalog.Model) error

// entrants are the four machines with the printed parameters. Inputs stay as the protocol
// leaves them, so the catalog's own scaling is off.
func (s machineSetting) entrants(train func(b *experiment.Bench) *dataset.Set, note fitScore) []experiment.Entrant {
	one := func(name string, params map[string]string) experiment.Entrant {
		params["scaling"] = "none"
		return experiment.Entrant{Name: name, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
			m, err := b.Fit(ctx, name, params, train(b))
			if err != nil {
				return err
			}
			return note(ctx, b, m)
		}}
	}
	return []experiment.Entrant{
		one("elm", map[string]string{"hidden": strconv.Itoa(s.plain)}),
		one("relm", map[string]string{"hidden": strconv.Itoa(s.ridge), "lambda": number(s.ridgeLambda)}),
		one("elm-rcc", map[string]string{"hidden": strconv.Itoa(s.rcc), "lambda": number(s.rccLambda), "sigma": number(s.rccSigma), "tol": "1e-7"}),
		one("elm-kmpe", map[string]string{"hidden": strconv.Itoa(s.kmpe), "lambda": number(s.kmpeLambda), "sigma": number(s.kmpeSigma), "p": number(s.p), "tol": "1e-7"}),
	}
}

// machineNames are the four machines in the order of the paper's tables.
var machineNames = []string{"elm", "relm", "elm-rcc", "elm-kmpe"}

// scoreNames lists the scores of a record in the order of the alphabet.
func scoreNames(r *experiment.Record) []string { return slices.Sorted(maps.Keys(r.Scores)) }

// root is the square root; what rounding made negative counts as 0.
func root(x float64) float64 { return math.Sqrt(math.Max(x, 0)) }
