package papers

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// imageReducer is a method for images with its parameters; the rank is added.
type imageReducer struct {
	name, method string
	params       map[string]string
}

var imageReducers = []imageReducer{
	{"2dpca", "2dpca", nil},
	{"l1-2dpca", "l1-2dpca", nil},
	{"2dsvd", "2dsvd", nil},
	{"r1-2dsvd", "r1-2dsvd", map[string]string{"start": "classic", "mean": "sample"}},
	{"r1-2dsvd, weighted mean", "r1-2dsvd", map[string]string{"start": "classic"}},
	{"n-2dnpp", "n-2dnpp", map[string]string{"max-steps": nuclearSteps}},
	{"s-2dnpp", "s-2dnpp", nil},
	{"corr-2dsvd, paper", "corr-2dsvd", map[string]string{"start": "classic", "alpha": "1.6", "beta": "0.8"}},
	{"corr-2dsvd, paper, in mean norms", "corr-2dsvd", map[string]string{"start": "classic", "alpha": "1.6", "beta": "0.8", "normalise": "mean-norm"}},
	{"corr-2dsvd (default)", "corr-2dsvd", nil},
	{corrFullRank, "corr-2dsvd", map[string]string{"learn-rank": "off"}},
}

// corrFullRank is the default without its smaller rank for the weights.
const corrFullRank = "corr-2dsvd (default), weights at the full rank"

var (
	imageRanks = []int{20, 30, 50, 70, 90}
	// imageFewRanks are those of methods that take long, in the quick form.
	imageFewRanks = []int{30, 70}
	imageCases    = []struct{ data, figure, spec string }{{"30 dummies", "Fig. 2(a)", "dummy:30,mode=add,values=uniform"}, {"30 covered", "Fig. 2(b)", "occlusion:30"}}
	corrAlphas    = []float64{1.2, 1.6, 2, 2.4, 4}
	corrBetas     = []float64{0.2, 0.5, 0.8, 1, 2, 7, 20}
	// betaUnits are the two readings of a printed beta.
	betaUnits = []struct{ suffix, normalise, label string }{
		{"", "none", "beta as printed, pixels from 0 to 1"},
		{", in mean norms", "mean-norm", "beta in units of the mean norm"},
	}
)

const cleanImages = "2dsvd of clean faces"

// nuclearSteps bounds the steps of N-2DNPP, each of which takes an eigen-decomposition of
// every image.
const nuclearSteps = "10"

// oneSided tells whether a method reduces the second mode only.
func oneSided(method string) bool {
	return method == "2dpca" || method == "l1-2dpca" || method == "n-2dnpp" || method == "s-2dnpp"
}

