package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// arrangement says who is tuned.
type arrangement struct {
	name        string
	own, others bool
}

var arrangements = []arrangement{{"nobody", false, false}, {"only the paper's method", true, false}, {"everybody", true, true}}

// as is the name of a method in an arrangement.
func (a arrangement) as(f tuningFamily, method string) string {
	if method == f.own && a.own || method != f.own && a.others {
		return tunedName(method)
	}
	return method
}

// overSets is the mean of a method over the sets under one kind of dirt.
func (f tuningFamily) overSets(v *experiment.View, method, dirt string) float64 {
	sum := 0.0
	for _, set := range f.sets {
		sum += v.Stat(f.data(set, dirt), method, f.score).Mean / float64(len(f.sets))
	}
	return sum
}

// better tells whether a is better than b.
func (f tuningFamily) beats(a, b float64) bool {
	if f.better == "high" {
		return a > b
	}
	return a < b
}

// rank is the mean over the sets of a method's rank among all methods of an arrangement, 1
// for the best; equals share.
func (f tuningFamily) rank(v *experiment.View, a arrangement, method, dirt string) float64 {
	sum := 0.0
	for _, set := range f.sets {
		mean := func(m string) float64 { return v.Stat(f.data(set, dirt), a.as(f, m), f.score).Mean }
		place := 1.0
		for _, other := range f.methods {
			switch {
			case other == method:
			case f.beats(mean(other), mean(method)):
				place++
			case mean(other) == mean(method):
				place += 0.5
			}
		}
		sum += place / float64(len(f.sets))
	}
	return sum
}

// rival is the best of the other methods by the mean over the sets.
func (f tuningFamily) rival(v *experiment.View, a arrangement, dirt string) string {
	best := ""
	for _, m := range f.methods {
		if m != f.own && (best == "" || f.beats(f.overSets(v, a.as(f, m), dirt), f.overSets(v, a.as(f, best), dirt))) {
			best = m
		}
	}
	return best
}

// lead compares the paper's method with the best rival.
type lead struct {
	rival         string
	difference    experiment.Stat // own less rival, over the sets; over the repeats where there is one set
	better, worse int             // sets on which they differ beyond chance
	tested        int
}

func (f tuningFamily) lead(v *experiment.View, a arrangement, dirt string) lead {
	l := lead{rival: f.rival(v, a, dirt)}
	own, rival := a.as(f, f.own), a.as(f, l.rival)
	var differences []float64
	for _, set := range f.sets {
		data := f.data(set, dirt)
		x, y := v.Pairs(data, own, rival, f.score)
		if len(f.sets) == 1 {
			for i := range x {
				differences = append(differences, x[i]-y[i])
			}
		} else {
			differences = append(differences, experiment.Summarise(x).Mean-experiment.Summarise(y).Mean)
		}
		t, ok := f.test(v, data, own, rival)
		if !ok {
			continue
		}
		l.tested++
		switch {
		case t.P >= 0.05:
		case f.beats(t.Difference, 0):
			l.better++
		default:
			l.worse++
		}
	}
	l.difference = experiment.Summarise(differences)
	return l
}

// test compares two methods over the repeats of one data set.
func (f tuningFamily) test(v *experiment.View, data, a, b string) (score.TTest, bool) {
	if f.ratio > 0 {
		return v.PairedSplits(data, a, b, f.score, f.ratio)
	}
	return v.Paired(data, a, b, f.score)
}

