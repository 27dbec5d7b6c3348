package nearest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/refusal"
	"gonum.org/v1/gonum/mat"
)

// classes draws n rows of k classes around centers on the axes, row i of class i mod k.
func classes(seed uint64, n, d, k int, spread float64) (x *mat.Dense, labels []int) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, labels = mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x.Set(i, j, spread*r.NormFloat64())
		}
		x.Set(i, i%k, x.At(i, i%k)+3)
	}
	return x, labels
}

func robust(t *testing.T, text string) loss.Spec {
	t.Helper()
	s, err := loss.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The spectral norm is the largest singular value: for a row that differs from the center
// by a matrix of rank one it is the Frobenius norm, for a multiple of the identity that
// over the square root of the size.
func TestSpectralNorm(t *testing.T) {
	x := mat.NewDense(4, 9, nil)
	x.SetRow(2, []float64{1, 2, 2, 2, 4, 4, 2, 4, 4})    // 9 times a rank one projector
	x.SetRow(3, []float64{5, 0, 0, 0, 5, 0, 0, 0, 5})    // 5 I
	x.SetRow(1, []float64{0, 0, 0, 0, 0, 0, 0, 0, 1e-9}) // two classes need two centers
	m, err := nearest.Centers{Shape: []int{3, 3}}.Fit(context.Background(), linalg.FromDense(x), []int{0, 0, 1, 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(distance.At(2, 0)-9) > 1e-8 || math.Abs(distance.At(3, 0)-5) > 1e-8 {
		t.Errorf("distances %v", mat.Formatted(distance))
	}
}

// A class a third of which is far off keeps its center when weights are learned.
func TestRobustCenters(t *testing.T) {
	x, labels := classes(3, 300, 6, 3, 0.5)
	dirty := mat.DenseCopyOf(x)
	for i := 0; i < 300; i += 9 { // a third of class 0
		for j := range 6 {
			dirty.Set(i, j, 50)
		}
	}
	clean, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	gap := func(c nearest.Centers) float64 {
		m, err := c.Fit(context.Background(), linalg.FromDense(dirty), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(m.Centers(), clean.Centers())
		return mat.Norm(&diff, 2)
	}
	if plain, held := gap(nearest.Centers{}), gap(nearest.Centers{Loss: robust(t, "gcorr:alpha=2,beta=auto")}); held > 0.3 || plain < 10 {
		t.Errorf("plain centers are off by %v, robust ones by %v", plain, held)
	}
}

// line is the subspace through the origin along one axis.
type line struct{ axis int }

func (l line) Reconstruct(_ context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		out.Set(i, l.axis, x.At(i, l.axis))
	}
	return out, nil
}

func TestBadInput(t *testing.T) {
	x, labels := classes(7, 12, 3, 2, 1)
	ctx := context.Background()
	var class *refusal.ClassError
	if _, err := (nearest.Centers{}).Fit(ctx, linalg.FromDense(x), labels, 3); !errors.As(err, &class) || class.Class != 2 {
		t.Errorf("an empty class: %v", err)
	}
	zero := make([]float64, 12)
	zero[0] = 1
	if _, err := (nearest.Centers{Weights: zero}).Fit(ctx, linalg.FromDense(x), labels, 2); !errors.As(err, &class) || class.Class != 1 {
		t.Errorf("a class without weight: %v", err)
	}
	whole, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := func(spoil func(archive.State)) error {
		s := whole.State()
		spoil(s)
		_, err := nearest.Restore(s)
		return err
	}
	if err := spoiled(func(archive.State) {}); err != nil {
		t.Fatal(err)
	}
	for name, fit := range map[string]func() error{
		"one class": func() error {
			_, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), make([]int, 12), 1)
			return err
		},
		"labels": func() error { _, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), labels[:3], 2); return err },
		"label range": func() error {
			_, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), []int{0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1}, 2)
			return err
		},
		"weights": func() error {
			_, err := nearest.Centers{Weights: []float64{1}}.Fit(ctx, linalg.FromDense(x), labels, 2)
			return err
		},
		"shape": func() error {
			_, err := nearest.Centers{Shape: []int{2, 2}}.Fit(ctx, linalg.FromDense(x), labels, 2)
			return err
		},
		"no centers": func() error { return spoiled(func(s archive.State) { delete(s.Arrays, "centers") }) },
		"no cut-offs": func() error {
			return spoiled(func(s archive.State) { s.Arrays["cutoffs"] = archive.Vector([]float64{1}) })
		},
		"stored shape": func() error { return spoiled(func(s archive.State) { s.Extra["core_shape"] = []any{5.0, 5.0} }) },
		"lonely in sub": func() error {
			_, err := nearest.FitSubspaces(ctx, linalg.FromDense(x), []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, nil, 2, func(int, []int) (nearest.Subspace, error) { return line{}, nil })
			return err
		},
	} {
		if fit() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	m, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Distances(ctx, mat.NewDense(1, 2, nil)); err == nil {
		t.Error("rows with other columns are measured")
	}
}
