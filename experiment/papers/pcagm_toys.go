package papers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/report"
)

func init() {
	experiment.Register(&experiment.Spec{
		ID: "pca-gm-figure-1", Paper: "pca-gm", Item: "Fig. 1", Title: "the generalised sample mean beside the mean",
		About: "Ten outliers stand beside a cloud of 100 rows. The paper shows the generalised sample mean with p = 0.1 and 0.2 to stay with the cloud where the sample mean is drawn away.",
		Protocol: []string{
			"100 rows from N(0, 0.5 I) and 10 from N((5, 5), 0.3 I) in the plane; the numbers are variances.",
			"Distance of each centre from the true one, (0, 0).",
		},
		Choices: []string{
			"Algorithm 1 with the paper's constant delta (0.01 of the smallest squared distance), and with ours, which is lowered step by step. With p < 1/2 every row is an attracting point of its own, so the paper's iteration can end on a row.",
			"The spatial median (p = 1/2) and the mean of the inliers alone stand beside it.",
		},
		Quick: experiment.Form{Repeats: 100, Minutes: 0.1}, Full: experiment.Form{Repeats: 1000, Minutes: 0.2},
		Plan: planToyMean, Published: published("pca-gm-figure-1"), Present: presentToyMean,
		Learned: func(v *experiment.View) []string {
			d := func(m string) float64 { return v.Stat("toy", m, "distance").Mean }
			return []string{
				fmt.Sprintf("Mean distance from the truth: sample mean %.3f, generalised mean p = 0.1 %.3f (delta as printed) and %.3f (delta lowered), spatial median %.3f, mean of the inliers %.3f.",
					d("sample mean"), d("p = 0.1, paper"), d("p = 0.1, anneal"), d("p = 0.5, anneal"), d("inliers only")),
			}
		},
	})
	experiment.Register(&experiment.Spec{
		ID: "pca-gm-figure-2", Paper: "pca-gm", Item: "Fig. 2", Title: "a line with outliers: the direction found",
		About: "100 rows along a line and ten with large vertical noise. In the paper's draw the objective of PCA is smallest at about 60 degrees and that of PCA-GM with p = 0.3 at 48.9; the first step of its algorithm from 30 degrees leads to 32.1.",
		Protocol: []string{
			"x ~ N(0, 1), y = x + e, with e of standard deviation 0.5 for 100 rows and 3 for ten.",
			"Angle of the first component with the x axis; the angle at which objective (9) is smallest, over all directions; where one step of Algorithm 2 leads from 30 degrees.",
		},
		Choices: []string{
			"The paper names 45 degrees as the direction of the inliers. Their covariance is [1 1; 1 1.25], whose leading direction stands at 48.6 degrees.",
			"The paper has one draw; ours are many, and its numbers are judged by the spread of ours.",
			"48.9 degrees is where the objective is smallest, not where the algorithm ends from PCA; that is shown beside.",
		},
		Quick: experiment.Form{Repeats: 100, Minutes: 0.1}, Full: experiment.Form{Repeats: 1000, Minutes: 0.5},
		Plan: planToyLine, Published: published("pca-gm-figure-2"), Present: presentToyLine,
		Learned: func(v *experiment.View) []string {
			var out []string
			for _, m := range v.Methods() {
				s := v.Stat("toy", m, "angle")
				out = append(out, fmt.Sprintf("%s: %.1f degrees on average, standard deviation %.1f; %.1f degrees off the inliers' 48.6 on average.", m, s.Mean, s.SD, v.Stat("toy", m, "off").Mean))
			}
			return out
		},
	})
}

func planToyMean(context.Context, *experiment.Env) ([]experiment.Case, error) {
	c := experiment.Case{Data: "toy", Draw: func(_ context.Context, seed uint64) (any, error) { return synthetic.Generate("toy-mean", nil, seed) }}
	add := func(name string, centre func(ctx context.Context, made *synthetic.Generated) ([]float64, error)) {
		c.Entrants = append(c.Entrants, experiment.Entrant{Name: name, Run: func(ctx context.Context, b *experiment.Bench) error {
			var m []float64
			err := b.Time(func() (err error) {
				m, err = centre(ctx, b.Data.(*synthetic.Generated))
				return err
			})
			if err != nil {
				return err
			}
			b.Score("distance", math.Hypot(m[0], m[1]))
			if b.Repeat == 0 {
				b.Series("centre", m)
			}
			return nil
		}})
	}
	plain := func(x *mat.Dense) []float64 {
		n, _ := x.Dims()
		return []float64{mat.Sum(x.ColView(0)) / float64(n), mat.Sum(x.ColView(1)) / float64(n)}
	}
	add("sample mean", func(_ context.Context, made *synthetic.Generated) ([]float64, error) { return plain(made.Set.X), nil })
	for _, p := range []float64{0.1, 0.2, 0.5} {
		for _, delta := range []pca.Delta{pca.DeltaPaper, pca.DeltaAnneal} {
			add(fmt.Sprintf("p = %g, %s", p, delta), func(ctx context.Context, made *synthetic.Generated) ([]float64, error) {
				return pca.GeneralizedSampleMean(ctx, linalg.FromDense(made.Set.X), p, delta, nil)
			})
		}
	}
	add("inliers only", func(_ context.Context, made *synthetic.Generated) ([]float64, error) {
		return plain(made.Set.Subset(rowsWhere(made.Truth.Outlier, false)).X), nil
	})
	return []experiment.Case{c}, nil
}

