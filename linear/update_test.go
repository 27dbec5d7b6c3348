package linear

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// drawn are rows of y = 1 + 2 a - b + 3 c with the columns in unlike units; noise is uniform where it is bounded.
func drawn(seed uint64, n int, noise func(*rand.Rand) float64) (*mat.Dense, []float64) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y := mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range y {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		x.SetRow(i, []float64{1e6 + 1e3*a, 1e-4 * b, c + a})
		y[i] = 1 + 2*a - b + 3*c + noise(r)
	}
	return x, y
}

func bounded(r *rand.Rand) float64 { return r.Float64() - 0.5 }
func gauss(r *rand.Rand) float64   { return r.NormFloat64() }

func stacked(a, b *mat.Dense, y, z []float64) (*mat.Dense, []float64) {
	var x mat.Dense
	x.Stack(a, b)
	return &x, append(append([]float64(nil), y...), z...)
}

func fitted(t *testing.T, o Robust, x *mat.Dense, y []float64) *Model {
	t.Helper()
	o.Seed = 1
	m, err := o.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func updated(t *testing.T, m *Model, x *mat.Dense, y []float64, forget float64) *Model {
	t.Helper()
	out, _, err := m.Update(context.Background(), x, y, forget)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// again is the model of its file.
func again(t *testing.T, m *Model) *Model {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	out, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// With the square loss nothing is lost of the old rows: the update is the fit of all, with a penalty too, through a file,
// in one batch or in several.
func TestUpdateBySquaresIsTheFitOfAll(t *testing.T) {
	for _, o := range []Robust{{}, {Lambda: 30}, {NoIntercept: true}, {Start: StartClassic}} {
		o.Loss, o.ResidualCutoff = loss.MustParse("square"), 10
		a, y := drawn(1, 300, bounded)
		b, z := drawn(2, 200, bounded)
		x, all := stacked(a, b, y, z)
		want, m := fitted(t, o, x, all), fitted(t, o, a, y)
		if o.Lambda > 0 || o.NoIntercept { // of columns standardised as the first fit did
			g, err := newDesign(context.Background(), a, y, o.filled())
			if err != nil {
				t.Fatal(err)
			}
			whole := &room{design: g.alike()}
			var table mat.Dense
			table.Augment(x, mat.NewDense(len(all), 1, all))
			whole.take(&table, nil)
			beta, err := whole.leastSquares(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want.intercept, want.coef = whole.raw(beta)
		}
		once := updated(t, again(t, m), b, z, 0)
		first, second := b.Slice(0, 77, 0, 3).(*mat.Dense), b.Slice(77, 200, 0, 3).(*mat.Dense)
		twice := updated(t, again(t, updated(t, m, second, z[77:], 0)), first, z[:77], 0)
		for _, got := range []*Model{once, twice} {
			if d := distance(estimates(got), estimates(want)); d > 1e-9 {
				t.Errorf("%+v: %.2g off", o, d)
			}
			if got.Rows() != 500 {
				t.Errorf("%d rows", got.Rows())
			}
		}
	}
}

// Gross outliers are left out, however many; a batch of nothing else leaves the model as it is.
func TestUpdateLeavesOutliersOut(t *testing.T) {
	a, y := drawn(5, 400, gauss)
	m := fitted(t, Robust{}, a, y)
	b, z := drawn(6, 200, gauss)
	clean := updated(t, m, b, z, 0)
	far, wrong := mat.DenseCopyOf(b), append([]float64(nil), z...)
	for i := range wrong {
		if i%10 < 3 {
			wrong[i] = 1e300
			far.Set(i, 2, 1e9)
		}
	}
	dirty, judged, err := m.Update(context.Background(), far, wrong, 0)
	if err != nil {
		t.Fatal(err)
	}
	if judged.Count() < 60 || judged.Count() > 75 || dirty.Rows() != 600-judged.Count() {
		t.Errorf("%d outliers, %d rows", judged.Count(), dirty.Rows())
	}
	_, columns := clean.Table()
	for j, c := range columns {
		if off := math.Abs(c.Value-dirty.coef[j]) / c.Error; off > 1 {
			t.Errorf("coefficient %d moves by %.2g standard errors", j+1, off)
		}
	}
	bad, _ := drawn(7, 5, gauss)
	same, judged, err := m.Update(context.Background(), bad, []float64{1e3, 1e4, -1e5, 1e300, 1e9}, 0.5)
	if err != nil || same != m || judged.Count() != 5 {
		t.Errorf("%v, %d of 5 outliers, the same model: %v", err, judged.Count(), same == m)
	}
}

// A truth that moves by half a standard deviation of the noise per batch is followed by a model that forgets.
func TestUpdateFollowsATruthThatMoves(t *testing.T) {
	at := func(k int) (*mat.Dense, []float64) {
		x, y := drawn(uint64(10+k), 200, gauss)
		for i := range y {
			y[i] += 0.3 * float64(k)
		}
		return x, y
	}
	x, y := at(0)
	follows := fitted(t, Robust{}, x, y)
	keeps := follows
	for k := 1; k <= 20; k++ {
		x, y := at(k)
		follows, keeps = updated(t, again(t, follows), x, y, 0.5), updated(t, keeps, x, y, 0)
	}
	x, y = at(20)
	off := func(m *Model) (sum float64) {
		for i, v := range y {
			sum += (v - m.PredictRow(x.RawRowView(i))) / 200
		}
		return sum
	}
	if got := off(follows); math.Abs(got) > 0.6 {
		t.Errorf("forgetting, %.2g off", got)
	}
	if got := off(keeps); got < 1 {
		t.Errorf("without forgetting, %.2g off", got)
	}
	if n := follows.effective(); n > 700 { // 200 (1 + 1/2 + 1/4 ...)^2 / (1 + 1/4 + ...) = 600
		t.Errorf("an effective sample of %g", n)
	}
}

// Models without the past, and shares that are none, are refused; rows of other widths too.
func TestUpdateRefuses(t *testing.T) {
	x, y := drawn(8, 50, gauss)
	m := fitted(t, Robust{}, x, y)
	for _, forget := range []float64{-0.1, 1, math.NaN()} {
		if _, _, err := m.Update(context.Background(), x, y, forget); err == nil {
			t.Errorf("forget %g is let through", forget)
		}
	}
	old := *m
	old.past = nil
	if _, _, err := old.Update(context.Background(), x, y, 0); err == nil || !strings.Contains(err.Error(), "fit it again") {
		t.Errorf("a model without its past is updated: %v", err)
	}
	if _, _, err := m.Update(context.Background(), x.Slice(0, 50, 0, 2).(*mat.Dense), y, 0); err == nil {
		t.Error("two columns for a model of three")
	}
}

// Threads change no bit, and neither does the order of rows but for rounding.
func TestUpdateDoesNotDependOnThreads(t *testing.T) {
	x, y := drawn(9, 3000, gauss)
	b, z := drawn(10, 2500, gauss)
	m := fitted(t, Robust{}, x, y)
	var one, two *Model
	threads := linalg.Threads()
	defer linalg.SetThreads(threads)
	linalg.SetThreads(1)
	one = updated(t, m, b, z, 0.2)
	linalg.SetThreads(2)
	two = updated(t, m, b, z, 0.2)
	for j, v := range one.coef {
		if v != two.coef[j] {
			t.Errorf("coefficient %d: %g and %g", j+1, v, two.coef[j])
		}
	}
}

// Targets of absurd size, a batch of one row, and rows that lie on a plane to rounding.
func TestUpdateOfOddTables(t *testing.T) {
	x, y := drawn(11, 100, gauss)
	for _, unit := range []float64{1, 1e200, 1e-200} {
		big := make([]float64, len(y))
		for i, v := range y {
			big[i] = v * unit
		}
		m := again(t, fitted(t, Robust{}, x, big))
		one := updated(t, m, x.Slice(5, 6, 0, 3).(*mat.Dense), big[5:6], 0.1)
		if d := distance(estimates(one), estimates(m)); !(d < 0.1) {
			t.Errorf("unit %g: one row moves it by %g", unit, d)
		}
		if one.covariance == nil {
			t.Errorf("unit %g: no standard errors", unit)
		}
	}
	flat := make([]float64, len(y))
	for i := range flat {
		flat[i] = 3 + 2*x.At(i, 2)
	}
	m := fitted(t, Robust{}, x, flat)
	if got := updated(t, again(t, m), x, flat, 0); !got.exact || got.coef[2] != m.coef[2] || got.Rows() != 200 {
		t.Errorf("an exact relation becomes %v", got.coef)
	}
}
