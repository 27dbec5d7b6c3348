package cluster

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/internal/fixture"
	"gonum.org/v1/gonum/mat"
)

// The same starts and steps give what scikit-learn's Lloyd gives; the file names the
// script and the versions that made it.
func TestLloydAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile(fixture.Path(t, "sklearn_kmeans.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name    string
			X       [][]float64
			Weights []float64
			Start   [][]float64
			Runs    []struct {
				MaxSteps int `json:"max_steps"`
				Steps    int
				Centers  [][]float64
				Labels   []int
				Inertia  float64
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		x := rowsToDense(c.X)
		for _, run := range c.Runs {
			t.Run(fmt.Sprint(c.Name, run.MaxSteps), func(t *testing.T) {
				m := mustFit(t, cluster.KMeans{Centers: c.Start, MaxSteps: run.MaxSteps, Tol: -1, Weights: c.Weights}, x)
				if !mat.EqualApprox(m.Centers(), rowsToDense(run.Centers), 1e-9*(1+mat.Max(m.Centers()))) {
					t.Errorf("centers\n%v\n%v", mat.Formatted(m.Centers()), run.Centers)
				}
				if !slices.Equal(m.Labels(), run.Labels) {
					t.Error("other labels")
				}
				if math.Abs(m.Inertia()-run.Inertia) > 1e-7*run.Inertia {
					t.Errorf("inertia %v, not %v", m.Inertia(), run.Inertia)
				}
				if s := m.Steps(); s[len(s)-1].Number != run.Steps {
					t.Errorf("%d steps, not %d", s[len(s)-1].Number, run.Steps)
				}
			})
		}
	}
}