func presentToyMean(_ context.Context, v *experiment.View) error {
	made, err := synthetic.Generate("toy-mean", nil, v.Of("toy", "sample mean")[0].Seed)
	if err != nil {
		return err
	}
	classes := cloud(made)
	for k, m := range []string{"sample mean", "p = 0.1, anneal", "p = 0.2, anneal"} {
		at := v.Series("toy", m, "centre")
		const arm = 0.4 // a cross, so that it is seen among the rows
		classes = append(classes, report.Series{Name: m, Mark: report.Line, Color: k + 3,
			X: []float64{at[0] - arm, at[0] + arm, at[0], at[0], at[0]}, Y: []float64{at[1], at[1], at[1], at[1] - arm, at[1] + arm}})
	}
	v.Page.Add("Fig. 1: the first draw", "Crosses are the centres found; the true one is at (0, 0).", report.Scatter("", report.Axis{Label: "x"}, report.Axis{Label: "y"}, classes...).EqualUnits())
	var samples []report.Sample
	for k, m := range v.Methods() {
		samples = append(samples, report.Sample{Name: m, Values: v.Values("toy", m, "distance"), Color: k + 1})
	}
	v.Page.Add("Over many draws", "", report.Boxplot("Distance from the true centre", report.Axis{Label: "distance", Zero: true}, samples...))
	return nil
}

// cloud is the rows of a toy as two classes of points.
func cloud(made *synthetic.Generated) []report.Series {
	in, out := report.Series{Name: "inliers", Color: 1}, report.Series{Name: "outliers", Color: 2}
	for i, bad := range made.Truth.Outlier {
		s := &in
		if bad {
			s = &out
		}
		s.X, s.Y = append(s.X, made.Set.X.At(i, 0)), append(s.Y, made.Set.X.At(i, 1))
	}
	return []report.Series{in, out}
}

// lineMethods of Fig. 2 and their relatives.
var lineMethods = []reducer{
	{"pca", "pca", nil, false},
	{"pca-gm", "pca-gm", map[string]string{"start": "classic", "p": "0.3", "delta": "paper", "scatter": "weighted"}, false},
	{"pca-gm, delta lowered", "pca-gm", map[string]string{"start": "classic", "p": "0.3", "delta": "anneal", "scatter": "weighted"}, false},
	{"hq-pca", "hq-pca", map[string]string{"start": "classic", "sigma": "silverman", "rescale": "every-step"}, false},
	{"pca-robust (default)", "pca-robust", nil, false},
}

func planToyLine(context.Context, *experiment.Env) ([]experiment.Case, error) {
	c := experiment.Case{Data: "toy", Draw: func(_ context.Context, seed uint64) (any, error) { return synthetic.Generate("toy-line", nil, seed) }}
	for _, r := range lineMethods {
		c.Entrants = append(c.Entrants, experiment.Entrant{Name: r.name, Params: r.params, Run: func(ctx context.Context, b *experiment.Bench) error {
			return r.ladder(ctx, b, b.Data.(*synthetic.Generated).Set, []int{1}, func(_ int, s subspace) error {
				angle := math.Atan2(s.basis.At(1, 0), s.basis.At(0, 0)) * 180 / math.Pi
				noteLine(b, math.Mod(angle+180, 180))
				return nil
			})
		}})
	}
	c.Entrants = append(c.Entrants, lineEntrants()...)
	return []experiment.Case{c}, nil
}

func presentToyLine(ctx context.Context, v *experiment.View) error {
	first := v.Of("toy", "pca")[0]
	made, err := synthetic.Generate("toy-line", nil, first.Seed)
	if err != nil {
		return err
	}
	points := cloud(made)
	for k, m := range []string{"pca", "pca-gm"} {
		a := float64(v.Of("toy", m)[0].Scores["angle"]) * math.Pi / 180
		points = append(points, report.Series{Name: fmt.Sprintf("%s, %.1f degrees", m, a*180/math.Pi), Mark: report.Line, Color: k + 3,
			X: []float64{-3 * math.Cos(a), 3 * math.Cos(a)}, Y: []float64{-3 * math.Sin(a), 3 * math.Sin(a)}})
	}
	rows, err := newLine(ctx, made.Set.X)
	if err != nil {
		return err
	}
	objective := func(p float64) report.Series {
		s := report.Series{Name: fmt.Sprintf("p = %g", p)}
		for a := 0.0; a <= 180; a++ {
			s.X, s.Y = append(s.X, a), append(s.Y, rows.objective(a, p))
		}
		top := slices.Max(s.Y)
		for i := range s.Y {
			s.Y[i] /= top
		}
		return s
	}
	v.Page.Add("Fig. 2: the first draw", "The right picture shows the objective (9) over all directions, each divided by its largest value; p = 1 is ordinary PCA.", report.Beside{
		report.Scatter("Rows and directions", report.Axis{Label: "x"}, report.Axis{Label: "y"}, points...).EqualUnits(),
		report.Lines("Objective by direction", report.Axis{Label: "degrees"}, report.Axis{Label: "relative", Zero: true}, objective(0.3), objective(1)).MarkX(48.6, "48.6"),
	})
	var samples []report.Sample
	for k, m := range v.Methods() {
		samples = append(samples, report.Sample{Name: m, Values: v.Values("toy", m, "off"), Color: k + 1})
	}
	v.Page.Add("Over many draws", "", report.Boxplot("Degrees off the direction of the inliers", report.Axis{Label: "degrees", Zero: true}, samples...))
	return nil
}
