package nearest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
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

// Algorithm 2 word by word: weighted centers (29), then the nearest.
func TestCentersAgreeWithTextbook(t *testing.T) {
	x, labels := classes(1, 60, 5, 3, 1.5)
	n, d := x.Dims()
	r := rand.New(rand.NewPCG(2, 2))
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = r.Float64()
	}
	m, err := Centers{Votes: weights}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	centers := mat.NewDense(3, d, nil)
	for c := range 3 {
		total := 0.0
		for i := range n {
			if labels[i] == c {
				total += weights[i]
				for j := range d {
					centers.Set(c, j, centers.At(c, j)+weights[i]*x.At(i, j))
				}
			}
		}
		for j := range d {
			centers.Set(c, j, centers.At(c, j)/total)
		}
	}
	if !mat.EqualApprox(m.Centers(), centers, 1e-12) {
		t.Errorf("centers\n%v\n%v", mat.Formatted(m.Centers()), mat.Formatted(centers))
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	judged := judge(distance, m.Cutoffs(), nil)
	for i := range n {
		best, most := 0, math.Inf(-1)
		for c := range 3 {
			sum := 0.0
			for j := range d {
				e := x.At(i, j) - centers.At(c, j)
				sum += e * e
			}
			if math.Abs(distance.At(i, c)-math.Sqrt(sum)) > 1e-12 {
				t.Fatalf("distance %v, not %v", distance.At(i, c), math.Sqrt(sum))
			}
			// Eq. (30) with alpha = 1.4, beta = 0.8 ranks like the norm.
			if g := math.Exp(-math.Pow(math.Sqrt(sum)/0.8, 1.4)); g > most {
				best, most = c, g
			}
		}
		if judged.Label[i] != best {
			t.Fatalf("row %d is given class %d, not %d", i, judged.Label[i], best)
		}
	}
}

