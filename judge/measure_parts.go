package judge

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/score"
)

// Measuring computes the metrics of a model one part of the rows after the other, from sums and counts. What ranks all
// rows (areas under curves) holds a few numbers of each, and is left out where that is more than the room.
type Measuring struct {
	model catalog.Model
	about catalog.Description
	rows  int // of all parts
	room  int // numbers that may be held

	errors   score.Errors
	agree    score.Agreement
	table    [][]int    // counts of true classes and predicted ones
	sums     [4]float64 // log loss, squared errors of probabilities, distances, squared distances
	likely   bool       // there are probabilities
	numbers  bool       // predictions are numbers
	outliers int
	seen     int // rows so far, of a reduction

	ranked int       // numbers held of each row for a ranking; 0: none yet, -1: too many
	scores []float64 // these
	truth  []int
}

// NewMeasuring begins with no row of so many, and may hold so many numbers.
func NewMeasuring(m catalog.Model, rows, room int) *Measuring {
	return &Measuring{model: m, about: m.Describe(), rows: rows, room: room}
}

// Again tells that all rows are needed a second time, in the same order.
func (g *Measuring) Again() bool { return g.errors.Again() }

// Add takes in the next rows.
func (g *Measuring) Add(ctx context.Context, part *dataset.Set) error {
	if p, ok := g.model.(catalog.Predictor); ok {
		if part.Target == nil {
			return usage("target", "--target names the column with the truth", "scoring %s models needs the truth", g.about.Method)
		}
		made, err := p.Predict(ctx, part.X)
		switch {
		case err != nil:
			return err
		case made.Values == nil:
			return g.labels(made, part)
		case part.Target.Values == nil:
			return usage("target", "a regression needs numbers", "%s: target %q holds classes, not numbers", part.Name, part.Target.Name)
		}
		g.numbers = true
		return badMetric(g.errors.Add(part.Target.Values, made.Values))
	}
	if t, ok := g.model.(catalog.Transformer); ok {
		return g.reduced(ctx, t, part)
	}
	return usage("model", "inlier inspect shows what a model is", "there are no metrics for %s models", g.about.Method)
}

// badMetric makes what cannot be measured the user's to mend.
func badMetric(err error) error {
	if err == nil {
		return nil
	}
	return &catalog.UsageError{Problem: err.Error(), Cause: err}
}

// labels takes in predicted classes or clusters.
func (g *Measuring) labels(made *catalog.Prediction, part *dataset.Set) error {
	if part.Target.Labels == nil {
		return usage("target", "classes are needed", "%s: target %q holds numbers, not classes", part.Name, part.Target.Name)
	}
	if g.about.Task == catalog.Cluster {
		g.agree.Add(part.Target.Labels, made.Labels)
		return nil
	}
	target := *part.Target
	if err := target.Match(g.about.Classes); err != nil {
		return err
	}
	counts, err := score.Confusion(target.Labels, made.Labels, len(g.about.Classes))
	if err != nil {
		return badMetric(err)
	}
	if g.table == nil {
		g.table = counts
	} else {
		for i, row := range counts {
			for j, n := range row {
				g.table[i][j] += n
			}
		}
	}
	n := float64(len(target.Labels))
	if made.Probabilities != nil {
		g.likely = true
		for k, mean := range []func([]int, *mat.Dense) (float64, error){score.LogLoss, score.Brier} {
			v, err := mean(target.Labels, made.Probabilities)
			if err != nil {
				return badMetric(err)
			}
			g.sums[k] += n * v
		}
	}
	scores := made.Scores
	if scores == nil || len(g.about.Classes) > 2 && made.Probabilities != nil {
		scores = made.Probabilities
	}
	if scores != nil {
		_, k := scores.Dims()
		g.rank(k, target.Labels, func(i int) []float64 { return scores.RawRowView(i) })
	}
	return nil
}

// rank holds numbers of rows, so many of each, for a ranking, which takes two more while it is made.
func (g *Measuring) rank(width int, truth []int, numbers func(i int) []float64) {
	if (width+3)*g.rows > g.room {
		g.ranked = -1
		return
	}
	if g.scores == nil {
		g.scores, g.truth = make([]float64, 0, width*g.rows), make([]int, 0, g.rows)
	}
	g.ranked = width
	for i, k := range truth {
		g.scores, g.truth = append(g.scores, numbers(i)...), append(g.truth, k)
	}
}

// reduced takes in what is left of rows.
func (g *Measuring) reduced(ctx context.Context, t catalog.Transformer, part *dataset.Set) error {
	if err := complete(part, g.seen); err != nil {
		return err
	}
	g.seen += part.Rows()
	back, err := t.Reconstruct(ctx, part.X)
	if err != nil {
		return err
	}
	n := float64(part.Rows())
	for k, mean := range []func(a, b *mat.Dense) (float64, error){score.ReconstructionError, score.SquaredReconstructionError} {
		v, err := mean(part.X, back)
		if err != nil {
			return badMetric(err)
		}
		g.sums[2+k] += n * v
	}
	d, ok := t.(catalog.Detector)
	if !ok {
		return nil
	}
	v, err := NewParts(d, part.Name, false).Judge(ctx, 0, part)
	if err != nil {
		return err
	}
	g.outliers += v.Outliers
	if labels := part.Target; labels != nil && len(labels.Classes) == 2 && labels.Labels != nil {
		far := outlyingnessOf(v.Rows)
		g.rank(1, labels.Labels, func(i int) []float64 { return far[i : i+1] })
	}
	return nil
}

// Metrics are those of all rows, and what was left out.
func (g *Measuring) Metrics() (list []Metric, remarks []string, err error) {
	if g.ranked < 0 {
		remarks = append(remarks, "areas under curves rank all rows, of which more would be held than the bound on memory allows: they are left out")
	}
	n := float64(g.rows)
	var c collect
	switch _, predicts := g.model.(catalog.Predictor); {
	case g.numbers:
		list, err = errorMetrics(&g.errors)
		return list, remarks, err
	case predicts && g.about.Task == catalog.Cluster:
		list, err = agreementMetrics(&g.agree)
		return list, remarks, err
	case predicts:
		right := 0
		for k, row := range g.table {
			right += row[k]
		}
		c.add("accuracy", "share of rows with the right class", float64(right)/n, nil)
		c.add("balanced_accuracy", "mean over the classes of the share that is right", score.BalancedAccuracyOf(g.table), nil)
		if g.ranked > 0 {
			made := &catalog.Prediction{Scores: mat.NewDense(len(g.truth), g.ranked, g.scores)}
			c.areas(made, g.truth, g.about.Classes)
		}
		if g.likely {
			c.add("log_loss", "mean negative logarithm of the probability of the true class", g.sums[0]/n, nil)
			c.add("brier", "mean squared error of the probabilities", g.sums[1]/n, nil)
		}
	default:
		c.add("reconstruction_error", "mean distance of a row from its reconstruction", g.sums[2]/n, nil)
		c.add("squared_error", "mean squared distance", g.sums[3]/n, nil)
		if _, ok := g.model.(catalog.Detector); ok {
			c.add("outlier_share", "share of rows that are outliers", float64(g.outliers)/n, nil)
		}
		if g.ranked > 0 {
			c.detection(g.scores, g.truth)
		}
	}
	return c.list, remarks, c.err
}
