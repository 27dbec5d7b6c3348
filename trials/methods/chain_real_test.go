package methods

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/score"
)

// benchmarkSet reads a set of the benchmark data, or skips the test.
func benchmarkSet(t *testing.T, opts file.Options, path ...string) *dataset.Set {
	t.Helper()
	root := os.Getenv("INLIER_DATA")
	if root == "" {
		t.Skip("INLIER_DATA does not name the folder of the benchmark data")
	}
	s, err := file.Read(context.Background(), filepath.Join(append([]string{root}, path...)...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Table I of the corr-tensor paper: 500 digits of each kind, 5 % of them 50 times too
// bright, nearest center on 15 x 15 cores. The paper has 0.7655 for its method, which fits
// the spectral norm (0.75 here); with the Frobenius norm 0.81 is reached. Centers in which
// every row counts, the paper's benchmarks, end at 0.24.
func TestNearestCenterOnMNIST(t *testing.T) {
	train := benchmarkSet(t, file.Options{Target: "label"}, "mnist", "train-images-idx3-ubyte.gz")
	test := benchmarkSet(t, file.Options{Target: "label"}, "mnist", "t10k-images-idx3-ubyte.gz")
	part, err := dataset.PerClass(train, 500, 1)
	if err != nil {
		t.Fatal(err)
	}
	small := train.Subset(part.Train)
	train = nil
	dirty, _, err := corrupt.Apply(small, "scale:0.05,factor=50", 1)
	if err != nil {
		t.Fatal(err)
	}
	accuracy := func(params map[string]string) float64 {
		m := fitByName(t, "nearest-center", dirty, params)
		p, err := m.(catalog.Predictor).Predict(context.Background(), test.X)
		if err != nil {
			t.Fatal(err)
		}
		a, err := score.Accuracy(test.Target.Labels, p.Labels)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %.4f", params, a)
		return a
	}
	for _, c := range []struct {
		params      map[string]string
		least, most float64
	}{
		{map[string]string{"weights": "none"}, 0, 0.4},
		{map[string]string{"reduce": "2dsvd", "reduce.rank": "15x15", "weights": "none"}, 0, 0.4},
		{map[string]string{}, 0.81, 0.84},
		{map[string]string{"reduce": "corr-2dsvd", "reduce.rank": "15x15"}, 0.81, 0.84},
		{map[string]string{"reduce": "2dsvd", "reduce.rank": "15x15"}, 0.80, 0.84},
	} {
		if a := accuracy(c.params); a < c.least || a > c.most {
			t.Errorf("%v: accuracy %.4f", c.params, a)
		}
	}
}

// Nearest subspace on clean digits: far better than centers, and one fit per class.
func TestNearestSubspaceOnMNIST(t *testing.T) {
	train := benchmarkSet(t, file.Options{Target: "label"}, "mnist", "t10k-images-idx3-ubyte.gz")
	p, err := dataset.Split(train, 0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	fit, check := train.Subset(p.Train), train.Subset(p.Test)
	m := fitByName(t, "nearest-subspace", fit, map[string]string{"reduce": "pca", "reduce.components": "15"})
	got, err := m.(catalog.Predictor).Predict(context.Background(), check.X)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := score.Accuracy(check.Target.Labels, got.Labels); err != nil || a < 0.93 {
		t.Errorf("accuracy %.4f, %v", a, err)
	}
}

// The first hundred ORL faces are ten people, as in Table III of the corr-tensor paper. The
// start decides more than the reduction: density peaks end at 0.83 for 2DSVD and
// Corr-2DSVD alike (the paper: 0.75 and 0.69 to 0.93), the best of ten kmeans++ at 0.98.
func TestORLPeople(t *testing.T) {
	faces := benchmarkSet(t, file.Options{Resize: "64x64", Gray: true}, "orl")
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i
	}
	first := faces.Subset(hundred)
	for _, reducer := range []string{"2dsvd", "corr-2dsvd"} {
		for init, least := range map[string]float64{"density-peaks": 0.8, "kmeans++": 0.9} {
			d := fitByName(t, "kmeans", first, map[string]string{"init": init, "reduce": reducer, "reduce.rank": "30x30"}).Describe()
			t.Logf("%s after %s: accuracy %.2f, nmi %.3f", init, reducer, d.Numbers["matched_accuracy"], d.Numbers["nmi_mean"])
			if d.Numbers["matched_accuracy"].(float64) < least || d.Parameters["clusters"] != "10" {
				t.Errorf("%s: %v", init, d.Numbers)
			}
		}
	}
}
