package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/score"
)

// Metric is how predictions are judged.
type Metric struct {
	Name   string       // as typed, without the share: "trimmed"
	Text   string       // what it is
	Task   catalog.Task // what it judges
	Higher bool         // large values are good
	Share  float64      // trimmed: part of the rows that is left out
}

// DefaultTrim is the part of the rows with the largest errors that the trimmed error
// leaves out: validation rows are as dirty as the others, often by more than a tenth.
const DefaultTrim = 0.25

// MetricNames lists the names of all metrics.
func MetricNames() string {
	var names []string
	for _, m := range Metrics() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// Metrics are all metrics, the default of each task first.
func Metrics() []Metric {
	return []Metric{
		{"trimmed", trimmedText(DefaultTrim), catalog.Regress, false, DefaultTrim},
		{"rmse", "root mean squared error", catalog.Regress, false, 0},
		{"mae", "mean absolute error", catalog.Regress, false, 0},
		{"median", "median absolute error", catalog.Regress, false, 0},
		{"accuracy", "share of rows with the right class", catalog.Classify, true, 0},
		{"balanced", "mean over the classes of the share that is right", catalog.Classify, true, 0},
		{"log-loss", "mean negative logarithm of the probability of the true class", catalog.Classify, false, 0},
	}
}

func trimmedText(share float64) string {
	return fmt.Sprintf("root mean squared error without the %g %% of rows that fit worst", 100*share)
}

// MetricFor reads a metric for a task; empty text is the task's default.
func MetricFor(text string, task catalog.Task) (Metric, error) {
	name, share, given := strings.Cut(text, ":")
	var names []string
	for _, m := range Metrics() {
		if m.Task != task {
			continue
		}
		names = append(names, m.Name)
		if name != m.Name && text != "" {
			continue
		}
		if !given {
			return m, nil
		}
		v, err := strconv.ParseFloat(share, 64)
		if m.Share == 0 || err != nil || !(v >= 0 && v < 1) {
			return Metric{}, wrongIn("metric", "only trimmed takes a share, at least 0 and below 1: trimmed:0.25", "--metric %s is not allowed", text)
		}
		m.Share, m.Text = v, trimmedText(v)
		return m, nil
	}
	for _, m := range Metrics() {
		if m.Name == name {
			return Metric{}, wrongIn("metric", "use "+strings.Join(names, ", "), "metric %s does not fit the target", name)
		}
	}
	return Metric{}, wrongIn("metric", "there are "+strings.Join(names, ", "), "there is no metric %q", text)
}

// String is the text that MetricFor reads back.
func (m Metric) String() string {
	if m.Name == "trimmed" && m.Share != DefaultTrim {
		return fmt.Sprintf("trimmed:%g", m.Share)
	}
	return m.Name
}

// Better tells whether a beats b; NaN, which stands for a failure, never does.
func (m Metric) Better(a, b float64) bool {
	switch {
	case math.IsNaN(a):
		return false
	case math.IsNaN(b):
		return true
	case m.Higher:
		return a > b
	}
	return a < b
}

// outcome keeps of a prediction what the metric needs, one number per row: the predicted
// value, the predicted class, or for the log-loss the probability of the true class.
func (m Metric) outcome(p *catalog.Prediction, truth *dataset.Target) ([]float64, error) {
	switch {
	case m.Task == catalog.Regress:
		if p.Values == nil {
			return nil, fmt.Errorf("tune: the model predicts classes where numbers are expected")
		}
		for i, v := range p.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("tune: the prediction for a validation row (%d) is %g", i+1, v)
			}
		}
		return p.Values, nil
	case p.Labels == nil:
		return nil, fmt.Errorf("tune: the model predicts numbers where classes are expected")
	case m.Name != "log-loss":
		out := make([]float64, len(p.Labels))
		for i, k := range p.Labels {
			out[i] = float64(k)
		}
		return out, nil
	case p.Probabilities == nil:
		return nil, wrong("use --metric accuracy or balanced", "the method gives no probabilities, which the log-loss needs")
	}
	out := make([]float64, len(p.Labels))
	for i, k := range truth.Labels {
		out[i] = p.Probabilities.At(i, k)
	}
	return out, nil
}

// value judges outcomes of the given rows of the truth.
func (m Metric) value(truth *dataset.Target, rows []int, outcome []float64) (float64, error) {
	if m.Task == catalog.Regress {
		y := make([]float64, len(rows))
		for k, i := range rows {
			y[k] = truth.Values[i]
		}
		switch m.Name {
		case "rmse":
			return score.RMSE(y, outcome)
		case "mae":
			return score.MAE(y, outcome)
		case "median":
			return score.MedianAE(y, outcome)
		}
		return score.TrimmedRMSE(y, outcome, m.Share)
	}
	labels, given := make([]int, len(rows)), make([]int, len(rows))
	for k, i := range rows {
		labels[k], given[k] = truth.Labels[i], int(outcome[k])
	}
	switch m.Name {
	case "balanced":
		return score.BalancedAccuracy(labels, given, len(truth.Classes))
	case "log-loss":
		// As two classes, right and wrong, these are the probabilities that LogLoss wants.
		p := mat.NewDense(len(rows), 2, nil)
		for k, v := range outcome {
			v = min(max(v, 0), 1)
			p.SetRow(k, []float64{v, 1 - v})
			labels[k] = 0
		}
		return score.LogLoss(labels, p)
	}
	return score.Accuracy(labels, given)
}
