package classify

import (
	"bytes"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// ordered makes four classes in a row, of which no straight line tells the inner ones from all others.
func ordered(n int, seed uint64) (*mat.Dense, []int) {
	x, _, _ := clouds(n, 3, 2, 0, 0, seed)
	labels := make([]int, n)
	for i := range n {
		at := 8 * float64(i) / float64(n)
		labels[i] = int(at / 2)
		x.Set(i, 0, at+0.15*x.At(i, 0))
	}
	return x, labels
}

// Classes between others are found by every machine, linear and not: one against all by what the others' scores say of
// them, jointly as they are.
func TestClassesBetweenOthersAreFound(t *testing.T) {
	x, labels := ordered(240, 3)
	for _, o := range []Options{{}, {Kernel: kernel.Kernel{Kind: kernel.RBF}}} {
		for _, m := range every(o) {
			model := mustFit(t, m, x, labels, 4)
			p, err := model.Predict(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			right := 0
			for i, l := range p.Labels {
				if l == labels[i] {
					right++
				}
				if row := p.Probabilities.RawRowView(i); largest(row) != l {
					t.Fatalf("%s: class %d of probabilities %v", m.name(), l, row)
				}
			}
			if right < 204 { // 85 %; the best line has about 90
				t.Errorf("%s %s: %d of 240 rows have their class", m.name(), o.Kernel.Kind, right)
			}
		}
	}
}

// The joint machine ends where the gradient of its objective vanishes, gives its own probabilities when nothing is
// calibrated, also from its file, and a class without rows next to none.
func TestJointLogistic(t *testing.T) {
	x, labels, _ := clouds(90, 3, 3, 1, 0.1, 8)
	o := Options{Lambda: 0.01, Tol: 1e-12, Calibration: NoCalibration, Scaling: ScaleNone, Clip: math.Inf(1)}
	model := mustFit(t, Logistic{Options: o}, x, labels, 4)
	p, err := model.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	for l := range 3 {
		for j := range 3 {
			sum := 2 * o.Lambda * model.parts.Coef.At(l, j)
			for i, label := range labels {
				y := 0.0
				if label == l {
					y = 1
				}
				total := 1 - p.Probabilities.At(i, 3)
				sum += (p.Probabilities.At(i, l)/total - y) * x.At(i, j) / 90
			}
			if math.Abs(sum) > 1e-8 {
				t.Errorf("gradient %g of class %d and column %d", sum, l, j)
			}
		}
	}
	rows := 0.0
	for i := range labels {
		rows += p.Probabilities.At(i, 3)
		if s := mat.Sum(p.Probabilities.RowView(i)); math.Abs(s-1) > 1e-12 {
			t.Fatalf("probabilities sum to %v", s)
		}
	}
	if rows < 0.05 || rows > 2 {
		t.Errorf("%v rows expected of a class without any", rows)
	}
	var file bytes.Buffer
	if _, err := model.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	q, _ := again.Predict(context.Background(), x)
	if !mat.EqualApprox(p.Probabilities, q.Probabilities, 1e-14) {
		t.Error("other probabilities from the file")
	}
	if _, err := (Logistic{Options: Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}, Multiclass: Joint}).Fit(context.Background(), nil, labels, 3); err == nil {
		t.Error("a joint machine with a kernel is not refused")
	}
}
