package papers

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/tune"
)

func init() { experiment.RegisterOverview(lossOverview) }

// duel is the comparison of two tuned methods of a family under one kind of dirt.
type duel struct {
	gain, low, high float64 // of the first over the second, positive is better; NaN: not run
	p               float64
	runs            int
}

// duel tests the mean over the sets, repeat by repeat: sets are what they are, draws could
// have been others.
func (f tuningFamily) duel(v *experiment.View, dirt, own, other string) duel {
	x, y := f.eachRepeat(v, dirt, own, other)
	if own == "" || other == "" || len(x) < 3 {
		return duel{gain: math.NaN(), p: 1}
	}
	t, err := score.PairedT(x, y)
	if err == nil && f.ratio > 0 && t.Low < t.High {
		t, err = tune.Resampled(x, y, f.ratio)
	}
	if err != nil {
		return duel{gain: math.NaN(), p: 1}
	}
	d := duel{gain: t.Difference, low: t.Low, high: t.High, p: t.P, runs: len(x)}
	if f.better == "low" {
		d.gain, d.low, d.high = -t.Difference, -t.High, -t.Low
	}
	return d
}

// eachRepeat are the means over the sets of two tuned methods in the repeats that have both
// on all sets.
func (f tuningFamily) eachRepeat(v *experiment.View, dirt, own, other string) (x, y []float64) {
	counts := map[int]int{}
	sums := map[int][2]float64{}
	most := 0
	for _, set := range f.sets {
		data := f.data(set, dirt)
		for _, a := range v.Of(data, tunedName(own)) {
			for _, b := range v.Of(data, tunedName(other)) {
				s, ok := a.Scores[f.score]
				t, both := b.Scores[f.score]
				if a.Repeat == b.Repeat && ok && both {
					n := float64(len(f.sets))
					sums[a.Repeat] = [2]float64{sums[a.Repeat][0] + float64(s)/n, sums[a.Repeat][1] + float64(t)/n}
					counts[a.Repeat]++
					most = max(most, a.Repeat+1)
				}
			}
		}
	}
	for repeat := range most {
		if counts[repeat] == len(f.sets) {
			x, y = append(x, sums[repeat][0]), append(y, sums[repeat][1])
		}
	}
	return x, y
}

// shown is a gain with its interval, and what the adjusted test makes of it.
func (d duel) shown(format, word string) any {
	if math.IsNaN(d.gain) {
		return nil
	}
	signed := "%+" + format[1:]
	return fmt.Sprintf(signed+" ("+signed+" to "+signed+"), %s", d.gain, d.low, d.high, word)
}

// word says what an adjusted test makes of it.
func (d duel) word(adjusted float64) string {
	switch {
	case math.IsNaN(d.gain):
		return ""
	case adjusted >= 0.05:
		return "undecided"
	case d.gain > 0:
		return "better"
	}
	return "worse"
}

// matches are the pairs of losses that the overview compares.
var matches = []struct {
	name string
	of   func(f tuningFamily) (own, other string)
}{
	{"KMPE over correntropy", func(f tuningFamily) (string, string) { return f.kmpe, f.correntropy }},
	{"KMPE over square", func(f tuningFamily) (string, string) { return f.kmpe, f.square }},
	{"correntropy over square", func(f tuningFamily) (string, string) { return f.correntropy, f.square }},
}

// overviewLine is one task of the overview.
type overviewLine struct {
	f     tuningFamily
	dirt  string
	duels []duel
}

// overviewLines are the tasks that the records have, with their duels.
func overviewLines(v *experiment.View) []overviewLine {
	var out []overviewLine
	for _, f := range tuningFamilies {
		for _, dirt := range f.dirt {
			if !f.ran(v, dirt) {
				continue
			}
			line := overviewLine{f: f, dirt: dirt}
			for _, m := range matches {
				own, other := m.of(f)
				line.duels = append(line.duels, f.duel(v, dirt, own, other))
			}
			out = append(out, line)
		}
	}
	return out
}

// lossOverview puts KMPE, correntropy and the square loss beside each other, each in the same
// model and tuned alike, on the papers' own tasks.
func lossOverview(view func(id string) *experiment.View) *experiment.Overview {
	v := view("beyond-equal-tuning")
	if v == nil {
		return nil
	}
	lines := overviewLines(v)
	if len(lines) == 0 {
		return nil
	}
	var p []float64
	for _, l := range lines {
		for _, d := range l.duels {
			if !math.IsNaN(d.gain) {
				p = append(p, d.p)
			}
		}
	}
	adjusted, tests := score.Holm(p), len(p)
	gains := &report.Table{Title: "Gains, with 95 % confidence intervals", Across: true, Columns: []report.Column{{Name: "task"}}}
	means := &report.Table{Title: "The means behind them, everybody tuned", Across: true, Columns: []report.Column{{Name: "task, and where it is from"}, {Name: "measure"}, {Name: "square"}, {Name: "correntropy"}, {Name: "KMPE"}}}
	for _, m := range matches {
		gains.Columns = append(gains.Columns, report.Column{Name: m.name})
	}
	count := make([]map[string]int, len(matches))
	for _, l := range lines {
		task := l.f.name + ", " + l.dirt
		row := []any{task + ": " + l.f.from, l.f.measure()}
		for _, method := range []string{l.f.square, l.f.correntropy, l.f.kmpe} {
			row = append(row, l.f.cell(v, method, l.dirt))
		}
		means.Add(row...)
		row = []any{task}
		for k, d := range l.duels {
			word := ""
			if !math.IsNaN(d.gain) {
				word, adjusted = d.word(adjusted[0]), adjusted[1:]
				if count[k] == nil {
					count[k] = map[string]int{}
				}
				count[k][word]++
			}
			row = append(row, d.shown(l.f.format, word))
		}
		gains.Add(row...)
	}
	return &experiment.Overview{Title: "Which claims survive equal tuning", Detail: v.Spec.ID, Text: overviewText(count, lines[0].duels[0].runs, tests), Tables: []*report.Table{gains, means}}
}

// measure names what the family is measured by.
func (f tuningFamily) measure() string {
	if f.name == "images" {
		return "squared distance"
	}
	return map[string]string{"rmse": "RMSE", "accuracy": "accuracy, %", "error": "distance"}[f.score]
}

// cell is a mean with the method's name.
func (f tuningFamily) cell(v *experiment.View, method, dirt string) any {
	mean := math.NaN()
	if method != "" {
		mean = f.overSets(v, tunedName(method), dirt)
	}
	if math.IsNaN(mean) {
		return nil
	}
	return fmt.Sprintf(f.format+" (%s)", mean, method)
}

// overviewText is what the table says, in words.
func overviewText(count []map[string]int, runs, tests int) string {
	text := fmt.Sprintf("The papers tune their own method. Here the same model has each of three losses, every one tuned with the same budget (%d settings, %d-fold cross-validation on dirty training rows), on the papers' own tasks. "+
		"A gain is the difference of two means, positive where the first loss is better, with its 95 %% confidence interval over %d draws (widened where draws are divisions of one table); better and worse are beyond chance after adjustment for all %d comparisons (Holm).",
		tuningDraws, tuningFolds, runs, tests)
	for k, m := range matches {
		if c := count[k]; c != nil {
			text += fmt.Sprintf(" **%s**: better in %d of %d tasks, undecided in %d, worse in %d.", m.name, c["better"], c["better"]+c["undecided"]+c["worse"], c["undecided"], c["worse"])
		}
	}
	return text
}
