package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/tensor"
)

// gemanMcClure is a loss of one's own: any type with these two methods.
type gemanMcClure struct{}

func (gemanMcClure) Rho(s float64) float64    { return s / (1 + s) }
func (gemanMcClure) Weight(s float64) float64 { return 1 / (1 + s) / (1 + s) }

// copied is one of Inlier's losses behind the two methods that a loss must have, and its name.
type copied struct{ l loss.Scaled }

func (c copied) Rho(s float64) float64    { return c.l.Rho(s) }
func (c copied) Weight(s float64) float64 { return c.l.Weight(s) }
func (c copied) String() string           { return "copy of " + c.l.String() }

// told is the same with what it may tell beside: the slope of its weight and the bandwidth,
// which is found to more digits than Inlier's constants have.
type told struct {
	copied
	tuning float64
}

func (c told) Slope() float64  { return c.l.Slope() }
func (c told) Tuning() float64 { return c.tuning }

// A copy of one of our losses gives the same fit as ours in every family, with an open
// bandwidth and with a fixed one.
func TestOwnLossInEveryFamily(t *testing.T) {
	ctx := context.Background()
	draw := rand.New(rand.NewPCG(3, 1))
	const n, d = 40, 6
	x, y, target := mat.NewDense(n, d, nil), make([]float64, n), mat.NewDense(n, 1, nil)
	classes := make([]int, n)
	for i := range n {
		a, b := draw.NormFloat64(), draw.NormFloat64()
		for j := range d {
			x.Set(i, j, 3*a*float64(j)-b*float64(j*j%4)+0.1*draw.NormFloat64())
		}
		classes[i] = i % 2
		x.Set(i, 0, x.At(i, 0)+9*float64(i%2))
		y[i] = 1 + a - b + 0.05*draw.NormFloat64()
		if i%9 == 4 {
			x.Set(i, 3, 40)
			y[i] = 30
		}
		target.Set(i, 0, y[i])
	}
	src := linalg.FromDense(x)
	families := map[string]func(l loss.Loss) (any, []float64, error){
		"pca": func(l loss.Loss) (any, []float64, error) {
			m, err := pca.Robust{Options: pca.Options{Components: 2}, Loss: l}.Fit(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), append(m.Mean(), m.Weights()...), nil
		},
		"linear": func(l loss.Loss) (any, []float64, error) {
			m, err := linear.Robust{Loss: l}.Fit(ctx, linalg.FromDense(x), y)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), append(m.Coef(), m.Weights()...), nil
		},
		"elm": func(l loss.Loss) (any, []float64, error) {
			m, err := elm.Robust{Options: elm.Options{Hidden: 8, Lambda: 1e-3}, Loss: l}.Fit(ctx, src, target)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), m.EntryWeights().RawMatrix().Data, nil
		},
		"tensor": func(l loss.Loss) (any, []float64, error) {
			m, err := tensor.Robust{Options: tensor.Options{Shape: []int{2, 3}, Rank: []int{1, 2}}, Loss: l}.Fit(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), m.Weights(), nil
		},
		"cluster": func(l loss.Loss) (any, []float64, error) {
			m, err := cluster.Robust{KMeans: cluster.KMeans{Clusters: 2, Loss: l}}.Fit(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), append(m.Centers().RawMatrix().Data, m.Weights()...), nil
		},
		"classify": func(l loss.Loss) (any, []float64, error) {
			m, err := classify.RegMaxCEM{Loss: l, Options: classify.Options{Calibration: classify.NoCalibration}}.Fit(ctx, linalg.FromDense(x), classes, 2)
			if err != nil {
				return nil, nil, err
			}
			return m.Loss(), append(m.State().Arrays["coef"].Data, m.Weights()...), nil
		},
		"nearest": func(l loss.Loss) (any, []float64, error) {
			m, err := nearest.Centers{Loss: l}.Fit(ctx, linalg.FromDense(x), classes, 2)
			if err != nil {
				return nil, nil, err
			}
			return nil, m.Centers().RawMatrix().Data, nil
		},
	}
	for _, c := range []struct {
		text   string
		tuning float64
	}{{"cauchy", 2.385}, {"kmpe:p=3", 2.11}} {
		ours := loss.MustParse(c.text)
		var mine loss.Loss = copied{ours.At(1)}
		all := told{copied{ours.At(1)}, c.tuning}
		if all.Slope() != 1 {
			mine = all
		}
		for _, l := range []loss.Loss{mine, all} {
			if err := loss.Check(l); err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
		}
		for name, fit := range families {
			for _, width := range []float64{0, 1.5} {
				a, b := loss.Loss(ours), loss.Loss(all)
				if width > 0 {
					spec, err := loss.Specify(mine, loss.Spec{})
					if err != nil {
						t.Fatal(err)
					}
					a, b = ours.WithRule(loss.FixedAt(width)), spec.WithRule(loss.FixedAt(width))
				}
				_, want, err := fit(a)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, c.text, err)
				}
				used, got, err := fit(b)
				if err != nil {
					t.Errorf("%s, own %s: %v", name, c.text, err)
					continue
				}
				if used != nil && !strings.HasPrefix(fmt.Sprint(used), "own:copy of "+ours.Name()) {
					t.Errorf("%s, own %s: the loss is called %v", name, c.text, used)
				}
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) {
						t.Errorf("%s, own %s, width %g: number %d is %v, not %v", name, c.text, width, k, got[k], want[k])
						break
					}
				}
			}
		}
	}
}

