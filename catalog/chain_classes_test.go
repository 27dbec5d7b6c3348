package catalog

import (
	"context"
	"testing"

	"github.com/inlier-ml/inlier/verdict"
)

// A class that lies off the subspace of the others as a whole is where it is: neither its
// training rows nor new ones are outliers for that, also after reading the model.
func TestClassOffTheSubspaceIsSpared(t *testing.T) {
	m, err := Lookup("nearest-center")
	if err != nil {
		t.Fatal(err)
	}
	apart := 0
	for seed := range uint64(12) {
		for _, loss := range []string{"welsch", "tukey"} {
			e := entrant{"", m, map[string]string{"reduce": "pca-robust", "reduce.components": "2", "reduce.loss": loss}, "classes"}
			model, err := e.attempt(context.Background(), generate("classes", 30, seed+1), Run{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := model.State().Arrays[apartArray]; !ok {
				continue
			}
			apart++
			fresh := generate("classes", 300, 99)
			for _, one := range []Model{model, whole(t, m, model)} {
				o, off := judged(t, one, fresh), make([]int, 3)
				for i, kind := range o.Kind {
					if kind == verdict.OffSubspace {
						off[fresh.Target.Labels[i]]++
					}
				}
				for k, count := range off {
					if count > 50 {
						t.Errorf("seed %d, %s: %d of 100 new rows of class %d are off the subspace", seed, loss, count, k)
					}
				}
			}
		}
	}
	if apart == 0 {
		t.Error("no class lies apart: the test needs one")
	}
}
