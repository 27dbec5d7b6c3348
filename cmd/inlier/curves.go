package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// lowWeight marks rows that have lost nearly all of their vote.
const lowWeight = 0.1

// curves draws how a model does on data with known truth and returns the file's bytes:
// residual plots, weights and, for one column, the learned function of a regression; ROC,
// precision-recall, confusion and reliability of a classification.
func curves(ctx context.Context, path string, m catalog.Model, set *dataset.Set, metrics []judge.Metric) ([]byte, error) {
	d := m.Describe()
	sections, err := curveSections(ctx, m, set)
	if err != nil {
		return nil, err
	}
	page := &report.Page{Title: d.Method + " on " + shortName(set.Name), Footer: "Made by `inlier score --plot`."}
	t := &report.Table{Columns: []report.Column{{Name: "metric"}, {Name: "value"}, {Name: "what it is"}}}
	for _, x := range metrics {
		t.Add(x.Name, float64(x.Value), x.Text)
	}
	page.Add("Metrics", "", t)
	var charts []*report.Chart
	for _, s := range sections {
		page.Add(s.chart.Title, s.text, s.chart)
		charts = append(charts, s.chart)
	}
	return render(path, page, charts...)
}

// curveSections are the charts of the model's task.
func curveSections(ctx context.Context, m catalog.Model, set *dataset.Set) ([]curveSection, error) {
	d := m.Describe()
	p, ok := m.(catalog.Predictor)
	if !ok || d.Task == catalog.Cluster || set.Target == nil {
		return nil, usage("inlier plot list MODEL tells which pictures a model has", "--plot draws curves of models that learn a target; a %s model does not", d.Method)
	}
	made, err := p.Predict(ctx, set.X)
	if err != nil {
		return nil, err
	}
	if made.Values != nil {
		return regressionCurves(ctx, p, made, set)
	}
	return classCurves(d, made, set)
}

// curveSection is a chart with what it shows.
type curveSection struct {
	text  string
	chart *report.Chart
}

func regressionCurves(ctx context.Context, p catalog.Predictor, made *catalog.Prediction, set *dataset.Set) ([]curveSection, error) {
	truth := set.Target.Values
	if truth == nil {
		return nil, usage("a regression needs numbers", "%s: target %q holds classes, not numbers", set.Name, set.Target.Name)
	}
	r := report.Residuals{Fitted: made.Values, Observed: truth}
	var weights []float64
	if d, ok := p.(catalog.Detector); ok {
		o, err := d.Outliers(ctx, set)
		if err != nil {
			return nil, err
		}
		r.Standardised, r.Cut = o.Residual, o.ResidualCutoff
		r.Distance, r.DistanceCut = o.ScoreDistance, o.ScoreCutoff
		weights = o.Weight
	}
	if r.Standardised == nil {
		r.Standardised = standardised(truth, made.Values)
	}
	sections := []curveSection{{"Residuals are in units of their robust scale. Rows beyond the dashed lines do not follow the model; far out to the right in the first picture they had the leverage to bend it.",
		report.ResidualPlots("Residual plots", r)}}
	if weights != nil {
		sections = append(sections, curveSection{"The vote that each row would have in a fit: 1 is a full vote, 0 is none.", report.Weights("Weights of the rows", weights, lowWeight)})
	}
	if set.Dim() == 1 {
		s, err := functionOf(ctx, p, p.Describe().Method, onlyColumn(set.X))
		if err != nil {
			return nil, err
		}
		low, high := bulk(slices.Sorted(slices.Values(truth)))
		sections = append(sections, curveSection{"What the model predicts over the range of the only column. Rows far above or below are outside the picture.",
			report.Curve("Learned function", report.Axis{Label: set.Columns[0]}, report.Axis{Label: set.Target.Name, Min: low, Max: high},
				report.Series{Name: "rows", X: onlyColumn(set.X), Y: truth}, s)})
	}
	return sections, nil
}

// standardised residuals in units of 1.4826 times their median absolute deviation.
func standardised(truth, fitted []float64) []float64 {
	out := make([]float64, len(truth))
	for i := range truth {
		out[i] = truth[i] - fitted[i]
	}
	_, scale := univariate.Deviation(slices.Clone(out))
	if scale == 0 {
		scale = math.SmallestNonzeroFloat64
	}
	for i := range out {
		out[i] /= scale
	}
	return out
}

// mostCurves is how many classes have a curve of their own.
const mostCurves = 8

