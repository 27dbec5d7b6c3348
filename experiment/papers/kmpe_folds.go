package papers

import (
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// The kmpe paper chooses the parameters of Tables V and VI "experimentally by fivefold
// cross-validation". Beside the printed ones every machine is tuned so on the training rows
// of each split: settings drawn at random from the same ranges for all.
const (
	foldDraws   = 12
	foldRepeats = 10 // splits; the search takes sixty fits for each
)

var fiveFoldText = fmt.Sprintf("Beside the printed parameters, on the first %d splits: %d settings of each machine drawn at random (nodes 10 to 200, penalty 1e-7 to 0.1, bandwidth 0.1 to 2, power 1 to 4, each where a machine has it) and judged by five-fold cross-validation on the training rows, as the paper says that it chose; the printed ones seem to be one choice for all splits.", foldRepeats, foldDraws)

// foldName is the name of a machine tuned by five folds.
func foldName(method string) string { return method + ", five folds" }

// fiveFold is the case of the machines tuned on the same splits.
func (c uciCase) fiveFold(printed experiment.Case, metric string, task catalog.Task, note fitScore) experiment.Case {
	out := printed
	out.Repeats, out.Entrants = foldRepeats, nil
	for _, t := range c.machines() {
		out.Entrants = append(out.Entrants, t.searched(foldName(t.method), budget{foldDraws, 5}, metric, task, note))
	}
	return out
}

// foldSets are the cases that the records have tuned runs of.
func foldSets(v *experiment.View, scoreName string, cases []uciCase) []uciCase {
	var out []uciCase
	for _, c := range cases {
		if v.Stat(c.data, foldName(machineNames[3]), scoreName).N > 0 {
			out = append(out, c)
		}
	}
	return out
}

// presentFiveFold lays the tuned machines beside those with printed parameters, on the same
// splits.
func presentFiveFold(v *experiment.View, scoreName, label, format, better string, cases []uciCase) {
	cases = foldSets(v, scoreName, cases)
	if len(cases) == 0 {
		return
	}
	t := &report.Table{Title: "On test rows, " + label + ": mean and standard deviation over the same splits", Across: true, Columns: []report.Column{{Name: "data"}, {Name: "parameters"}}}
	for _, m := range machineNames {
		t.Columns = append(t.Columns, report.Column{Name: m, Format: format, Best: bestOf(better)})
	}
	for _, c := range cases {
		printed, tuned := []any{c.data, "printed"}, []any{"", "five folds"}
		for _, m := range machineNames {
			x, y := v.Pairs(c.data, m, foldName(m), scoreName)
			printed, tuned = append(printed, experiment.Spread(experiment.Summarise(x))), append(tuned, experiment.Spread(experiment.Summarise(y)))
		}
		t.Add(printed...)
		t.Add(tuned...)
	}
	v.Page.Add("Parameters by five-fold cross-validation", "", t)
}

// learnedFiveFold tells whether ELM-KMPE leads when every machine is tuned as the paper says.
func learnedFiveFold(v *experiment.View, scoreName, better string, cases []uciCase) []string {
	cases = foldSets(v, scoreName, cases)
	if len(cases) == 0 {
		return nil
	}
	best, clearly, behind := 0, 0, 0
	own := foldName(machineNames[3])
	for _, c := range cases {
		first := true
		for _, m := range machineNames[:3] {
			a, b := v.Stat(c.data, own, scoreName).Mean, v.Stat(c.data, foldName(m), scoreName).Mean
			first = first && (better == "low" && a <= b || better == "high" && a >= b)
		}
		if first {
			best++
		}
		x, y := v.Pairs(c.data, own, foldName("elm-rcc"), scoreName)
		if len(x) < 3 {
			continue
		}
		if t, err := tune.Resampled(x, y, float64(c.test)/float64(c.train)); err == nil && t.P < 0.05 {
			if (t.Difference < 0) == (better == "low") {
				clearly++
			} else {
				behind++
			}
		}
	}
	return []string{fmt.Sprintf("With every machine tuned by five folds ELM-KMPE has the best mean on %d of %d sets; it is better than ELM-RCC beyond chance on %d and worse on %d.", best, len(cases), clearly, behind)}
}
