package papers

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/tune"
)

// The faces: how many to learn from, how many of these are spoiled (the paper's 25 of 165),
// and how many components their subspaces have.
const (
	tunedFaces      = 110
	tunedSpoiled    = 17
	tunedComponents = 30
	tunedMostRanks  = 20 // the paper's m_r is 10
	tunedSteps      = 30 // of a fit while settings are tried; final fits have the method's own limit
)

// tunedReducers are the subspace methods with what their tuning varies. m_r is for all of
// them; the paper has it for three.
func tunedReducers() []tunable {
	ranks, rule := whole("m_r", 2, tunedMostRanks), among("sigma", "silverman", "auto")
	axes := map[string][]tune.Axis{
		"pca": nil, "r1-pca": {ranks}, "hq-pca": {ranks, rule}, "pca-gm": {ranks, between("p", 0.1, 0.9, false)}, "pca-kmpe": {ranks, rule, between("p", 1, 10, false)},
	}
	var out []tunable
	for _, r := range kmpeReducers() {
		a, ok := axes[r.method]
		if !ok {
			continue
		}
		t := tunable{method: r.method, fixed: r.params, shared: maps.Clone(r.params), axes: a}
		for _, axis := range a {
			delete(t.shared, axis.Name)
		}
		out = append(out, t)
	}
	own := map[string]string{"scatter": "weighted"}
	return append(out, tunable{method: "pca-robust", fixed: own, shared: own, axes: []tune.Axis{ranks, among("loss", "welsch", "tukey", "huber", "cauchy", "kmpe:p=4", "kmpe:p=10")}})
}

func planTunedFaces(ctx context.Context, e *experiment.Env, f tuningFamily) ([]experiment.Case, error) {
	faces, err := readYale(ctx, e)
	if err != nil {
		return nil, err
	}
	var entrants []experiment.Entrant
	for _, t := range tunedReducers() {
		entrants = append(entrants, t.subspaces(tunedComponents, func(_ context.Context, b *experiment.Bench, s subspace) error {
			clean := b.Data.(*divided).test.X
			b.Score(f.score, s.reconstructionError(clean, clean))
			return nil
		})...)
	}
	var out []experiment.Case
	for k, kind := range []string{"occlusion", "dummy"} {
		spec := fmt.Sprintf("%s:%d", kind, tunedSpoiled)
		out = append(out, experiment.Case{Data: f.data(f.sets[0], f.dirt[k]), Stream: "tuning faces", Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
			order := dataset.Random(seed, "tuning faces").Perm(faces.Rows())
			seen, _, err := corrupt.Apply(faces.Subset(order[:tunedFaces]), spec, seed)
			if err != nil {
				return nil, err
			}
			return spanned(seen, faces.Subset(order[tunedFaces:]))
		}})
	}
	return out, nil
}

// spanned gives the same faces in coordinates of the space that all of them span, 165 in
// place of thousands of pixels. Every method depends on inner products alone, so nothing
// changes but the time.
func spanned(train, test *dataset.Set) (*divided, error) {
	var all mat.Dense
	all.Stack(train.X, test.X)
	var svd mat.SVD
	if !svd.Factorize(&all, mat.SVDThin) {
		return nil, fmt.Errorf("the singular values of %s were not found", train.Name)
	}
	var v mat.Dense
	svd.VTo(&v)
	_, rank := v.Dims()
	columns := make([]string, rank)
	for j := range columns {
		columns[j] = fmt.Sprint("x", j+1)
	}
	project := func(s *dataset.Set) *dataset.Set {
		var out mat.Dense
		linalg.Mul(&out, s.X, &v)
		return &dataset.Set{Name: s.Name, X: &out, Columns: columns}
	}
	return &divided{project(train), project(test)}, nil
}