func classCurves(d catalog.Description, made *catalog.Prediction, set *dataset.Set) ([]curveSection, error) {
	target := *set.Target
	if err := target.Match(d.Classes); err != nil {
		return nil, err
	}
	counts, err := score.Confusion(target.Labels, made.Labels, len(d.Classes))
	if err != nil {
		return nil, err
	}
	sections, err := rateCurves(d.Classes, made, target.Labels)
	if err != nil {
		return nil, err
	}
	sections = append(sections, curveSection{"True classes down, given classes across; the colour is the share of the true class.", report.Confusion("Confusion matrix", d.Classes, counts)})
	if made.Probabilities != nil {
		c := calibration(made, target.Labels)
		c.Name = d.Method
		text := "How often the class with the highest probability is right, against that probability. On the diagonal probabilities mean what they say."
		if len(d.Classes) == 2 {
			text = fmt.Sprintf("How often rows are \"%s\", against the probability given. On the diagonal probabilities mean what they say.", report.Literal(d.Classes[1]))
		}
		sections = append(sections, curveSection{text, report.Reliability("Reliability of the probabilities", c)})
	}
	return sections, nil
}

// rateCurves draws ROC and precision-recall of each class against the others.
func rateCurves(classes []string, made *catalog.Prediction, labels []int) ([]curveSection, error) {
	rank := made.Scores
	if rank == nil {
		rank = made.Probabilities
	}
	if rank == nil {
		return nil, nil
	}
	var chosen []int
	for k := range classes {
		n := 0
		for _, l := range labels {
			if l == k {
				n++
			}
		}
		if n > 0 && n < len(labels) { // a curve needs both kinds
			chosen = append(chosen, k)
		}
	}
	left := len(chosen)
	if len(classes) == 2 && len(chosen) == 2 {
		chosen = chosen[1:] // the other one is the same picture mirrored
		left = 1
	}
	chosen = chosen[:min(len(chosen), mostCurves)]
	if len(chosen) == 0 {
		return nil, nil
	}
	var roc, pr []report.RateCurve
	guess := math.NaN()
	for _, k := range chosen {
		positive := make([]bool, len(labels))
		share := 0.0
		for i, l := range labels {
			if positive[i] = l == k; positive[i] {
				share += 1 / float64(len(labels))
			}
		}
		values := mat.Col(nil, k, rank)
		a, err := score.ROC(positive, values)
		if err != nil {
			return nil, badInput(err, "")
		}
		b, err := score.PrecisionRecall(positive, values)
		if err != nil {
			return nil, badInput(err, "")
		}
		roc = append(roc, report.RateCurve{Name: classes[k], X: a.FalsePositive, Y: a.TruePositive, Area: a.AUC})
		pr = append(pr, report.RateCurve{Name: classes[k], X: b.Recall, Y: b.Precision, Area: b.AveragePrecision})
		if len(chosen) == 1 {
			guess = share
		}
	}
	note := ""
	if left > len(chosen) {
		note = fmt.Sprintf("The first %d of %d classes.", len(chosen), left)
	}
	first, second := report.ROC("ROC curve", roc...), report.PrecisionRecall("Precision and recall", guess, pr...)
	first.Note, second.Note = note, note
	return []curveSection{
		{"Each class against the others: rows of the class found, against others taken for it, as the threshold falls.", first},
		{"How many of the rows taken for a class are right, as more of its rows are found.", second},
	}, nil
}

// calibration sorts the rows into ten bins by probability: of the second of two classes,
// otherwise of the class with the highest one.
func calibration(made *catalog.Prediction, labels []int) report.Calibration {
	const bins = 10
	var sum, right, count [bins]float64
	_, classes := made.Probabilities.Dims()
	for i, l := range labels {
		row := made.Probabilities.RawRowView(i)
		k := 1
		if classes != 2 {
			k = slices.Index(row, slices.Max(row))
		}
		if math.IsNaN(row[k]) {
			continue
		}
		b := min(max(int(row[k]*bins), 0), bins-1)
		sum[b] += row[k]
		count[b]++
		if l == k {
			right[b]++
		}
	}
	var c report.Calibration
	for b := range bins {
		if count[b] > 0 {
			c.Predicted = append(c.Predicted, sum[b]/count[b])
			c.Observed = append(c.Observed, right[b]/count[b])
			c.Count = append(c.Count, count[b])
		}
	}
	return c
}
