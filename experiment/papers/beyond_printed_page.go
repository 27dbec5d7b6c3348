package papers

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// printedShare is how often a score of 0 and 1 is 1; "worse" is computed from the objectives.
func printedShare(v *experiment.View, data, method, name string) float64 {
	if name != "worse" {
		return v.Stat(data, method, name).Mean
	}
	worse := map[int]bool{} // by repeat
	for _, m := range v.Methods() {
		rivals := map[int]float64{}
		for _, r := range v.Of(data, m) {
			if o, ok := r.Scores["objective"]; ok {
				rivals[r.Repeat] = float64(o)
			}
		}
		for _, r := range v.Of(data, method) {
			own, ok := r.Scores["objective"]
			if rival, both := rivals[r.Repeat]; ok && both && float64(own) > 1.01*rival {
				worse[r.Repeat] = true
			}
		}
	}
	return float64(len(worse)) / float64(v.Stat(data, method, "objective").N)
}

func presentPrinted(_ context.Context, v *experiment.View) error {
	for _, g := range printedGroups {
		t := &report.Table{Columns: []report.Column{{Name: "data"}, {Name: "algorithm"}}}
		for _, s := range g.shares {
			t.Columns = append(t.Columns, report.Column{Name: s.title, Unit: "% of draws", Format: "%.1f"})
		}
		t.Columns = append(t.Columns, report.Column{Name: g.valueTitle})
		for _, data := range g.data {
			for _, m := range v.Methods() {
				if v.Stat(data, m, g.value).N == 0 {
					continue
				}
				row := []any{data, m}
				for _, s := range g.shares {
					row = append(row, 100*printedShare(v, data, m, s.score))
				}
				t.Add(append(row, experiment.Spread(v.Stat(data, m, g.value)))...)
			}
		}
		v.Page.Add(g.heading, g.text, t)
	}
	return nil
}

func learnedPrinted(v *experiment.View) []string {
	share := func(data, method, name string) float64 { return 100 * printedShare(v, data, method, name) }
	var out []string
	for _, d := range printedGroups[0].data {
		out = append(out, fmt.Sprintf("%s: ELM-KMPE as printed converges in %.0f %% of the draws and ends at a worse optimum in %.0f %%; started at zero with controlled steps %.0f %% and %.0f %%, at ridge regression %.0f %% and %.0f %%.", d,
			share(d, "as printed: zero, plain steps", convergedScore), share(d, "as printed: zero, plain steps", "worse"), share(d, "zero, controlled steps", convergedScore), share(d, "zero, controlled steps", "worse"), share(d, "ridge, controlled steps", convergedScore), share(d, "ridge, controlled steps", "worse")))
	}
	rows := printedGroups[1].data[0]
	out = append(out, fmt.Sprintf("PCA-KMPE with p = 10 as printed: the objective rose in %.0f %% of the draws; with the bandwidth kept in %.0f %%, with controlled steps in %.0f %%. p = 2, bandwidth in every step %.0f %%, kept %.0f %%.",
		share(rows, "as printed: p = 10, every step, plain", roseScore), share(rows, "p = 10, bandwidth kept, plain", roseScore), share(rows, "p = 10, bandwidth kept, controlled", roseScore), share(rows, "p = 2, every step, plain", roseScore), share(rows, "p = 2, bandwidth kept, plain", roseScore)))
	for _, d := range printedGroups[2].data {
		out = append(out, fmt.Sprintf("%s: the printed delta reaches the best row in %.0f %% of the draws, a lowered one in %.0f %%.", d, share(d, "as printed: constant delta", optimumScore), share(d, "delta lowered", optimumScore)))
	}
	for _, d := range printedGroups[3].data {
		out = append(out, fmt.Sprintf("%s: with eq. (15) the objective rose in %.0f %% of the draws, with u^2 in %.0f %%.", d, share(d, "as printed: eq. (15)", roseScore), share(d, "with u^2", roseScore)))
	}
	d := printedGroups[4].data[0]
	return append(out, fmt.Sprintf("Correntropy PCA: with 1/N the matrix has a negative eigenvalue in %.0f %% of the draws, with 1/N^2 in %.0f %%.", share(d, "as printed: 1/N", negativeScore), share(d, "1/N^2", negativeScore)))
}