// subspaces are the entrants of a subspace method: as it is, and tuned. With m components its
// subspace of the training rows is noted.
func (t tunable) subspaces(m int, note func(ctx context.Context, b *experiment.Bench, s subspace) error) []experiment.Entrant {
	finish := func(ctx context.Context, b *experiment.Bench, params map[string]string) error {
		return reducer{t.method, t.method, params, true}.ladder(ctx, b, trainOf(b), []int{m}, func(_ int, s subspace) error { return note(ctx, b, s) })
	}
	return t.unsupervised(map[string]string{"components": strconv.Itoa(m)}, finish)
}

// unsupervised are the entrants of a method that reduces rows to a size: as it is, and tuned.
func (t tunable) unsupervised(size map[string]string, finish func(ctx context.Context, b *experiment.Bench, params map[string]string) error) []experiment.Entrant {
	return []experiment.Entrant{
		{Name: t.title(), Params: t.fixed, Run: func(ctx context.Context, b *experiment.Bench) error { return finish(ctx, b, t.fixed) }},
		{Name: tunedName(t.title()), Params: budget{tuningDraws, tuningFolds}.params(), Run: func(ctx context.Context, b *experiment.Bench) error {
			var best map[string]string
			err := b.Time(func() (err error) {
				best, err = t.searchReduction(ctx, trainOf(b), size, b.Seed)
				return err
			})
			if err != nil {
				return err
			}
			for _, a := range t.axes {
				if v, err := strconv.ParseFloat(best[a.Name], 64); err == nil {
					b.Score("chosen "+a.Name, v)
				}
			}
			return finish(ctx, b, best)
		}},
	}
}

// searchReduction draws settings and keeps the one whose reductions to the given size have the
// smallest mean distance from rows that they were not learned from. Dirt among these rows is as
// far from one subspace as from another.
func (t tunable) searchReduction(ctx context.Context, set *dataset.Set, size map[string]string, seed uint64) (map[string]string, error) {
	if len(t.axes) == 0 { // nothing to choose
		return t.fixed, nil
	}
	method, err := catalog.Lookup(t.method)
	if err != nil {
		return nil, err
	}
	folds, err := dataset.Folds(set, tuningFolds, dataset.SplitRules{}, seed)
	if err != nil {
		return nil, err
	}
	r := dataset.Random(seed, "tuned subspaces")
	var best map[string]string
	least := math.Inf(1)
	tried := map[string]bool{}
	for range tuningDraws {
		params := maps.Clone(t.shared)
		setting := ""
		for _, a := range t.axes {
			params[a.Name] = draw(a, r.Float64())
			setting += params[a.Name] + " "
		}
		if tried[setting] { // drawn before: it would come out the same
			continue
		}
		tried[setting] = true
		maps.Copy(params, size)
		params["max-steps"] = strconv.Itoa(tunedSteps)
		var distances []float64
		for _, f := range folds {
			m, err := method.Fit(ctx, set.Subset(f.Train).Source(), params, catalog.Run{Seed: seed})
			if err != nil {
				return nil, err
			}
			test := set.Subset(f.Test).X
			back, err := m.(catalog.Transformer).Reconstruct(ctx, test)
			if err != nil {
				return nil, err
			}
			back.Sub(test, back)
			for i := range f.Test {
				distances = append(distances, mat.Norm(back.RowView(i), 2))
			}
		}
		if d := experiment.Summarise(distances).Mean; d < least {
			best, least = params, d
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no setting of %s could be judged", t.method)
	}
	maps.DeleteFunc(best, func(name, _ string) bool { return name == "max-steps" || size[name] != "" })
	return best, ctx.Err()
}

// draw is the value of an axis at a place between 0 and 1.
func draw(a tune.Axis, at float64) string {
	switch {
	case a.High <= a.Low:
		return a.Values[int(at*float64(len(a.Values)))]
	case a.Integer:
		return strconv.Itoa(int(a.Low + at*(a.High-a.Low+1)))
	case a.Log:
		return strconv.FormatFloat(a.Low*math.Pow(a.High/a.Low, at), 'g', 4, 64)
	}
	return strconv.FormatFloat(a.Low+at*(a.High-a.Low), 'g', 4, 64)
}