func init() {
	experiment.Register(&experiment.Spec{
		ID: "corr-tensor-figure-1", Paper: "corr-tensor", Item: "Fig. 1", Title: "surfaces of the generalised correntropy loss",
		About:    "The loss of two errors at once, beta = 0.8, for alpha = 1, 2 and 5: a pit that ends in a plain, steeper with alpha.",
		Protocol: []string{"gamma (1 - mean exp(-|a/beta|^alpha)) of two errors a1, a2 from -3 to 3; eq. (11) without its constant gamma."},
		Quick:    experiment.Form{Repeats: 1, Minutes: 0.1}, Full: experiment.Form{Repeats: 1, Minutes: 0.1},
		Plan: func(context.Context, *experiment.Env) ([]experiment.Case, error) {
			c := experiment.Case{Data: "surface", Repeats: 1}
			for _, alpha := range []float64{1, 2, 5} {
				c.Entrants = append(c.Entrants, experiment.Entrant{Name: fmt.Sprintf("alpha = %g", alpha), Run: func(_ context.Context, b *experiment.Bench) error {
					b.Score("at the origin", corrSurface(alpha, 0, 0))
					b.Score("far out", corrSurface(alpha, 30, 30))
					b.Score("one error large", corrSurface(alpha, 30, 0))
					b.Score("at half beta", corrSurface(alpha, 0.4, 0.4))
					return nil
				}})
			}
			return []experiment.Case{c}, nil
		},
		Published: published("corr-tensor-figure-1"),
		Present: func(_ context.Context, v *experiment.View) error {
			var charts []*report.Chart
			for _, alpha := range []float64{1, 2, 5} {
				g := report.Grid{X: report.Axis{Label: "a1", Min: -3, Max: 3}, Y: report.Axis{Label: "a2", Min: -3, Max: 3}, Min: 0, Max: 1, Contours: 6}
				for y := 3.0; y >= -3.001; y -= 0.15 {
					var row []float64
					for x := -3.0; x <= 3.001; x += 0.15 {
						row = append(row, corrSurface(alpha, x, y))
					}
					g.Values = append(g.Values, row)
				}
				charts = append(charts, report.HeatMap(fmt.Sprintf("alpha = %g", alpha), g))
			}
			v.Page.Add("The surfaces", "", report.Group("", charts...))
			return nil
		},
		Learned: func(v *experiment.View) []string {
			a := func(m, s string) float64 { return v.Stat("surface", m, s).Mean }
			return []string{fmt.Sprintf("At half of beta the loss is %.2f for alpha = 1, %.2f for 2 and %.2f for 5: larger alpha spares small errors and then rises faster.", a("alpha = 1", "at half beta"), a("alpha = 2", "at half beta"), a("alpha = 5", "at half beta"))}
		},
	})
	experiment.Register(&experiment.Spec{
		ID: "corr-tensor-figures-2-4", Paper: "corr-tensor", Item: "Figs. 2-4", Title: "Yale faces with dummies or covers: images reduced on both sides",
		About: "165 faces and 30 dummies, or 165 faces of which 30 are partly covered. The paper finds Corr-2DSVD with alpha = 1.6 and beta = 0.8 to reconstruct best from 30 components on.",
		Protocol: []string{
			"Yale pictures at 100 x 100, values from 0 to 1; 30 pictures of uniform random pixels added, or 30 pictures covered by a rectangle of black and white pixels.",
			"k = 20 to 90 components per side (2DPCA and 2DNPP: k columns, so they keep 100 k numbers where the others keep k^2).",
			"Mean squared distance, eq. (27), between original faces and reconstructions; dummies are left out.",
			"Fig. 3: alpha at beta = 0.8 and beta at alpha = 1.6, k = 70. Fig. 4: the objective step by step.",
		},
		Choices: []string{
			"The unit of beta is not given. It is taken as printed, for pixels from 0 to 1, and beside it in units of the images' mean norm (`normalise=mean-norm`). With few components residual norms are about 10 and beta = 0.8 leaves the weight to a handful of images; with many they are of the order of 1.",
			"The paper does not give the size of its pictures, but goes up to 90 components; 100 x 100 is taken.",
			"The default beside it: beta twice the median residual, weights learned at a smaller rank, a start that outliers cannot spoil.",
			"R1-2DSVD has the plain mean, as the paper says of the methods before its own; with the weighted mean it is shown beside.",
			"The two 2DNPP baselines are built from the definition, since the paper cited for them is not at hand. N-2DNPP stops after 10 steps. In the quick form it and L1-2DPCA have k = 30 and 70 only, and Fig. 3 has one draw. Full form: 5 draws; the paper does not say how many it has.",
		},
		Needs: []string{"yale"}, Quick: experiment.Form{Repeats: 2, Minutes: 2}, Full: experiment.Form{Repeats: 5, Minutes: 7},
		Plan: planImages, Published: published("corr-tensor-figures-2-4"), Present: presentImages, Learned: learnedImages,
	})
}

// corrSurface is the loss of two errors.
func corrSurface(alpha, a1, a2 float64) float64 {
	l := loss.MustParse(fmt.Sprintf("gcorr:alpha=%g", alpha)).At(0.8)
	return (l.Rho(a1*a1) + l.Rho(a2*a2)) / 2
}

func planImages(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	set, err := e.Read(ctx, "yale", file.Options{Resize: "100x100", Gray: true, Format: file.Images})
	if err != nil {
		return nil, err
	}
	faces := fractions(set)
	var out []experiment.Case
	for _, c := range imageCases {
		one := experiment.Case{Data: c.data, Draw: func(_ context.Context, seed uint64) (any, error) { return spoil(faces, c.spec, seed) }}
		seen := func(d *dirtyFaces) *dataset.Set { return d.seen }
		for _, r := range imageReducers {
			ranks := imageRanks
			if !e.Full && (r.method == "l1-2dpca" || r.method == "n-2dnpp") {
				ranks = imageFewRanks
			}
			one.Entrants = append(one.Entrants, imageEntrant(r, ranks, seen))
		}
		one.Entrants = append(one.Entrants, imageEntrant(imageReducer{cleanImages, "2dsvd", nil}, imageRanks, func(d *dirtyFaces) *dataset.Set {
			return &dataset.Set{Name: "clean faces", X: d.original, Columns: d.seen.Columns, Shape: d.seen.Shape}
		}))
		sweeps := experiment.Case{Data: c.data, Draw: one.Draw} // the same draws, in the quick form one of them
		if !e.Full {
			sweeps.Repeats = 1
		}
		for _, u := range betaUnits {
			sweep := func(name string, alpha, beta float64) {
				params := map[string]string{"start": "classic", "normalise": u.normalise, "rank": "70x70", "alpha": number(alpha), "beta": number(beta)}
				sweeps.Entrants = append(sweeps.Entrants, experiment.Entrant{Name: name + u.suffix, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
					return fitImages(ctx, b, "corr-2dsvd", params, b.Data.(*dirtyFaces).seen, "error@70")
				}})
			}
			for _, a := range corrAlphas {
				sweep(fmt.Sprintf("alpha = %g", a), a, 0.8)
			}
			for _, beta := range corrBetas {
				sweep(fmt.Sprintf("beta = %g", beta), 1.6, beta)
			}
		}
		out = append(out, one, sweeps)
	}
	return out, nil
}

