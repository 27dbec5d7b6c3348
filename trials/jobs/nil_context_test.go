package jobs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/tune"
)

// A nil context is one that never ends, for jobs and for typed models.
func TestNilContext(t *testing.T) {
	var none context.Context
	x, y := mat.NewDense(40, 4, nil), make([]float64, 40)
	labels, targets := make([]int, 40), mat.NewDense(40, 1, nil)
	for i := range 40 {
		for j := range 4 {
			x.Set(i, j, float64((i*(j+7)+j*j)%11)+float64(4*(i%2)))
		}
		y[i], labels[i] = x.At(i, 0)+float64(i%3), i%2
		targets.Set(i, 0, y[i])
	}
	src := linalg.FromDense(x)
	data := func(target string) inlier.Data {
		return inlier.Data{Reader: strings.NewReader(readings(40)), Target: target}
	}
	set, err := inlier.Generate{Name: "blobs"}.Run(none, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "readings.csv")
	if err := os.WriteFile(path, []byte(readings(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"file.Read":    func() error { _, err := file.Read(none, path, file.Options{}); return err },
		"file.Inspect": func() error { _, _, err := file.Inspect(none, path, file.Options{}); return err },
		"file.Source": func() error {
			source, err := file.OpenContext(none, path, file.Options{})
			if err != nil {
				return err
			}
			_, err = source.Count(none)
			return err
		},
		"tune.Refit": func() error {
			method, err := catalog.Lookup("square")
			if err != nil {
				return err
			}
			search := tune.Search{Method: method, Axes: []tune.Axis{}, Folds: 2}
			found, err := search.Run(none, set.Set)
			if err != nil {
				return err
			}
			_, err = search.Refit(none, set.Set, found.Trials[0].Candidate, catalog.Run{})
			return err
		},
		"pca.Robust":      func() error { _, err := pca.Robust{}.Fit(none, src); return err },
		"pca.Classic":     func() error { _, err := pca.Classic{}.Fit(none, src); return err },
		"pca.L1":          func() error { _, err := pca.L1{}.Fit(none, src); return err },
		"pca.Correntropy": func() error { _, err := pca.Correntropy{}.Fit(none, src); return err },
		"linear":          func() error { _, err := linear.Robust{}.Fit(none, src, y); return err },
		"elm":             func() error { _, err := elm.Robust{}.Fit(none, src, targets); return err },
		"classify":        func() error { _, err := classify.RegMaxCEM{}.Fit(none, src, labels, 2); return err },
		"logistic":        func() error { _, err := classify.Logistic{}.Fit(none, src, labels, 2); return err },
		"cluster.KMeans":  func() error { _, err := cluster.KMeans{Clusters: 2}.Fit(none, src); return err },
		"cluster.Robust":  func() error { _, err := cluster.Robust{KMeans: cluster.KMeans{Clusters: 2}}.Fit(none, src); return err },
		"density peaks":   func() error { _, err := cluster.DensityPeaks{}.Fit(none, src); return err },
		"nearest":         func() error { _, err := nearest.Centers{}.Fit(none, src, labels, 2); return err },
		"tensor": func() error {
			_, err := tensor.Robust{Options: tensor.Options{Shape: []int{2, 2}}}.Fit(none, src)
			return err
		},
		"job fit":     func() error { _, err := inlier.Fit{Data: data("")}.Run(none, nil); return err },
		"job corrupt": func() error { _, err := inlier.Corrupt{Data: data(""), Spec: "rows:0.1"}.Run(none, nil); return err },
		"job compare": func() error {
			_, err := inlier.Compare{Data: data(""), Parameters: catalog.Parameters{"components": "1"}}.Run(none, nil)
			return err
		},
		"job tune": func() error {
			_, err := inlier.Tune{Method: "square", Data: inlier.Data{Set: set.Set}, Grid: []string{"lambda=0.1,1"}, Folds: 2}.Run(none, nil)
			return err
		},
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The floors below keep the same rule: passes over rows, and what models do beside judging.
func TestNilContextBelow(t *testing.T) {
	var none context.Context
	x := mat.NewDense(30, 4, nil)
	for i := range 30 {
		for j := range 4 {
			x.Set(i, j, float64((i*(j+5)+j)%9))
		}
	}
	src := linalg.FromDense(x)
	stream := linalg.Changed(src, func(*mat.Dense) bool { return true }, func([]float64) {})
	plane, err := pca.Classic{Options: pca.Options{Components: 2}}.Fit(none, src)
	if err != nil {
		t.Fatal(err)
	}
	images, err := tensor.SVD2D{Options: tensor.Options{Shape: []int{2, 2}}}.Fit(none, src)
	if err != nil {
		t.Fatal(err)
	}
	scores, _ := plane.Transform(none, x)
	cores, _ := images.Transform(none, x)
	labels := make([]int, 30)
	for name, run := range map[string]func() error{
		"Scan":                  func() error { return src.Scan(none, func(int, *mat.Dense) error { return nil }) },
		"Load":                  func() error { _, err := linalg.Load(none, stream); return err },
		"Hold":                  func() error { _, err := linalg.Hold(none, stream, 1000); return err },
		"Gather":                func() error { _, err := linalg.Gather(none, stream, []int{1, 3}); return err },
		"Usable":                func() error { return linalg.Usable(none, stream) },
		"WeightedMean":          func() error { _, _, err := linalg.WeightedMean(none, src, nil); return err },
		"WeightedMoments":       func() error { _, _, _, err := linalg.WeightedMoments(none, stream, nil); return err },
		"Ridge":                 func() error { _, err := linalg.Ridge(none, x, x, nil, 1); return err },
		"Inverse":               func() error { _, err := plane.Inverse(none, scores); return err },
		"Inverse of cores":      func() error { _, err := images.Inverse(none, cores); return err },
		"Errors":                func() error { _, err := images.Errors(none, x); return err },
		"GeneralizedSampleMean": func() error { _, err := pca.GeneralizedSampleMean(none, src, 0.3, "", nil); return err },
		"Similarity":            func() error { _, _, err := cluster.Similarity(none, x, labels); return err },
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
