package classify

import (
	"context"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/kernel"
)

// The scores by which a label is judged have not seen it: another label changes nothing of its own row's, to the last digit, with the same dealing.
func TestHeldOutScoresDoNotSeeTheLabel(t *testing.T) {
	x, labels, _ := clouds(90, 4, 3, 1.6, 0.1, 31)
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		o, err := Options{Kernel: kernel.Kernel{Kind: kind}, Lambda: 0.005}.filled()
		if err != nil {
			t.Fatal(err)
		}
		g, err := newDesign(t.Context(), x, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []machine{Square{o}, Logistic{Options: o}, Hinge{Options: o}, RegMaxCEM{Options: o, Variant: PerRow, Sigma: DefaultSigma, Anneal: 4, Rule: SigmaAuto}} {
			scores := func(labels []int, parts [][]float64) (*heldOut, [][]float64) {
				task := newTask(g.a, labels, 3, slices.Repeat([]float64{1}, len(labels)), o)
				if task.kernel = g.own; parts == nil {
					parts = task.parts()
				}
				held, err := task.hold(context.Background(), m, parts, nil)
				if err != nil {
					t.Fatal(err)
				}
				return held, parts
			}
			before, parts := scores(labels, nil)
			other := slices.Clone(labels)
			other[7] = (other[7] + 1) % 3
			after, _ := scores(other, parts)
			e := slices.Index(before.rows, 7)
			if !slices.Equal(before.scores[3*e:3*e+3], after.scores[3*e:3*e+3]) {
				t.Errorf("%s %s: %v with one label, %v with another", m.name(), kind, before.scores[3*e:3*e+3], after.scores[3*e:3*e+3])
			}
		}
	}
}