func imageEntrant(r imageReducer, ranks []int, learnFrom func(*dirtyFaces) *dataset.Set) experiment.Entrant {
	return experiment.Entrant{Name: r.name, Params: r.params, Run: func(ctx context.Context, b *experiment.Bench) error {
		for _, k := range ranks {
			params := map[string]string{"rank": fmt.Sprintf("%dx%d", k, k)}
			if oneSided(r.method) {
				params["rank"] = fmt.Sprint(k)
			}
			for name, v := range r.params {
				params[name] = v
			}
			if err := fitImages(ctx, b, r.method, params, learnFrom(b.Data.(*dirtyFaces)), at("error", float64(k))); err != nil {
				return err
			}
		}
		return nil
	}}
}

// fitImages fits and notes the squared reconstruction error and, in the first repeat, the
// objective.
func fitImages(ctx context.Context, b *experiment.Bench, method string, params map[string]string, set *dataset.Set, name string) error {
	d := b.Data.(*dirtyFaces)
	m, err := b.Fit(ctx, method, params, set)
	if err != nil {
		return err
	}
	back, err := m.(catalog.Transformer).Reconstruct(ctx, d.shown)
	if err != nil {
		return err
	}
	e, err := score.SquaredReconstructionError(d.original, back)
	if err != nil {
		return err
	}
	b.Score(name, e)
	if trace := experiment.Objective(m); b.Repeat == 0 && len(trace) > 1 && (name == "error@40" || name == "error@70") {
		b.Series("objective", trace)
	}
	return nil
}

func presentImages(_ context.Context, v *experiment.View) error {
	var names []string
	for _, r := range imageReducers {
		names = append(names, r.name)
	}
	names = append(names, cleanImages)
	var curves, sweeps []*report.Chart
	var traces []report.Trace
	for _, c := range imageCases {
		curves = append(curves, v.Curves(c.figure+": "+c.data, report.Axis{Label: "components per side", Whole: true}, report.Axis{Label: "mean squared distance", Log: true}, c.data, names, floatsOf(imageRanks), func(k float64) string { return at("error", k) }))
		for _, s := range []struct {
			what   string
			values []float64
		}{{"alpha", corrAlphas}, {"beta", corrBetas}} {
			var lines []report.Series
			for k, u := range betaUnits {
				line := report.Series{Name: u.label, Mark: report.LineDots, Color: k + 1}
				for _, x := range s.values {
					if stat := v.Stat(c.data, fmt.Sprintf("%s = %g%s", s.what, x, u.suffix), "error@70"); stat.N > 0 {
						line.X, line.Y = append(line.X, x), append(line.Y, stat.Mean)
					}
				}
				if len(line.X) > 0 {
					lines = append(lines, line)
				}
			}
			sweeps = append(sweeps, report.Lines("Fig. 3: "+s.what+", "+c.data, report.Axis{Label: s.what, Log: s.what == "beta"}, report.Axis{Label: "mean squared distance", Log: true}, lines...))
		}
		if o := v.Series(c.data, "corr-2dsvd, paper", "objective"); o != nil {
			traces = append(traces, report.Trace{Name: c.data, Objective: o})
		}
	}
	v.Page.Add("Reconstruction errors", "Below is better. The one-sided methods (2DPCA, L1-2DPCA, 2DNPP) keep more numbers at the same k.", report.Group("", curves...))
	v.Page.Add("Alpha and beta", "", report.Group("", sweeps...))
	if len(traces) > 0 {
		v.Page.Add("Convergence", "", report.Convergence("Fig. 4: objective of Corr-2DSVD, k = 70", traces...))
	}
	for _, k := range []float64{30, 70, 90} {
		v.Page.Add(fmt.Sprintf("In numbers, k = %g", k), "", v.Table("Mean squared distance", at("error", k), "%.3g", "low", v.Data(), names))
	}
	return nil
}
