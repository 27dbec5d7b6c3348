package classify

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
)

// Objectives are libsvm's, as bench/reference_hinge.py prints them, to 1e-6 of their size
// whatever the penalty. The value of its dual is the measure, since libsvm's coefficients are up to
// a thousandth above it.
func TestHingeReachesTheOptimum(t *testing.T) {
	p, x := readPeers(t)
	for _, c := range []struct {
		kernel kernel.Kind
		lambda float64
		dual   float64
		primal float64
	}{
		{"linear", 0.01, 1.146254110, 1.146254134},
		{"linear", 0.0001, 1.053946144, 1.053947911},
		{"linear", 1e-06, 1.052818391, 1.052994428},
		{"rbf", 0.01, 1.223117241, 1.223117246},
		{"rbf", 0.0001, 0.069315590, 0.069315852},
		{"rbf", 1e-06, 0.000693156, 0.000693465},
	} {
		o := Options{Lambda: c.lambda, Calibration: NoCalibration}
		if o.Kernel.Kind = c.kernel; c.kernel == kernel.RBF {
			o.Kernel.Gamma = p.Gamma
		}
		m := mustFit(t, Hinge{Options: o, Power: 1}, x, p.Labels, 3)
		if got := m.Objective(); math.Abs(got-c.dual) > 1e-6*c.dual+1e-9 || got > c.primal+1e-9 || m.Status() != irls.Converged {
			t.Errorf("%s, lambda %v: objective %.9f, libsvm %.9f to %.9f (%v)", c.kernel, c.lambda, got, c.dual, c.primal, m.Status())
		}
	}
}

// Where columns are much alike and the penalty is small, coordinate descent ends far above the optimum; libsvm ends at 0.919.
func TestHingeReachesTheOptimumOfVehicle(t *testing.T) {
	root := os.Getenv("INLIER_DATA")
	if root == "" {
		t.Skip("INLIER_DATA does not give the folder of the benchmark data")
	}
	data, err := file.Read(context.Background(), filepath.Join(root, "classification", "vehicle.csv"), file.Options{Target: "target", Task: dataset.TaskClass})
	if err != nil {
		t.Fatal(err)
	}
	m := mustFit(t, Hinge{Options: Options{Lambda: 1e-6, Clip: math.Inf(1), Calibration: NoCalibration}, Power: 1}, data.X, data.Target.Labels, len(data.Target.Classes))
	if got := m.Objective(); math.Abs(got-0.91906) > 1e-5 || m.Status() != irls.Converged {
		t.Errorf("objective %.7f (%v)", got, m.Status())
	}
}

// Four ways to the same optimum; a step more never ends higher, and steps are counted.
func TestHingeSolversAgree(t *testing.T) {
	x, labels, _ := clouds(120, 6, 3, 1, 0.1, 8)
	task := taskOf(t, x, labels, 3, Options{Lambda: 1e-2})
	products := mat.NewDense(120, 120, nil)
	products.Mul(x, x.T())
	ways := map[string]func(d *dual, limit int) bool{
		"interior": func(d *dual, limit int) bool { return d.interior(context.Background(), limit, 1e-8) },
		"pairs":    func(d *dual, limit int) bool { return d.pairs(context.Background(), products, limit, 1e-8) },
		"parts": func(d *dual, limit int) bool {
			d.room = 1e9
			return d.pairs(context.Background(), products, limit, 1e-8)
		},
		"single": func(d *dual, limit int) bool { return d.run(context.Background(), limit, 1e-9, 1e-8) },
	}
	var want float64
	for _, name := range []string{"interior", "pairs", "parts", "single"} {
		last := math.Inf(1)
		for _, limit := range []int{1, 2, 5, 20, 50, 20000} {
			d := newDual(task, 0)
			d.threads = 1
			ended := ways[name](d, limit)
			if d.least > last*(1+1e-12) {
				t.Errorf("%s: %v after %d steps, %v with fewer", name, d.least, limit, last)
			}
			last = d.least
			if len(d.path) != d.epochs || d.epochs > limit {
				t.Errorf("%s: %d objectives of %d steps, at most %d", name, len(d.path), d.epochs, limit)
			}
			if limit == 20000 && !ended {
				t.Errorf("%s: no end after %d steps, gap %v", name, d.epochs, d.gap())
			}
		}
		if want == 0 {
			want = last
		}
		if math.Abs(last/want-1) > 1e-6 {
			t.Errorf("%s: objective %v, want %v", name, last, want)
		}
	}
}