// The spectral norm is the largest singular value: for a row that differs from the center
// by a matrix of rank one it is the Frobenius norm, for a multiple of the identity that
// over the square root of the size.
func TestSpectralNorm(t *testing.T) {
	x := mat.NewDense(4, 9, nil)
	x.SetRow(2, []float64{1, 2, 2, 2, 4, 4, 2, 4, 4})    // 9 times a rank one projector
	x.SetRow(3, []float64{5, 0, 0, 0, 5, 0, 0, 0, 5})    // 5 I
	x.SetRow(1, []float64{0, 0, 0, 0, 0, 0, 0, 0, 1e-9}) // two classes need two centers
	m, err := Centers{Shape: []int{3, 3}}.Fit(context.Background(), linalg.FromDense(x), []int{0, 0, 1, 1}, 2)
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
	clean, err := Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	gap := func(c Centers) float64 {
		m, err := c.Fit(context.Background(), linalg.FromDense(dirty), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(m.Centers(), clean.Centers())
		return mat.Norm(&diff, 2)
	}
	if plain, held := gap(Centers{}), gap(Centers{Loss: robust(t, "gcorr:alpha=2,beta=auto")}); held > 0.3 || plain < 10 {
		t.Errorf("plain centers are off by %v, robust ones by %v", plain, held)
	}
}

// Rows with the wrong label are found and told from rows that belong nowhere.
func TestJudgeTellsKinds(t *testing.T) {
	x, labels := classes(5, 300, 6, 3, 0.4)
	given := slices.Clone(labels)
	for i := 0; i < 30; i++ {
		given[i] = (labels[i] + 1) % 3
	}
	for i := 30; i < 45; i++ {
		x.Set(i, 4, 40)
	}
	m, err := Centers{Loss: robust(t, "welsch")}.Fit(context.Background(), linalg.FromDense(x), given, 3)
	if err != nil {
		t.Fatal(err)
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	v := judge(distance, m.Cutoffs(), given)
	for i := range 45 {
		want := verdict.Mislabeled
		if i >= 30 {
			want = verdict.FarFromClass
		}
		if v.Kind[i] != want || i < 30 && v.Label[i] != labels[i] {
			t.Errorf("row %d is %s and given class %d", i, v.Kind[i], v.Label[i])
		}
	}
	alarms := 0
	for i := 45; i < 300; i++ {
		if v.Kind[i] != verdict.Regular {
			alarms++
		}
	}
	if alarms > 25 {
		t.Errorf("%d of 255 regular rows are flagged", alarms)
	}
	if unknown := judge(distance, m.Cutoffs(), nil); unknown.Kind[0] != verdict.Regular || unknown.Kind[35] != verdict.FarFromClass {
		t.Error("rows without a label are judged by the nearest class")
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

func TestSubspaces(t *testing.T) {
	n := blockRows + 10
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		labels[i] = i % 2
		x.SetRow(i, []float64{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()})
		x.Set(i, labels[i], 3*r.NormFloat64()+math.Copysign(2, r.NormFloat64()))
	}
	s, err := FitSubspaces(context.Background(), linalg.FromDense(x), labels, nil, 2, func(class int, rows []int) (Subspace, error) {
		if len(rows) != n/2 || labels[rows[1]] != class {
			t.Errorf("class %d gets rows %v", class, rows)
		}
		return line{class}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	distance, err := s.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	last := n - 1
	if want := math.Hypot(x.At(last, 1), x.At(last, 2)); math.Abs(distance.At(last, 0)-want) > 1e-12 {
		t.Errorf("residual %v, not %v", distance.At(last, 0), want)
	}
	wrong := 0
	for i, k := range judge(distance, s.Cutoffs, nil).Label {
		if k != labels[i] {
			wrong++
		}
	}
	if wrong > n/20 {
		t.Errorf("%d of %d rows are in the wrong class", wrong, n)
	}
}

func TestBadInput(t *testing.T) {
	x, labels := classes(7, 12, 3, 2, 1)
	ctx := context.Background()
	var class *refusal.ClassError
	if _, err := (Centers{}).Fit(ctx, linalg.FromDense(x), labels, 3); !errors.As(err, &class) || class.Class != 2 {
		t.Errorf("an empty class: %v", err)
	}
	zero := make([]float64, 12)
	zero[0] = 1
	if _, err := (Centers{Weights: zero}).Fit(ctx, linalg.FromDense(x), labels, 2); !errors.As(err, &class) || class.Class != 1 {
		t.Errorf("a class without weight: %v", err)
	}
	whole, err := Centers{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := func(spoil func(archive.State)) error {
		s := whole.State()
		spoil(s)
		_, err := Restore(s)
		return err
	}
	if err := spoiled(func(archive.State) {}); err != nil {
		t.Fatal(err)
	}
	for name, fit := range map[string]func() error{
		"one class": func() error { _, err := Centers{}.Fit(ctx, linalg.FromDense(x), make([]int, 12), 1); return err },
		"labels":    func() error { _, err := Centers{}.Fit(ctx, linalg.FromDense(x), labels[:3], 2); return err },
		"label range": func() error {
			_, err := Centers{}.Fit(ctx, linalg.FromDense(x), []int{0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1}, 2)
			return err
		},
		"weights": func() error {
			_, err := Centers{Weights: []float64{1}}.Fit(ctx, linalg.FromDense(x), labels, 2)
			return err
		},
		"shape": func() error {
			_, err := Centers{Shape: []int{2, 2}}.Fit(ctx, linalg.FromDense(x), labels, 2)
			return err
		},
		"no centers": func() error { return spoiled(func(s archive.State) { delete(s.Arrays, "centers") }) },
		"no cut-offs": func() error {
			return spoiled(func(s archive.State) { s.Arrays["cutoffs"] = archive.Vector([]float64{1}) })
		},
		"stored shape": func() error { return spoiled(func(s archive.State) { s.Extra["core_shape"] = []any{5.0, 5.0} }) },
		"lonely in sub": func() error {
			_, err := FitSubspaces(ctx, linalg.FromDense(x), []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, nil, 2, func(int, []int) (Subspace, error) { return line{}, nil })
			return err
		},
	} {
		if fit() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	m, err := Centers{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Distances(ctx, mat.NewDense(1, 2, nil)); err == nil {
		t.Error("rows with other columns are measured")
	}
}
