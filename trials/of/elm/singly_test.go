package elm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// Radial nodes on the yachts, a table of 22 hulls with some far from the others: the penalty went to its floor,
// and new rows of the same hulls were off by up to a hundred spreads of the target.
func TestRadialNodesOnFewPlaces(t *testing.T) {
	x, y := regressionFile(t, "yacht")
	n, _ := x.Dims()
	for scaling, most := range map[elm.Scaling]float64{elm.ScaleStandard: 0.2, elm.ScaleRobust: 0.75} {
		for seed := range uint64(3) {
			order := rand.New(rand.NewPCG(seed, 991)).Perm(n)
			train, test := order[:n*7/10], order[n*7/10:]
			m, err := elm.Ridge{elm.Options{Seed: seed, Activation: elm.Gaussian, Scaling: scaling, Clip: -20}}.Fit(t.Context(), linalg.FromDense(pick(x, train)), pick(y, train))
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(t.Context(), pick(x, test))
			if err != nil {
				t.Fatal(err)
			}
			p.Sub(p, pick(y, test))
			if off := math.Sqrt(meanSquareOf(p)) / 15.1; off > most { // the target's standard deviation
				t.Errorf("%s, seed %d: new rows are off by %.2f spreads of the target, penalty %g", scaling, seed, off, m.Lambda())
			}
		}
	}
}
