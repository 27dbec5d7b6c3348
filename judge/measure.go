package judge

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// Metric is one figure that measures a model on data.
type Metric struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
	Text  string        `json:"text"` // what it is
}

// usage is a mistake in a field of the request.
func usage(field, hint, format string, args ...any) error {
	return &catalog.UsageError{Parameter: field, Problem: fmt.Sprintf(format, args...), Hint: hint}
}

// Measure computes the metrics of the model's task.
func Measure(ctx context.Context, m catalog.Model, set *dataset.Set) ([]Metric, error) {
	ctx = given.Context(ctx)
	if p, ok := m.(catalog.Predictor); ok {
		if set.Target == nil {
			return nil, usage("target", "--target names the column with the truth", "scoring %s models needs the truth", m.Describe().Method)
		}
		made, err := p.Predict(ctx, set.X)
		if err != nil {
			return nil, err
		}
		if made.Values != nil {
			return regressionMetrics(made, set)
		}
		return classMetrics(m.Describe(), made, set)
	}
	if t, ok := m.(catalog.Transformer); ok {
		return reductionMetrics(ctx, t, set)
	}
	return nil, usage("model", "inlier inspect shows what a model is", "there are no metrics for %s models", m.Describe().Method)
}

// collect gathers metrics and stops at the first error.
type collect struct {
	list []Metric
	err  error
}

func (c *collect) add(name, text string, value float64, err error) {
	if err != nil && c.err == nil {
		c.err = &catalog.UsageError{Problem: err.Error(), Cause: err}
	}
	c.list = append(c.list, Metric{name, report.Number(value), text})
}

func regressionMetrics(made *catalog.Prediction, set *dataset.Set) ([]Metric, error) {
	truth := set.Target.Values
	if truth == nil {
		return nil, usage("target", "a regression needs numbers", "%s: target %q holds classes, not numbers", set.Name, set.Target.Name)
	}
	return errorMetrics(score.ErrorsOf(truth, made.Values))
}

func errorMetrics(e *score.Errors) ([]Metric, error) {
	f, err := e.Figures()
	var c collect
	c.add("rmse", "root mean squared error", f.RMSE, err)
	c.add("mae", "mean absolute error", f.MAE, err)
	c.add("median_ae", "median absolute error: blind to outliers in the target", f.MedianAE, err)
	c.add("trimmed_rmse", "root mean squared error without the tenth that fits worst", f.Trimmed, err)
	c.add("r2", "share of the target's variance that is explained", f.R2, err)
	return c.list, c.err
}

func classMetrics(d catalog.Description, made *catalog.Prediction, set *dataset.Set) ([]Metric, error) {
	if set.Target.Labels == nil {
		return nil, usage("target", "classes are needed", "%s: target %q holds numbers, not classes", set.Name, set.Target.Name)
	}
	var c collect
	if d.Task == catalog.Cluster {
		var a score.Agreement
		a.Add(set.Target.Labels, made.Labels)
		return agreementMetrics(&a)
	}
	// Classes are compared by name: a file may list them in another order.
	target := *set.Target // the set is the caller's
	if err := target.Match(d.Classes); err != nil {
		return nil, err
	}
	truth := target.Labels
	v, err := score.Accuracy(truth, made.Labels)
	c.add("accuracy", "share of rows with the right class", v, err)
	v, err = score.BalancedAccuracy(truth, made.Labels, len(d.Classes))
	c.add("balanced_accuracy", "mean over the classes of the share that is right", v, err)
	c.areas(made, truth, d.Classes)
	if made.Probabilities != nil {
		v, err = score.LogLoss(truth, made.Probabilities)
		c.add("log_loss", "mean negative logarithm of the probability of the true class", v, err)
		v, err = score.Brier(truth, made.Probabilities)
		c.add("brier", "mean squared error of the probabilities", v, err)
	}
	return c.list, c.err
}

// areas adds how well classes are ranked.
func (c *collect) areas(made *catalog.Prediction, truth []int, classes []string) {
	areas := areas(made, truth, classes, area)
	if len(areas) == 0 {
		return
	}
	auc, precision := meanAreas(areas)
	of := "mean over the classes, each against the others"
	if len(classes) == 2 {
		of = "finding " + areas[0].Class
	}
	c.add("auc", "area under the ROC curve, "+of, auc, nil)
	c.add("average_precision", "average precision, "+of, precision, nil)
}

func agreementMetrics(a *score.Agreement) ([]Metric, error) {
	var c collect
	v, err := a.MatchedAccuracy()
	c.add("matched_accuracy", "accuracy after the best matching of clusters to classes", v, err)
	c.add("nmi_sqrt", "normalised mutual information, by the root of both entropies", a.NMISqrt(), nil)
	c.add("nmi_mean", "normalised mutual information, by the mean of both entropies", a.NMIMean(), nil)
	c.add("ari", "adjusted Rand index", a.ARI(), nil)
	return c.list, c.err
}

func reductionMetrics(ctx context.Context, t catalog.Transformer, set *dataset.Set) ([]Metric, error) {
	if err := complete(set, 0); err != nil {
		return nil, err
	}
	back, err := t.Reconstruct(ctx, set.X)
	if err != nil {
		return nil, err
	}
	var c collect
	v, err := score.ReconstructionError(set.X, back)
	c.add("reconstruction_error", "mean distance of a row from its reconstruction", v, err)
	v, err = score.SquaredReconstructionError(set.X, back)
	c.add("squared_error", "mean squared distance", v, err)
	if d, ok := t.(catalog.Detector); ok {
		verdict, err := All(ctx, d, set, false)
		if err != nil {
			return nil, err
		}
		c.add("outlier_share", "share of rows that are outliers", float64(verdict.Outliers)/float64(max(1, verdict.Of)), nil)
		if labels := set.Target; labels != nil && len(labels.Classes) == 2 && labels.Labels != nil {
			c.detection(outlyingnessOf(verdict.Rows), labels.Labels)
		}
	}
	return c.list, c.err
}

// complete refuses rows with missing values, which a reconstruction cannot be compared with; before is the number of
// rows before them.
func complete(set *dataset.Set, before int) error {
	for i := range set.Rows() {
		for j, v := range set.X.RawRowView(i) {
			if v != v {
				return usage("", "leave such rows out", "%s: row %d, column %q is missing: the error of a reconstruction is that of complete rows", set.Name, before+i+1, set.Columns[j])
			}
		}
	}
	return nil
}

// detection takes the rarer of two classes as outliers and asks how well the model's
// outlyingness ranks them.
func (c *collect) detection(far []float64, labels []int) {
	count := 0
	for _, k := range labels {
		count += k
	}
	rare := 1
	if 2*count > len(labels) {
		rare = 0
	}
	positive := make([]bool, len(labels))
	for i, k := range labels {
		positive[i] = k == rare
	}
	if a, err := area(positive, far); err == nil {
		c.add("auc", "area under the ROC curve of outlyingness against the rarer class of the target", a.AUC, nil)
		c.add("average_precision", "average precision of outlyingness against the rarer class of the target", a.AveragePrecision, nil)
	}
}

func outlyingnessOf(rows []Row) []float64 {
	far := make([]float64, len(rows))
	for i := range rows {
		far[i] = rows[i].far
	}
	return far
}