// A model that was learned with a loss of one's own comes back where the loss is known, and
// says what to do where it is not.
func TestOwnLossIsKept(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 1))
	x := mat.NewDense(30, 3, nil)
	for i := range 30 {
		x.SetRow(i, []float64{float64(i), 2*float64(i) + draw.NormFloat64(), draw.NormFloat64()})
	}
	m, err := pca.Robust{Loss: gemanMcClure{}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pca.Restore(m.State()); err == nil || !strings.Contains(err.Error(), "loss.Register") {
		t.Errorf("an unknown loss: %v", err)
	}
	loss.Register(gemanMcClure{})
	back, err := pca.Restore(m.State())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := m.Loss(), back.Loss(); a.String() != b.String() || a.Weight(2) != b.Weight(2) {
		t.Errorf("%v came back as %v", a, b)
	}
}

// unknown is a loss that nobody registers.
type unknown struct{ gemanMcClure }

func (unknown) String() string { return "mine, not yours" }

// A model whose loss is not registered is whole: the error names the loss and says what to do.
func TestModelOfALossThatIsNotRegistered(t *testing.T) {
	ctx := context.Background()
	x := parts(t).X
	src := linalg.FromDense(x)
	flat, err := pca.Robust{Loss: unknown{}, Options: pca.Options{Components: 1}}.Fit(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	line, err := linear.Robust{Loss: unknown{}}.Fit(ctx, src, mat.Col(nil, 1, x))
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/m.npz"
	for name, use := range map[string]struct {
		save func(string) error
		load func(string) error
	}{
		"pca":    {flat.Save, func(p string) error { _, err := pca.Load(p); return err }},
		"linear": {line.Save, func(p string) error { _, err := linear.Load(p); return err }},
		"any":    {line.Save, func(p string) error { _, err := model.Load(p); return err }},
	} {
		if err := use.save(path); err != nil {
			t.Fatal(err)
		}
		err := use.load(path)
		var missing *refusal.LossError
		if !errors.As(err, &missing) || missing.Name != "mine, not yours" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := err.Error(); strings.Contains(text, "damaged") || !strings.Contains(text, `"mine, not yours"`) || !strings.Contains(text, "loss.Register") || !strings.Contains(text, path) {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok := inlier.AsError(err); !ok {
			t.Errorf("%s: no mistake of the user's", name)
		}
	}
}
