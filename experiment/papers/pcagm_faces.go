package papers

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// gmReducers are the methods of the pca-gm paper: at most 100 steps, no m_r.
func gmReducers(powers ...float64) []reducer {
	out := []reducer{
		{"pca", "pca", nil, false},
		{"pca-l1", "pca-l1", map[string]string{"start": "classic", "starts": "1"}, false},
		{"r1-pca", "r1-pca", map[string]string{"start": "classic", "mean": "sample"}, true},
		{"hq-pca", "hq-pca", map[string]string{"start": "classic", "sigma": "silverman", "rescale": "every-step"}, true},
	}
	for _, p := range powers {
		out = append(out, reducer{"pca-gm, p = " + number(p), "pca-gm", map[string]string{"start": "classic", "p": number(p), "delta": "paper", "scatter": "weighted"}, true})
	}
	return out
}

var gmFaceCases = []struct{ data, figure, spec string }{
	{"10 % occluded", "Fig. 4(a)", "occlusion:0.1"}, {"20 % occluded", "Fig. 4(b)", "occlusion:0.2"}, {"30 % occluded", "Fig. 4(c)", "occlusion:0.3"},
	{"10 % dummies", "Fig. 5(a)", "dummy:0.1,mode=add"}, {"20 % dummies", "Fig. 5(b)", "dummy:0.2,mode=add"}, {"30 % dummies", "Fig. 5(c)", "dummy:0.3,mode=add"},
}

var gmComponents = []int{5, 20, 50, 100}

func init() {
	experiment.Register(&experiment.Spec{
		ID: "pca-gm-figures-4-6", Paper: "pca-gm", Item: "Figs. 4-6", Title: "faces, some covered or dummies: reconstruction",
		About: "The paper learns subspaces from 800 FERET faces of which 10 to 30 % are covered, or to which dummies are added, and finds PCA-GM and HQ-PCA better than PCA, PCA-L1 and R1-PCA.",
		Protocol: []string{
			"400 ORL faces at 40 x 50 pixels in place of 800 FERET faces; 10, 20 or 30 % covered by random black and white rectangles, or as many dummies added.",
			"m = 5 to 100 components; at most 100 steps; delta of PCA-GM 0.01 times the smallest squared distance.",
			"Mean distance, eq. (14), between original faces and reconstructions, about the mean of the original faces; dummies are left out.",
		},
		Choices: []string{
			"The FERET pictures are not free to use; ORL has fewer people and more pictures of each.",
			"R1-PCA keeps the sample mean (section 4.3); HQ-PCA and PCA-GM have their own.",
			"The paper does not use m_r: weights are learned at the number of components asked for.",
			"Fig. 6 (eigenfaces) is drawn with invented people, since these faces are of real ones; `--faces` draws it with the pictures of the data folder, for one's own eyes.",
		},
		Substitute: "ORL faces", Needs: []string{"orl/s01"},
		Quick: experiment.Form{Repeats: 3, Minutes: 1.5}, Full: experiment.Form{Repeats: 10, Minutes: 5},
		Plan: planGMFaces, Published: published("pca-gm-figures-4-6"), Present: presentGMFaces, Learned: learnedGMFaces,
	})
}

func planGMFaces(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	faces, err := readORL(ctx, e)
	if err != nil {
		return nil, err
	}
	mean := columnMeans(faces.X)
	var out []experiment.Case
	for _, c := range gmFaceCases {
		one := experiment.Case{Data: c.data, Draw: func(_ context.Context, seed uint64) (any, error) { return spoil(faces, c.spec, seed) }}
		for _, r := range gmReducers(0.1, 0.4) {
			one.Entrants = append(one.Entrants, experiment.Entrant{Name: r.name, Params: r.params, Run: func(ctx context.Context, b *experiment.Bench) error {
				d := b.Data.(*dirtyFaces)
				return r.ladder(ctx, b, d.seen, gmComponents, func(m int, s subspace) error {
					s.mean = mean // (14) is about the mean of the original faces
					b.Score(at("error", float64(m)), s.reconstructionError(d.original, d.shown))
					return nil
				})
			}})
		}
		out = append(out, one)
	}
	return out, nil
}

func columnMeans(x *mat.Dense) []float64 {
	n, d := x.Dims()
	out := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			out[j] += v / float64(n)
		}
	}
	return out
}

func floatsOf(list []int) []float64 {
	var out []float64
	for _, v := range list {
		out = append(out, float64(v))
	}
	return out
}

func readORL(ctx context.Context, e *experiment.Env) (*dataset.Set, error) {
	return e.Read(ctx, "orl", file.Options{Resize: "40x50", Gray: true, Format: file.Images})
}

func presentGMFaces(ctx context.Context, v *experiment.View) error {
	var charts []*report.Chart
	for _, c := range gmFaceCases {
		charts = append(charts, v.Curves(c.figure+": "+c.data, report.Axis{Label: "components", Whole: true}, report.Axis{Label: "mean distance"}, c.data, v.Methods(), floatsOf(gmComponents), func(m float64) string { return at("error", m) }))
	}
	v.Page.Add("Reconstruction errors", "Below is better.", report.Group("", charts...))
	for _, m := range []float64{20, 50} {
		v.Page.Add(fmt.Sprintf("In numbers, m = %g", m), "", v.Table("Mean distance", at("error", m), "%.0f", "low", v.Data(), v.Methods()))
	}
	seed := func(data string) uint64 { return v.Of(data, "pca")[0].Seed }
	return faceSections(ctx, v, "Fig. 6", 40, "", gmReducers(0.1), []faceDirt{{"30 % covered", "occlusion:0.3", seed("30 % occluded")}, {"30 % dummies", "dummy:0.3,mode=add", seed("30 % dummies")}}, readORL)
}

func learnedGMFaces(v *experiment.View) []string {
	var out []string
	for _, c := range gmFaceCases {
		e := func(m string) float64 { return v.Stat(c.data, m, at("error", 50)).Mean }
		out = append(out, fmt.Sprintf("%s, m = 50: PCA %.0f, R1-PCA %.0f, HQ-PCA %.0f, PCA-GM %.0f (p = 0.1) to %.0f (p = 0.4).", c.data, e("pca"), e("r1-pca"), e("hq-pca"), e("pca-gm, p = 0.1"), e("pca-gm, p = 0.4")))
	}
	return out
}
