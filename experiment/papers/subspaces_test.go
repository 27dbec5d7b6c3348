package papers

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
)

// Reducers that fit once for all numbers of components have, for each, what a fit with that
// number has.
func TestLaddersAgreeWithSingleFits(t *testing.T) {
	made, err := synthetic.Generate("low-rank", map[string]string{"n": "70", "d": "150", "fraction": "0.1"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	projector := func(s subspace) *mat.Dense {
		var p mat.Dense
		p.Mul(s.basis, s.basis.T())
		return &p
	}
	note := func(ctx context.Context, b *experiment.Bench, r reducer) error {
		sliced := map[int]*mat.Dense{}
		ms := []int{12, 15} // above m_r: with m = m_r components a fit makes one solve less
		if err := r.ladder(ctx, b, made.Set, ms, func(m int, s subspace) error { sliced[m] = projector(s); return nil }); err != nil {
			return err
		}
		for _, m := range ms {
			err := r.ladder(ctx, b, made.Set, []int{m}, func(m int, s subspace) error {
				var d mat.Dense
				d.Sub(projector(s), sliced[m])
				b.Score(at("apart", float64(m)), mat.Norm(&d, 2))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	var entrants []experiment.Entrant
	for _, r := range append(kmpeReducers(), ownFaceReducers()...) {
		if r.each {
			continue
		}
		entrants = append(entrants, experiment.Entrant{Name: r.name, Run: func(ctx context.Context, b *experiment.Bench) error { return note(ctx, b, r) }})
	}
	spec := &experiment.Spec{ID: "ladders", Plan: func(context.Context, *experiment.Env) ([]experiment.Case, error) {
		return []experiment.Case{{Data: "low rank", Entrants: entrants}}, nil
	}}
	records, err := experiment.Run(t.Context(), spec, experiment.Settings{Env: &experiment.Env{}, Repeats: 1, Journal: filepath.Join(t.TempDir(), "ladders.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Failure != "" || len(r.Scores) != 2 {
			t.Errorf("%s: %s", r.Method, r.Failure)
		}
		for name, apart := range r.Scores {
			if !(apart < 1e-6) {
				t.Errorf("%s, %s: a slice of the largest fit is %.2g from a fit of its own", r.Method, name, float64(apart))
			}
		}
	}
}

// Fig. 2 of pca-gm, computed again by others over many draws: the objective is smallest at 49.9
// degrees (deviation 2.6), the first step from 30 leads to 32.9 (2.4), PCA to 58.8 (4.6).
func TestAnglesOfTheLine(t *testing.T) {
	const draws = 40
	sums, squares := [3]float64{}, [3]float64{}
	for seed := range uint64(draws) {
		made, err := synthetic.Generate("toy-line", nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLine(t.Context(), made.Set.X)
		if err != nil {
			t.Fatal(err)
		}
		plain := &line{rows: less(made.Set.X, columnMeans(made.Set.X))}
		for k, angle := range []float64{l.minimum(linePower), l.step(lineFrom, linePower), plain.leading(func(int) float64 { return 1 })} {
			sums[k] += angle / draws
			squares[k] += angle * angle / draws
		}
	}
	for k, want := range []struct{ mean, sd float64 }{{49.9, 2.6}, {32.9, 2.4}, {58.8, 4.6}} {
		sd := math.Sqrt(squares[k] - sums[k]*sums[k])
		if math.Abs(sums[k]-want.mean) > 4*want.sd/math.Sqrt(draws) || math.Abs(sd-want.sd) > 0.3*want.sd {
			t.Errorf("angle %d: %.1f with deviation %.1f; others have %.1f and %.1f", k, sums[k], sd, want.mean, want.sd)
		}
	}
}
