package methods

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// withThirty is how far from the nominal share new rows may be where 30 rows were learned
// from: 6 points, more where each of several limits rests on a few of them.
func withThirty(e entrant) float64 {
	if e.method.Name == "correntropy-pca" {
		return 0.1 // scores that hold each row's own kernel
	}
	return 0.06
}

// nominal is the share of clean rows that an entrant means to flag; 0 where it names none.
func nominal(e entrant) float64 {
	switch {
	case e.params["trim"] != "":
		return 0 // the trimmed share, whatever it is made of
	case e.method.Name == "linear-robust", e.method.Family == "elm" && e.world == "line":
		return math.Erfc(2.5 / math.Sqrt2) // residuals beyond 2.5 standard deviations
	case e.method.Family == "pca", e.method.Family == "tensor":
		return 1 - 0.975*0.975 // two distances
	case e.method.Family == "correntropy-pca", e.method.Family == "cluster":
		return 0.025
	case e.params["reduce"] != "":
		return 1 - 0.975*0.975 // off the subspace, or far from the class
	case e.method.Family == "chain":
		return 0.025
	}
	return 0 // a doubtful label is no share of a population
}

// population is a kind of clean data of which new rows can be drawn.
type population struct {
	entrant
	name string
	draw func(n int, seed uint64) *dataset.Set
	few  bool // with many rows it is another population's: left to the long form
}

// populations are the entrants in their worlds, and the shapes in which the limits of the
// training rows themselves would be far too narrow.
func populations(t *testing.T) []population {
	var out []population
	for _, e := range entrants(t) {
		if nominal(e) > 0 {
			out = append(out, population{entrant: e, name: e.name, draw: func(n int, seed uint64) *dataset.Set { return generate(e.world, n, seed) }})
		}
	}
	for _, e := range entrants(t) {
		seeds := func(seed uint64) (g, fixed *rand.Rand) {
			return rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(5, 6))
		}
		switch e.name {
		case "tensor-robust":
			out = append(out, population{entrant: e, name: "tensor-robust,20x20", draw: func(n int, seed uint64) *dataset.Set {
				g, fixed := seeds(seed)
				return lowRankImages(n, 20, 20, 3, g, fixed)
			}})
			auto := out[len(out)-1]
			auto.name, auto.params, auto.few = auto.name+",rank=auto", nil, true
			out = append(out, auto)
		case "pca-robust":
			out = append(out, population{entrant: e, name: "pca-robust,wide", draw: func(n int, seed uint64) *dataset.Set {
				g, fixed := seeds(seed)
				return lowRank(n, 150, 2, g, fixed)
			}})
		}
	}
	return out
}

// New clean rows are flagged as often as the limits say: within 2 points of the nominal
// share from 100 rows on, and not much more often with 30.
func TestShareOfNewCleanRowsFlagged(t *testing.T) {
	linalg.SetThreads(1)
	defer linalg.SetThreads(0)
	t.Run("every", func(t *testing.T) {
		for _, p := range populations(t) {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.check(t)
			})
		}
	})
}

func (p population) check(t *testing.T) {
	fresh := p.draw(2000, 1000)
	want := nominal(p.entrant)
	for _, size := range []struct {
		n, fits int
		within  float64
	}{{30, 8, withThirty(p.entrant)}, {100, 5, 0.02}, {1000, 1, 0.02}} {
		if size.n >= 1000 && p.few && !everything() {
			continue
		}
		share := 0.0
		for k := range size.fits {
			m, err := p.attempt(context.Background(), p.draw(size.n, uint64(k+1)), catalog.Run{Seed: uint64(k)})
			if err != nil {
				t.Fatalf("n = %d: %v", size.n, err)
			}
			share += float64(judged(t, m, fresh).Count()) / float64(fresh.Rows()) / float64(size.fits)
		}
		t.Logf("%s, n = %d: %.1f %% of new clean rows are flagged, %.1f %% are meant", p.name, size.n, 100*share, 100*want)
		if math.Abs(share-want) > size.within {
			t.Errorf("n = %d: %.1f %% of new clean rows are flagged, %.1f %% are meant", size.n, 100*share, 100*want)
		}
	}
}
