package pca

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// batch are rows near a plane of two dimensions among d, about a mean far from 0, turned by an angle within the first and last column.
func batch(seed uint64, n, d int, angle float64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		a, b := 5*r.NormFloat64(), 3*r.NormFloat64()
		for j := range d {
			x.Set(i, j, 100+0.3*r.NormFloat64()/math.Sqrt(1+float64(j)))
		}
		x.Set(i, 0, x.At(i, 0)+a*math.Cos(angle))
		x.Set(i, d-1, x.At(i, d-1)+a*math.Sin(angle))
		x.Set(i, 1, x.At(i, 1)+b)
	}
	return x
}

func joined(a, b *mat.Dense) *mat.Dense {
	var x mat.Dense
	x.Stack(a, b)
	return &x
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

func updated(t *testing.T, m *Model, x *mat.Dense, forget float64) *Model {
	t.Helper()
	out, _, err := m.Update(context.Background(), x, forget)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sine is that of the largest angle between two subspaces.
func sine(a, b *Model) float64 {
	var cross, rest mat.Dense
	linalg.Mul(&cross, a.basis.T(), b.basis)
	linalg.Mul(&rest, a.basis, &cross)
	rest.Sub(b.basis, &rest)
	return mat.Norm(&rest, 2)
}

func apart(a, b []float64) float64 {
	sum, size := 0.0, 0.0
	for i, v := range a {
		sum, size = math.Hypot(sum, v-b[i]), math.Hypot(size, b[i])
	}
	return sum / size
}

// Ordinary PCA updated is that of all rows: subspace, mean, variances and how much is left over, through a file, in one batch or
// several. Cut-offs are set aside so that no row is left out.
func TestUpdatedOrdinaryPCAIsThatOfAllRows(t *testing.T) {
	for _, d := range []int{2, 6, 40} {
		a, b := batch(1, 300, d, 0), batch(2, 170, d, 0.4)
		fit := func(x *mat.Dense) *Model {
			m, err := Classic{Options{Components: 2}}.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			m.orthogonalCutoff, m.scoreCutoff = 0, 0
			return m
		}
		m, want := fit(a), fit(joined(a, b))
		once := updated(t, again(t, m), b, 0)
		part := again(t, updated(t, m, b.Slice(100, 170, 0, d).(*mat.Dense), 0))
		twice := updated(t, part, b.Slice(0, 100, 0, d).(*mat.Dense), 0)
		for _, got := range []*Model{once, twice} {
			if s := sine(want, got); s > 1e-9 {
				t.Errorf("%d columns: the subspace is %.2g off", d, s)
			}
			if e := apart(got.mean, want.mean); e > 1e-12 {
				t.Errorf("%d columns: the mean is %.2g off", d, e)
			}
			if e := apart(got.eigenvalues, want.eigenvalues); e > 1e-9 {
				t.Errorf("%d columns: variances %v of %v", d, got.eigenvalues, want.eigenvalues)
			}
			if e := math.Abs(got.past.spread/want.past.spread - 1); d > 2 && e > 1e-9 {
				t.Errorf("%d columns: %g of %g is left over", d, got.past.spread, want.past.spread)
			}
			if got.rows != 470 {
				t.Errorf("%d rows", got.rows)
			}
		}
	}
}

// A robust model updated is nearly that of all rows, whatever the loss and with outliers in both parts: the angle between the two is
// a part of that between either and the truth.
func TestUpdatedRobustPCAIsNearThatOfAllRows(t *testing.T) {
	const d = 8
	a, b := batch(3, 400, d, 0), batch(4, 400, d, 0)
	truth := mat.NewDense(d, 2, nil)
	truth.Set(0, 0, 1)
	truth.Set(1, 1, 1)
	for i := range 40 {
		a.Set(10*i, 4, 160)
		b.Set(10*i, 5, 1e300)
	}
	for _, text := range []string{"welsch", "tukey", "huber"} {
		fit := func(x *mat.Dense) *Model {
			m, err := Robust{Options: Options{Components: 2, Seed: 1}, Loss: loss.MustParse(text)}.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m, want := fit(a), fit(joined(a, b))
		got, judged, err := again(t, m).Update(context.Background(), b, 0)
		if err != nil {
			t.Fatal(err)
		}
		if judged.Count() < 40 || judged.Count() > 80 {
			t.Errorf("%s: %d of 400 are left out", text, judged.Count())
		}
		if s, own := sine(want, got), sine(&Model{basis: truth}, want); s > own {
			t.Errorf("%s: the update is %.3g from the fit of all, which is %.3g from the truth", text, s, own)
		}
		for j, v := range got.eigenvalues {
			if ratio := v / want.eigenvalues[j]; ratio < 0.93 || ratio > 1.07 {
				t.Errorf("%s: variance %g of %g", text, v, want.eigenvalues[j])
			}
		}
	}
}

// Variances do not shrink however often rows are taken in without those beyond the limit.
func TestUpdatesKeepVariances(t *testing.T) {
	m, err := Robust{Options: Options{Components: 2, Seed: 1}}.Fit(context.Background(), linalg.FromDense(batch(5, 500, 5, 0)))
	if err != nil {
		t.Fatal(err)
	}
	for k := range uint64(40) {
		m = updated(t, m, batch(100+k, 300, 5, 0), 0.3)
	}
	for j, want := range []float64{25, 9} {
		if ratio := m.eigenvalues[j] / want; ratio < 0.85 || ratio > 1.15 {
			t.Errorf("variance %g of %g", m.eigenvalues[j], want)
		}
	}
}

// A subspace that turns is followed by a model that forgets; one that does not averages.
func TestUpdateFollowsASubspaceThatTurns(t *testing.T) {
	const d, step = 6, 0.02
	m, err := Robust{Options: Options{Components: 2, Seed: 1}}.Fit(context.Background(), linalg.FromDense(batch(6, 400, d, 0)))
	if err != nil {
		t.Fatal(err)
	}
	follows, keeps := m, m
	for k := 1; k <= 20; k++ {
		x := batch(uint64(200+k), 400, d, step*float64(k))
		follows, keeps = updated(t, again(t, follows), x, 0.5), updated(t, keeps, x, 0)
	}
	truth := mat.NewDense(d, 2, nil)
	truth.Set(0, 0, math.Cos(20*step))
	truth.Set(d-1, 0, math.Sin(20*step))
	truth.Set(1, 1, 1)
	if s := sine(&Model{basis: truth}, follows); s > 0.05 {
		t.Errorf("forgetting, the sine is %.3g", s)
	}
	if s := sine(&Model{basis: truth}, keeps); s < 0.15 {
		t.Errorf("without forgetting, the sine is %.3g", s)
	}
}

// With more columns than are kept a scatter of, and with more than rows, an update is near the fit of all too.
func TestUpdateWithManyColumns(t *testing.T) {
	const d = 300
	for _, rows := range []int{60, 500} {
		a, b := batch(7, 400, d, 0), batch(8, rows, d, 0)
		fit := func(x *mat.Dense) *Model {
			m, err := Robust{Options: Options{Components: 2, Seed: 1}}.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m, want := fit(a), fit(joined(a, b))
		got := updated(t, again(t, m), b, 0)
		if s, before := sine(want, got), sine(want, m); s > before/2 {
			t.Errorf("%d rows: %.3g from the fit of all, %.3g before", rows, s, before)
		}
		if got.past.rest != nil {
			t.Error("the whole scatter is kept")
		}
	}
}

// One row, nothing but outliers, missing values, refusals.
func TestUpdateByOddRows(t *testing.T) {
	a := batch(9, 200, 5, 0)
	m, err := Robust{Options: Options{Components: 2, Seed: 1}}.Fit(context.Background(), linalg.FromDense(a))
	if err != nil {
		t.Fatal(err)
	}
	if one := updated(t, m, a.Slice(3, 4, 0, 5).(*mat.Dense), 0.1); sine(m, one) > 0.05 || one.rows != 201 {
		t.Errorf("one row turns it by %g", sine(m, one))
	}
	far := mat.NewDense(3, 5, []float64{1e300, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, -1e300})
	if same, judged, err := m.Update(context.Background(), far, 0.5); err != nil || same != m || judged.Count() != 3 {
		t.Errorf("%v: %d of 3 outliers", err, judged.Count())
	}
	gaps, err := Robust{Options: Options{Components: 2, Seed: 1, Missing: true}}.Fit(context.Background(), linalg.FromDense(a))
	if err != nil {
		t.Fatal(err)
	}
	b := batch(10, 100, 5, 0)
	clean := updated(t, gaps, b, 0)
	holes := mat.DenseCopyOf(b)
	for i := range 20 {
		holes.Set(5*i, i%5, math.NaN())
	}
	if s := sine(clean, updated(t, gaps, holes, 0)); s > 0.02 {
		t.Errorf("gaps turn it by %g", s)
	}
	for _, forget := range []float64{-1, 1, math.NaN()} {
		if _, _, err := m.Update(context.Background(), b, forget); err == nil {
			t.Errorf("forget %g is let through", forget)
		}
	}
	gm, err := GeneralizedMean{Options: Options{Components: 2}}.Fit(context.Background(), linalg.FromDense(a))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := gm.Update(context.Background(), b, 0); err == nil {
		t.Error("a centre of its own is updated")
	}
}

// Threads change no bit.
func TestUpdateDoesNotDependOnThreads(t *testing.T) {
	m, err := Robust{Options: Options{Components: 2, Seed: 1}}.Fit(context.Background(), linalg.FromDense(batch(11, 500, 30, 0)))
	if err != nil {
		t.Fatal(err)
	}
	defer linalg.SetThreads(linalg.Threads())
	var models []*Model
	for threads := 1; threads <= 2; threads++ {
		linalg.SetThreads(threads)
		models = append(models, updated(t, m, batch(12, 9000, 30, 0.1), 0.2))
	}
	if !mat.Equal(models[0].basis, models[1].basis) || apart(models[0].mean, models[1].mean) != 0 {
		t.Error("two threads give another model")
	}
}
