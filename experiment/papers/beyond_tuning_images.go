package papers

import (
	"context"
	"fmt"
	"maps"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/tune"
)

// tunedImageRank is how many numbers per side are kept of the images, 64 x 64 pixels.
const tunedImageRank = "30x30"

// orderP is Corr-2DSVD with the order p of the paper's section VI, which makes its loss KMPE's.
const orderP = "corr-2dsvd, order p"

// tunedImages are the methods for images with what their tuning varies. A smaller rank for the
// weights is for all that have weights. Bandwidths are in units of the median norm of the images
// less their mean.
func tunedImages() []tunable {
	ranks := among("learn-rank", "6x6", "12x12", "18x18", "24x24", "off")
	shape, width, order := between("alpha", 0.5, 6, true), between("beta", 0.2, 2, true), between("p", 1, 10, false)
	corr := func(name string, axes ...tune.Axis) tunable {
		t := tunable{name: name, method: "corr-2dsvd", fixed: map[string]string{"start": "classic", "alpha": "1.6", "beta": "0.8"}, shared: map[string]string{"start": "classic", "normalise": "centred-norm"}, axes: axes}
		if name == orderP {
			t.fixed = maps.Clone(t.fixed)
			t.fixed["p"] = "10"
		}
		return t
	}
	plain := map[string]string{"start": "classic", "mean": "sample"}
	return []tunable{
		{method: "2dsvd"},
		{method: "r1-2dsvd", fixed: plain, shared: plain, axes: []tune.Axis{ranks}},
		corr("", ranks, shape, width), corr(orderP, ranks, shape, width, order),
	}
}

func planTunedImages(ctx context.Context, e *experiment.Env, f tuningFamily) ([]experiment.Case, error) {
	set, err := readYale(ctx, e)
	if err != nil {
		return nil, err
	}
	faces := fractions(set)
	size := map[string]string{"rank": tunedImageRank}
	var entrants []experiment.Entrant
	for _, t := range tunedImages() {
		entrants = append(entrants, t.unsupervised(size, func(ctx context.Context, b *experiment.Bench, params map[string]string) error {
			given := maps.Clone(size)
			maps.Copy(given, params)
			m, err := b.Fit(ctx, t.method, given, trainOf(b))
			if err != nil {
				return err
			}
			clean := b.Data.(*divided).test.X
			back, err := m.(catalog.Transformer).Reconstruct(ctx, clean)
			if err != nil {
				return err
			}
			error, err := score.SquaredReconstructionError(clean, back)
			b.Score(f.score, error)
			return err
		})...)
	}
	var out []experiment.Case
	for k, kind := range []string{"occlusion:%d", "dummy:%d,values=uniform"} {
		spec := fmt.Sprintf(kind, tunedSpoiled)
		out = append(out, experiment.Case{Data: f.data(f.sets[0], f.dirt[k]), Stream: "tuning images", Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
			order := dataset.Random(seed, "tuning images").Perm(faces.Rows())
			seen, _, err := corrupt.Apply(faces.Subset(order[:tunedFaces]), spec, seed)
			return &divided{seen, faces.Subset(order[tunedFaces:])}, err
		}})
	}
	return out, nil
}
