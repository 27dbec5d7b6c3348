package compare

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/score"
)

// The angle of two tensor fits is that of the subspaces that all outer products of their
// factors' columns span, written out.
func TestAngleOfTensorsIsThatOfTheirOuterProducts(t *testing.T) {
	var fits []*Fitted
	for seed := range uint64(2) {
		draw := random.New(seed, "images")
		x := mat.NewDense(20, 5*4, nil)
		for i := range 20 {
			for j := range 20 {
				x.Set(i, j, draw.NormFloat64())
			}
		}
		f, err := Enter(context.Background(), catalog.Entrant{Method: "2dsvd"}, &dataset.Set{Name: "images", X: x, Shape: []int{5, 4}}, map[string]string{"rank": "2x3"}, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, f)
	}
	var written [2]*mat.Dense
	var bases [2][]*mat.Dense
	for k, f := range fits {
		var err error
		if bases[k], err = f.bases(); err != nil {
			t.Fatal(err)
		}
		written[k] = &mat.Dense{}
		written[k].Kronecker(bases[k][0], bases[k][1])
	}
	want, err := score.LargestAngle(written[0], written[1])
	if err != nil {
		t.Fatal(err)
	}
	got, err := fits[0].AngleTo(bases[1]...)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got-want) > 1e-6 || want < 1 {
		t.Errorf("angle %g, of the outer products %g", got, want)
	}
}
