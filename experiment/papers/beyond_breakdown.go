package papers

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

var (
	breakdownKinds  = []string{"scattered", "clustered", "own-subspace"}
	breakdownShares = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.45}
)

// breakdownReducers are the papers' methods as printed and ours.
func breakdownReducers() []reducer {
	return []reducer{
		{"pca", "pca", nil, false},
		{"pca-l1", "pca-l1", map[string]string{"start": "classic"}, false},
		{"r1-pca", "r1-pca", map[string]string{"start": "classic", "mean": "sample"}, false},
		{"hq-pca", "hq-pca", map[string]string{"start": "classic", "sigma": "silverman", "rescale": "every-step"}, false},
		{"pca-gm", "pca-gm", map[string]string{"start": "classic", "delta": "paper"}, false},
		{"pca-kmpe", "pca-kmpe", map[string]string{"start": "classic", "p": "10", "sigma": "silverman", "rescale": "every-step"}, false},
		{"pca-kmpe, plain steps", "pca-kmpe", map[string]string{"start": "classic", "p": "10", "sigma": "silverman", "rescale": "every-step", "control": "off"}, false},
		{"spherical start", "pca-robust", map[string]string{"start": "spherical"}, false},
		{"pca-robust (default)", "pca-robust", nil, false},
	}
}

const (
	hubertName = "PcaHubert (R)"
	mcdName    = "MinCovDet (scikit-learn)"
)

func init() {
	experiment.Register(&experiment.Spec{
		ID: "beyond-breakdown", Paper: "beyond", Item: "Breakdown", Title: "how many outliers each method survives",
		About: "None of the papers asks how many outliers a method survives. The largest angle between the true subspace and the one found, as outliers of three kinds become more.",
		Protocol: []string{
			"200 rows, 20 columns; inliers have standard deviations 5, 4, 3 in a random 3-dimensional subspace and noise 0.3.",
			"0 to 45 % of the rows are outliers: scattered (sd 15 everywhere), clustered (at distance 40 in one direction, sd 0.5), or in a subspace of their own (sd 12 in three other directions).",
			"The papers' methods start at ordinary PCA with the papers' parameters: PCA-KMPE has p = 10, with steps that are shortened where the objective would rise, and with the paper's plain ones; R1-PCA keeps the sample mean. 90 degrees means that a direction of the inliers is lost.",
			"R's PcaHubert (rrcov, alpha = 0.5) and scikit-learn's MinCovDet run on the same rows where they are installed.",
		},
		Quick: experiment.Form{Repeats: 3, Minutes: 1}, Full: experiment.Form{Repeats: 20, Minutes: 9},
		Plan: planBreakdown, Present: presentBreakdown, Learned: learnedBreakdown,
	})
}

func planBreakdown(context.Context, *experiment.Env) ([]experiment.Case, error) {
	var entrants []experiment.Entrant
	angle := func(b *experiment.Bench, basis *mat.Dense) error {
		a, err := score.LargestAngle(b.Data.(*synthetic.Generated).Truth.Basis, basis)
		b.Score("angle", a)
		return err
	}
	for _, r := range breakdownReducers() {
		entrants = append(entrants, experiment.Entrant{Name: r.name, Params: r.params, Run: func(ctx context.Context, b *experiment.Bench) error {
			return r.ladder(ctx, b, b.Data.(*synthetic.Generated).Set, []int{3}, func(_ int, s subspace) error { return angle(b, s.basis) })
		}})
	}
	peer := func(name string, find func(ctx context.Context, x *mat.Dense, k int, seed uint64) (*mat.Dense, error)) {
		entrants = append(entrants, experiment.Entrant{Name: name, Run: func(ctx context.Context, b *experiment.Bench) error {
			var basis *mat.Dense
			err := b.Time(func() (err error) {
				basis, err = find(ctx, b.Data.(*synthetic.Generated).Set.X, 3, b.Seed)
				return err
			})
			if err != nil {
				return err
			}
			return angle(b, basis)
		}})
	}
	if hasHubert() {
		peer(hubertName, hubertBasis)
	}
	if pythonPath() != "" {
		peer(mcdName, covarianceBasis)
	}
	var out []experiment.Case
	for _, kind := range breakdownKinds {
		for _, share := range breakdownShares {
			params := map[string]string{"outliers": kind, "fraction": number(share)}
			out = append(out, experiment.Case{
				Data: breakdownName(kind, share), Stream: "breakdown", Entrants: entrants,
				Draw: func(_ context.Context, seed uint64) (any, error) { return synthetic.Generate("low-rank", params, seed) },
			})
		}
	}
	return out, nil
}

func breakdownName(kind string, share float64) string {
	return fmt.Sprintf("%s, %g %%", kind, 100*share)
}

func presentBreakdown(_ context.Context, v *experiment.View) error {
	var charts []*report.Chart
	for _, kind := range breakdownKinds {
		var lines []report.Series
		for k, m := range v.Methods() {
			s := report.Series{Name: m, Mark: report.LineDots, Color: k + 1, Dashed: m == hubertName || m == mcdName}
			for _, share := range breakdownShares {
				if stat := v.Stat(breakdownName(kind, share), m, "angle"); stat.N > 0 {
					s.X, s.Y = append(s.X, 100*share), append(s.Y, stat.Mean)
				}
			}
			lines = append(lines, s)
		}
		charts = append(charts, report.Lines(kind, report.Axis{Label: "outliers, %"}, report.Axis{Label: "largest angle, degrees", Min: 0, Max: 90}, lines...))
	}
	for _, c := range charts {
		v.Keep("breakdown-"+c.Title, c)
		v.Page.Add("Outliers: "+c.Title, "", c)
	}
	v.Page.Add("In numbers", "", v.Table("Largest angle to the true subspace, degrees", "angle", "%.1f", "low", v.Data(), v.Methods()))
	return nil
}

func learnedBreakdown(v *experiment.View) []string {
	var out []string
	for _, kind := range breakdownKinds {
		line := kind + ": largest share of outliers with a mean angle below 10 degrees:"
		for _, m := range v.Methods() {
			last := "none"
			for _, share := range breakdownShares {
				if s := v.Stat(breakdownName(kind, share), m, "angle"); s.N == 0 || s.Mean >= 10 {
					break
				}
				last = fmt.Sprintf("%g %%", 100*share)
			}
			line += fmt.Sprintf(" %s %s;", m, last)
		}
		out = append(out, line[:len(line)-1]+".")
	}
	clean := v.Stat(breakdownName("scattered", 0), "pca-robust (default)", "angle").Mean
	return append(out, fmt.Sprintf("The price on clean rows: the default is %.2f degrees off, ordinary PCA %.2f.", clean, v.Stat(breakdownName("scattered", 0), "pca", "angle").Mean))
}
