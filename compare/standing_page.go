package compare

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/tune"
)

// Page is the comparison as a page with pictures.
func (r *Standing) Page(ctx context.Context) (*report.Page, error) {
	ctx = given.Context(ctx)
	s := r.standing
	winner := s.Lines[0]
	page := &report.Page{
		Title: "Methods that learn " + r.Target + " from " + words.Base(r.Data),
		Lead:  fmt.Sprintf("Best by %s is **%s** with %s; in %s all methods met the same training and test rows.", s.Metric.Text, report.Literal(winner.Label), words.Short(winner.Mean), words.Plural(r.Repeats, "repeat")),
		Facts: []report.Fact{
			{Name: "rows", Value: fmt.Sprint(r.Rows)}, {Name: "columns", Value: fmt.Sprint(r.Columns)}, {Name: "repeats", Value: fmt.Sprint(r.Repeats)},
			{Name: "training rows", Value: fmt.Sprint(r.Train)}, {Name: "test rows", Value: fmt.Sprint(r.Test)},
		},
	}
	if r.Corrupt != "" {
		page.Lead += fmt.Sprintf(" The training rows were dirtied on purpose by `%s`, which hit %s of them; test rows are as they came.", r.Corrupt, words.Short(float64(r.Hit)))
	}
	page.Add("Side by side", "", r.Table(false))
	var samples []report.Sample
	var names []string
	var ranks []float64
	for _, l := range s.Lines {
		if l.Failure == "" {
			samples = append(samples, report.Sample{Name: l.Label, Values: l.Scores[s.Metric.Name]})
			names, ranks = append(names, l.Label), append(ranks, l.MeanRank)
		}
	}
	page.Add("Spread over the repeats", "Each box holds the middle half of the repeats.",
		report.Boxplot("Scores of the repeats", report.Axis{Label: s.Metric.String()}, samples...),
		report.Bars("Mean rank", report.Axis{Label: "mean rank, 1 is best"}, names, report.BarSeries{Values: ranks}))
	if err := addExamples(ctx, page, s); err != nil {
		return nil, err
	}
	page.Footer = "Made by `inlier compare`. Predictions are those of the test rows of the first repeat."
	return page, nil
}

// addExamples shows predictions of the first repeat: of the best method and, where they
// differ, of the best classical and the last one.
func addExamples(ctx context.Context, page *report.Page, s *tune.Standing) error {
	var shown []tune.Line
	for _, l := range s.Lines {
		if l.First != nil {
			shown = append(shown, l)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	if len(shown[0].First.Test.Columns) == 1 && s.Task == catalog.Regress {
		chart, err := learnedFunctions(ctx, "Functions learned in the first repeat", shown[:min(len(shown), 6)])
		if err != nil {
			return err
		}
		page.Add("Learned functions", "", chart)
	}
	pair := report.Beside{}
	for _, l := range ends(shown) {
		chart, err := exampleChart(l)
		if err != nil {
			return err
		}
		pair = append(pair, chart)
	}
	text := "Target and prediction of test rows. Points on the line are predicted exactly."
	if s.Task == catalog.Classify {
		text = "True classes down, given classes across; test rows of the first repeat."
	}
	page.Add("Best and last", text, pair)
	return nil
}

// ends are the first and the last of several lines.
func ends(lines []tune.Line) []tune.Line {
	if len(lines) == 1 {
		return lines
	}
	return []tune.Line{lines[0], lines[len(lines)-1]}
}

// exampleChart shows the test rows of the first repeat.
func exampleChart(l tune.Line) (*report.Chart, error) {
	truth, made := l.First.Test.Target, l.First.Prediction
	if made.Values == nil {
		counts, err := score.Confusion(truth.Labels, made.Labels, len(truth.Classes))
		if err != nil {
			return nil, err
		}
		return report.Confusion(l.Label, truth.Classes, counts), nil
	}
	low, high := report.Range(truth.Values)
	return report.Scatter(l.Label, report.Axis{Label: "prediction"}, report.Axis{Label: truth.Name},
		report.Series{X: made.Values, Y: truth.Values},
		report.Series{X: []float64{low, high}, Y: []float64{low, high}, Mark: report.Line, Dashed: true, Color: 2}), nil
}

// learnedFunctions draws what methods predict over the only column, beside the training
// rows.
func learnedFunctions(ctx context.Context, title string, lines []tune.Line) (*report.Chart, error) {
	train := lines[0].First.Train
	var curves []report.Series
	for _, l := range lines {
		p, ok := l.First.Model.(catalog.Predictor)
		if !ok {
			continue
		}
		s, err := plot.Function(ctx, p, l.Label, train)
		if err != nil {
			return nil, err
		}
		curves = append(curves, s)
	}
	return plot.Functions(title, "training rows", train, curves...), nil
}