func presentTuning(_ context.Context, v *experiment.View) error {
	for _, f := range tuningFamilies {
		if !f.ran(v, f.dirt[0]) {
			continue
		}
		f = f.recorded(v)
		what := map[string]string{"rmse": "RMSE on test rows", "accuracy": "accuracy on test rows, %", "error": "mean distance from clean test faces"}[f.score]
		switch f.name {
		case "digits":
			what = "accuracy of the clusters, %"
		case "images":
			what = "squared distance from clean test faces"
		}
		var charts []*report.Chart
		means := &report.Table{Title: "Mean " + what, Columns: []report.Column{{Name: "dirt"}, {Name: "tuned"}}, Across: true}
		ranks := &report.Table{Title: "Mean rank over the sets, 1 is best", Columns: slices.Clone(means.Columns), Across: true}
		leads := &report.Table{Title: f.own + " against the best other method", Columns: []report.Column{{Name: "dirt"}, {Name: "tuned"}, {Name: "best other"}, {Name: "difference", Format: "%+" + f.format[1:]}, {Name: "sd", Format: f.format}, {Name: "clearly better"}, {Name: "clearly worse"}}}
		for _, m := range f.methods {
			means.Columns = append(means.Columns, report.Column{Name: m, Format: f.format, Best: bestOf(f.better)})
			ranks.Columns = append(ranks.Columns, report.Column{Name: m, Format: "%.1f", Best: report.Lowest})
		}
		for _, dirt := range f.dirt {
			bars := []report.BarSeries{{Name: "not tuned", Color: 7}, {Name: "tuned", Color: 1}}
			for _, m := range f.methods {
				bars[0].Values = append(bars[0].Values, f.overSets(v, m, dirt))
				bars[1].Values = append(bars[1].Values, f.overSets(v, tunedName(m), dirt))
			}
			charts = append(charts, report.Bars(dirt, report.Axis{Label: what}, f.methods, bars...))
			for k, a := range arrangements {
				if l := f.lead(v, a, dirt); l.difference.N > 0 {
					leads.Add(dirt, a.name, l.rival, l.difference.Mean, l.difference.SD, fmt.Sprintf("%d of %d", l.better, l.tested), fmt.Sprintf("%d of %d", l.worse, l.tested))
				}
				if k == 1 {
					continue
				}
				mean, rank := []any{dirt, a.name}, []any{dirt, a.name}
				for _, m := range f.methods {
					mean, rank = append(mean, f.overSets(v, a.as(f, m), dirt)), append(rank, f.rank(v, a, m, dirt))
				}
				means.Add(mean...)
				ranks.Add(rank...)
			}
		}
		over := "sets"
		if len(f.sets) == 1 {
			over = "draws"
		}
		leads.Notes = []string{fmt.Sprintf("Difference: %s less the other, mean and standard deviation over the %s; %s is better. Clearly: on so many sets p < 0.05 over the repeats.", f.own, over, map[string]string{"low": "negative", "high": "positive"}[f.better])}
		blocks := []report.Block{report.Group("", charts...), leads, means}
		if len(f.sets) > 1 {
			blocks = append(blocks, ranks)
		}
		v.Page.Add(strings.ToUpper(f.name[:1])+f.name[1:], "Not tuned: "+f.fixed+".", blocks...)
	}
	for _, f := range tuningFamilies {
		if len(f.sets) == 1 || !f.ran(v, f.dirt[0]) {
			continue
		}
		f = f.recorded(v)
		var data, tuned []string
		for _, dirt := range f.dirt {
			for _, set := range f.sets {
				data = append(data, f.data(set, dirt))
			}
		}
		for _, m := range f.methods {
			tuned = append(tuned, tunedName(m))
		}
		v.Page.Add("Every set: "+f.name, "", v.Table("Everybody tuned: mean and standard deviation over splits", f.score, f.format, f.better, data, tuned))
	}
	return nil
}

func bestOf(better string) report.Best {
	if better == "high" {
		return report.Highest
	}
	return report.Lowest
}

func learnedTuning(v *experiment.View) []string {
	var out []string
	kept, gained, cases := 0, 0, 0
	for _, f := range tuningFamilies {
		for _, dirt := range f.dirt {
			if !f.ran(v, dirt) {
				continue
			}
			f := f.recorded(v)
			alone, all := f.lead(v, arrangements[1], dirt), f.lead(v, arrangements[2], dirt)
			cases++
			line := fmt.Sprintf("%s, %s: tuned alone, %s %s", f.name, dirt, f.own, leads(f, alone, "the best other method ("+alone.rival+")"))
			line += fmt.Sprintf("; with everybody tuned it %s (sd "+f.format+").", leads(f, all, all.rival), all.difference.SD)
			out = append(out, line)
			if ahead(f, alone) > 0 {
				gained++
				if ahead(f, all) > 0 {
					kept++
				}
			}
		}
	}
	return append(out, fmt.Sprintf("In %d of %d kinds of task the paper's method leads when it alone is tuned; in %d of these it still does when everybody is.", gained, cases, kept))
}

// leads says who is ahead of the rival, and by how much.
func leads(f tuningFamily, l lead, rival string) string {
	by := fmt.Sprintf(f.format, abs(l.difference.Mean))
	switch at := ahead(f, l); {
	case at == 0:
		return "is level with " + rival
	case at > 0:
		return "leads " + rival + " by " + by
	}
	return "trails " + rival + " by " + by
}

// ahead is the lead with the sign that larger is better; 0 where the digits shown are level.
func ahead(f tuningFamily, l lead) float64 {
	switch {
	case fmt.Sprintf(f.format, abs(l.difference.Mean)) == fmt.Sprintf(f.format, 0.0):
		return 0
	case f.better == "low":
		return -l.difference.Mean
	}
	return l.difference.Mean
}
