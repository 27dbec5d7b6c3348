package linear

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/refusal"
	"gonum.org/v1/gonum/mat"
)

// dirty makes y = 3 + 2 x1 - x2 + x3 ... + noise; the share of rows at the end has wrong
// targets, every second of them also far out in the columns.
func dirty(n, d int, share float64, seed uint64) (x *mat.Dense, y, truth []float64) {
	random := rand.New(rand.NewPCG(seed, 2))
	truth = []float64{3}
	for j := range d {
		truth = append(truth, []float64{2, -1, 1}[j%3])
	}
	x, y = mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		y[i] = truth[0] + random.NormFloat64()
		for j := range row {
			row[j] = random.NormFloat64()
			y[i] += truth[1+j] * row[j]
		}
		if float64(i) >= (1-share)*float64(n) {
			y[i] += 60 + 5*random.NormFloat64()
			if i%2 == 0 {
				y[i] += 140
				for j := range row {
					row[j] += 10
				}
			}
		}
	}
	return x, y, truth
}

func estimates(m *linear.Model) []float64 { return append([]float64{m.Intercept()}, m.Coef()...) }

// Standard errors tell how much estimates scatter over repeated samples.
func TestStandardErrorsAreHonest(t *testing.T) {
	const repeats = 120
	var values, errs []float64
	covered := 0
	for seed := range uint64(repeats) {
		x, y, truth := dirty(100, 2, 0.1, 1000+seed)
		m, err := linear.Robust{Loss: linear.DefaultLoss, Seed: seed, Samples: 100}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		_, columns := m.Table()
		values, errs = append(values, columns[0].Value), append(errs, columns[0].Error)
		if math.Abs(columns[0].Value-truth[1]) < 1.985*columns[0].Error {
			covered++
		}
	}
	mean, sd, reported := 0.0, 0.0, 0.0
	for i, v := range values {
		mean += v / repeats
		reported += errs[i] / repeats
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / (repeats - 1)
	}
	if ratio := reported / math.Sqrt(sd); ratio < 0.8 || ratio > 1.2 {
		t.Errorf("mean standard error over spread: %.3f", ratio)
	}
	if float64(covered) < 0.88*repeats {
		t.Errorf("95 %% intervals cover the truth in %d of %d samples", covered, repeats)
	}
}

// Other units of columns and target change the coefficients accordingly and nothing else,
// also when units differ by twelve orders of magnitude and columns sit far from 0.
func TestUnitsDoNotMatter(t *testing.T) {
	x, y, _ := dirty(120, 3, 0.3, 5)
	a := fitDefault(t, x, y)
	factor, shift := []float64{1e6, 1e-6, 50}, []float64{1e9, 5, -1000}
	z, v := mat.DenseCopyOf(x), slices.Clone(y)
	for i := range v {
		v[i] = 1e-3*v[i] + 70
		for j := range factor {
			z.Set(i, j, factor[j]*x.At(i, j)+shift[j])
		}
	}
	b := fitDefault(t, z, v)
	_, ta := a.Table()
	_, tb := b.Table()
	for j := range factor {
		if got := tb[j].Value * factor[j] * 1e3; math.Abs(got-ta[j].Value) > 1e-5*math.Abs(ta[j].Value) {
			t.Errorf("coefficient %d: %g instead of %g", j, got, ta[j].Value)
		}
		if math.Abs(tb[j].T-ta[j].T) > 1e-4*math.Abs(ta[j].T) {
			t.Errorf("t of column %d: %g instead of %g", j, tb[j].T, ta[j].T)
		}
	}
	if !slices.Equal(a.Training().Kind, b.Training().Kind) {
		t.Error("rows are judged differently")
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	x, y, _ := dirty(30000, 4, 0.2, 8)
	fit := func(threads int) *linear.Model {
		linalg.SetThreads(threads)
		defer linalg.SetThreads(0)
		return fitDefault(t, x, y)
	}
	a, b := fit(1), fit(4)
	if !slices.Equal(estimates(a), estimates(b)) || !slices.Equal(a.Weights(), b.Weights()) {
		t.Error("1 and 4 threads differ")
	}
}

// A column that repeats others, a constant one and rare categories.
func TestDependentColumns(t *testing.T) {
	x, y, _ := dirty(100, 2, 0.2, 10)
	wide := mat.NewDense(100, 5, nil)
	for i := range 100 {
		rare := 0.0
		if i%20 == 3 {
			rare = 1
			y[i] += 7
		}
		wide.SetRow(i, []float64{x.At(i, 0), 4, x.At(i, 1), 2*x.At(i, 0) - 3*x.At(i, 1) + 1, rare})
	}
	m := fitDefault(t, wide, y)
	if !slices.Equal(m.Dropped(), []int{1, 3}) {
		t.Errorf("dropped columns %v", m.Dropped())
	}
	c := m.Coef()
	if c[1] != 0 || c[3] != 0 || math.Abs(c[0]-2) > 0.4 || math.Abs(c[2]+1) > 0.4 || math.Abs(c[4]-7) > 1.5 {
		t.Errorf("coefficients %v", c)
	}
	_, table := m.Table()
	if !math.IsNaN(table[1].Error) || math.IsNaN(table[4].Error) {
		t.Errorf("standard errors %v", table)
	}
}

// Few rows of clean normal data are flagged: about 1.2 % beyond 2.5 scales.
func TestFalseAlarms(t *testing.T) {
	count := 0
	for seed := range uint64(10) {
		x, y, _ := dirty(500, 3, 0, seed)
		count += fitDefault(t, x, y).Training().Count()
	}
	if share := float64(count) / 5000; share > 0.025 {
		t.Errorf("%.3f of clean rows are flagged", share)
	}
}

func TestBadInput(t *testing.T) {
	x, y, _ := dirty(20, 3, 0, 13)
	fit := func(o linear.Robust, x *mat.Dense, y []float64) error {
		_, err := o.Fit(context.Background(), linalg.FromDense(x), y)
		return err
	}
	var size *refusal.SizeError
	if err := fit(linear.Robust{}, x.Slice(0, 4, 0, 3).(*mat.Dense), y[:4]); !errors.As(err, &size) {
		t.Errorf("4 rows for 4 coefficients: %v", err)
	}
	hole := mat.DenseCopyOf(x)
	hole.Set(2, 1, math.NaN())
	var cell *refusal.CellError
	if err := fit(linear.Robust{}, hole, y); !errors.As(err, &cell) || cell.Row != 3 || cell.Column != 2 {
		t.Errorf("missing value: %v", err)
	}
	if err := fit(linear.Robust{}, x, make([]float64, 20)); err == nil {
		t.Error("a constant target is accepted")
	}
	for name, o := range map[string]linear.Robust{
		"lambda": {Lambda: -1}, "start": {Start: "middle"}, "covariance": {Covariance: "none"}, "weights": {Weights: []float64{1}},
		"cutoff": {Cutoff: math.NaN()}, "mm without s": {Covariance: linear.CovarianceMM, Start: linear.StartLTS},
	} {
		if err := fit(o, x, y); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (linear.Robust{Loss: linear.DefaultLoss}).Fit(ctx, linalg.FromDense(x), y); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