// A machine that ran out of steps says so, and how far off it may be.
func TestHingeSaysWhereItEnded(t *testing.T) {
	x, labels, _ := clouds(120, 6, 3, 1, 0.1, 8)
	m := mustFit(t, Hinge{Options: Options{Lambda: 1e-5, MaxSteps: 3, Calibration: NoCalibration}, Power: 1}, x, labels, 3)
	if m.Status() != irls.StepLimit || len(m.Steps()) != 4 || len(m.Warnings()) == 0 || !strings.Contains(m.Warnings()[0], "limit of 3 steps") {
		t.Errorf("%v after %d steps: %q", m.Status(), len(m.Steps())-1, m.Warnings())
	}
}

// Two classes are one machine, f and -f, for every loss.
func TestTwoClassesAreOneMachine(t *testing.T) {
	x, labels, _ := clouds(150, 4, 2, 1, 0.1, 9)
	for _, name := range []string{"square", "hinge", "logistic", "regmaxcem"} {
		for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
			o := Options{Kernel: kernel.Kernel{Kind: kind}, Calibration: NoCalibration}
			m := mustFit(t, studyMachine(name, o), x, labels, 2)
			f := mustScore(t, m, x)
			third := mustScore(t, mustFit(t, studyMachine(name, Options{Kernel: m.kernel, Lambda: m.parts.Lambda, Tol: 1e-9, Calibration: NoCalibration}), x, labels, 3), x) // a class without rows: no twins
			for i := range labels {
				if f.At(i, 0) != -f.At(i, 1) && math.Abs(f.At(i, 0)+f.At(i, 1)) > 1e-12 {
					t.Fatalf("%s %s: scores %v and %v", name, kind, f.At(i, 0), f.At(i, 1))
				}
				if name != "regmaxcem" && math.Abs(f.At(i, 0)-third.At(i, 0)) > 1e-2 {
					t.Fatalf("%s %s: score %v, trained apart %v", name, kind, f.At(i, 0), third.At(i, 0))
				}
			}
		}
	}
}

// Objectives of the squared hinge are liblinear's (LinearSVC), as bench/reference_hinge.py prints them; what liblinear's
// penalty of the intercept costs there is below 1e-6 of it. A linear machine squares by itself, one with a kernel does not.
func TestSquaredHingeReachesTheOptimum(t *testing.T) {
	p, x := readPeers(t)
	for _, c := range []struct{ lambda, objective float64 }{{0.01, 1.309348810}, {0.0001, 1.285847950}, {1e-06, 1.285598717}} {
		m := mustFit(t, Hinge{Options: Options{Lambda: c.lambda, Calibration: NoCalibration}}, x, p.Labels, 3)
		if got := m.Objective(); math.Abs(got-c.objective) > 1e-6*c.objective || m.Status() != irls.Converged {
			t.Errorf("lambda %v: objective %.9f, liblinear %.9f (%v)", c.lambda, got, c.objective, m.Status())
		}
	}
	o := Options{Kernel: kernel.Kernel{Kind: kernel.RBF}, Lambda: 0.01, Calibration: NoCalibration}
	plain, auto := mustFit(t, Hinge{Options: o, Power: 1}, x, p.Labels, 3), mustFit(t, Hinge{Options: o}, x, p.Labels, 3)
	if plain.Objective() != auto.Objective() {
		t.Errorf("with a kernel the objective is %v, by power 1 %v", auto.Objective(), plain.Objective())
	}
}

// Beyond pairRows rows of more than interiorWidth columns one variable moves at a time. The rows and libsvm's objective, which is
// that of its dual to all digits, are those of bench/reference_hinge.py.
func TestHingeOfManyRowsReachesTheOptimum(t *testing.T) {
	x, labels := mat.NewDense(pairRows+200, interiorWidth+2, nil), make([]int, pairRows+200)
	for i := range labels {
		row := x.RawRowView(i)
		for j := range row {
			h := uint32(i*len(row)+j+1) * 2654435761
			h = (h ^ h>>15) * 2246822519
			row[j] = float64((h^h>>13)%2048)/1024 - 1
		}
		if row[0]+row[1]+row[2]+row[3]+row[4]+2*row[5] > 0.3 {
			labels[i] = 1
		}
	}
	m := mustFit(t, Hinge{Options: Options{Lambda: 0.01, Scaling: ScaleNone, Calibration: NoCalibration}, Power: 1}, x, labels, 2)
	const optimum = 0.287495710
	if got := m.Objective() / 2; math.Abs(got-optimum) > 1e-6*optimum || m.Status() != irls.Converged {
		t.Errorf("objective %.9f, libsvm %.9f (%v)", got, optimum, m.Status())
	}
}
