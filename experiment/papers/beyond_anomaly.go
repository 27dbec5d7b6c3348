package papers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

var anomalySets = []string{"annthyroid", "cardiotocography", "ionosphere", "mammography", "pima", "satellite", "shuttle", "stamps", "vowels", "wdbc", "wine"}

// anomalyRows bounds the rows of the quick form.
const anomalyRows = 2000

// anomalyTask is a table as it is and with columns scaled, and which rows are anomalies.
type anomalyTask struct {
	plain, scaled *dataset.Set
	anomaly       []bool
}

// anomalyEntrants are detectors: ours on both tables, scikit-learn's likewise.
var anomalyEntrants = []struct {
	name, method string
	scaled       bool
}{
	{"pca-robust (default)", "pca-robust", false},
	{"pca-robust, scaled", "pca-robust", true},
	{"pca", "pca", false},
	{"pca, scaled", "pca", true},
	{"IsolationForest", "isolation-forest", false},
	{"LOF", "lof", false},
	{"LOF, scaled", "lof", true},
	{"EllipticEnvelope", "elliptic-envelope", false},
}

func init() {
	var needs []string
	for _, s := range anomalySets {
		needs = append(needs, "anomaly/"+s+".csv")
	}
	experiment.Register(&experiment.Spec{
		ID: "beyond-anomaly", Paper: "beyond", Item: "Anomalies", Title: "robust PCA as a detector on eleven anomaly sets",
		About: "Distances from a robust subspace make a detector. How good is it, with nothing tuned, beside scikit-learn's IsolationForest, LocalOutlierFactor and EllipticEnvelope with their defaults?",
		Protocol: []string{
			"Eleven sets with known anomalies, which no method is told. All rows are fitted and judged.",
			"Our outlier score is sqrt((orthogonal distance / its cut-off)^2 + (score distance / its cut-off)^2) with all parameters at their defaults.",
			"Area under the ROC curve, and average precision.",
			fmt.Sprintf("The quick form takes at most %d rows of a set, drawn at random; the full form all.", anomalyRows),
		},
		Choices: []string{
			"PCA depends on the units of the columns. Each distance-based detector is run on the table as it is and on columns scaled by median and median absolute deviation (standard deviation where that is 0). Forests and ellipsoids do not depend on units.",
			"scikit-learn takes part where Python has it.",
		},
		Needs: needs, Quick: experiment.Form{Repeats: 3, Minutes: 2}, Full: experiment.Form{Repeats: 3, Minutes: 3},
		Plan: planAnomaly, Present: presentAnomaly, Learned: learnedAnomaly,
	})
}

func planAnomaly(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	var entrants []experiment.Entrant
	for _, a := range anomalyEntrants {
		if _, err := catalog.Lookup(a.method); err != nil && pythonPath() == "" {
			continue
		}
		entrants = append(entrants, experiment.Entrant{Name: a.name, Run: func(ctx context.Context, b *experiment.Bench) error {
			task := b.Data.(*anomalyTask)
			set := task.plain
			if a.scaled {
				set = task.scaled
			}
			scores, err := anomalyScores(ctx, b, a.method, set)
			if err != nil {
				return err
			}
			roc, err := score.ROC(task.anomaly, scores)
			if err != nil {
				return err
			}
			pr, err := score.PrecisionRecall(task.anomaly, scores)
			if err != nil {
				return err
			}
			b.Score("auc", roc.AUC)
			b.Score("average_precision", pr.AveragePrecision)
			return nil
		}})
	}
	var out []experiment.Case
	for _, name := range anomalySets {
		set, err := e.Read(ctx, "anomaly/"+name+".csv", file.Options{Target: "target", Task: dataset.TaskClass})
		if err != nil {
			return nil, err
		}
		data := name
		if !e.Full && set.Rows() > anomalyRows {
			data = fmt.Sprintf("%s (%d of %d rows)", name, anomalyRows, set.Rows())
		}
		out = append(out, experiment.Case{Data: data, Stream: name, Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
			rows := dataset.Random(seed, "anomaly").Perm(set.Rows())
			if !e.Full {
				rows = rows[:min(len(rows), anomalyRows)]
			}
			return newAnomalyTask(set.Subset(rows)), nil
		}})
	}
	return out, nil
}

func newAnomalyTask(set *dataset.Set) *anomalyTask {
	t := &anomalyTask{anomaly: make([]bool, set.Rows())}
	for i := range t.anomaly {
		t.anomaly[i] = set.Target.Class(i) == "anomaly"
	}
	plain := *set
	plain.Target = nil
	t.plain = &plain
	scaled := plain
	scaled.X = robustlyScaled(set.X)
	t.scaled = &scaled
	return t
}

// robustlyScaled divides columns by 1.4826 median absolute deviations from the median;
// by the standard deviation where that is 0, by 1 where that is 0 too.
func robustlyScaled(x *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, d := x.Dims()
	for j := range d {
		column := mat.Col(nil, j, x)
		middle := univariate.MedianOf(column)
		away := make([]float64, n)
		for i, v := range column {
			away[i] = abs(v - middle)
		}
		scale := 1.4826 * univariate.Median(away)
		if scale == 0 {
			scale = experiment.Summarise(column).SD
		}
		if scale == 0 || math.IsNaN(scale) {
			scale = 1
		}
		for i, v := range column {
			out.Set(i, j, (v-middle)/scale)
		}
	}
	return out
}

func anomalyScores(ctx context.Context, b *experiment.Bench, method string, set *dataset.Set) ([]float64, error) {
	if _, err := catalog.Lookup(method); err != nil {
		var out []float64
		err := b.Time(func() (err error) {
			out, err = detectorScores(ctx, method, set.X, b.Seed)
			return err
		})
		return out, err
	}
	m, err := b.Fit(ctx, method, nil, set)
	if err != nil {
		return nil, err
	}
	o, err := m.(catalog.Detector).Outliers(ctx, set)
	if err != nil {
		return nil, err
	}
	out := make([]float64, set.Rows())
	for i := range out {
		out[i] = math.Hypot(ratio(o.OrthogonalDistance[i], o.OrthogonalCutoff), ratio(o.ScoreDistance[i], o.ScoreCutoff))
	}
	return out, nil
}

// ratio is a distance in units of its cut-off; 0 without a cut-off.
func ratio(distance, cutoff float64) float64 {
	if cutoff == 0 {
		return 0
	}
	return distance / cutoff
}

func presentAnomaly(_ context.Context, v *experiment.View) error {
	for _, s := range []struct{ title, name string }{{"Area under the ROC curve", "auc"}, {"Average precision", "average_precision"}} {
		t := v.Table("", s.name, "%.3f", "high", v.Data(), v.Methods())
		mean := []any{"mean"}
		for _, m := range v.Methods() {
			mean = append(mean, meanOver(v, m, s.name))
		}
		t.Add(mean...)
		v.Page.Add(s.title, "", t)
	}
	var bars []report.BarSeries
	for k, s := range []string{"auc", "average_precision"} {
		one := report.BarSeries{Name: s, Color: k + 1}
		for _, m := range v.Methods() {
			one.Values = append(one.Values, meanOver(v, m, s))
		}
		bars = append(bars, one)
	}
	v.Page.Add("Means over the sets", "", report.Bars("", report.Axis{Label: "mean", Min: 0, Max: 1}, v.Methods(), bars...))
	return nil
}

// meanOver is the mean of a score over the data sets.
func meanOver(v *experiment.View, method, name string) float64 {
	sum := 0.0
	for _, d := range v.Data() {
		sum += v.Stat(d, method, name).Mean / float64(len(v.Data()))
	}
	return sum
}

func learnedAnomaly(v *experiment.View) []string {
	best, top := "", 0.0
	line := "Mean area under the ROC curve:"
	for _, m := range v.Methods() {
		a := meanOver(v, m, "auc")
		line += fmt.Sprintf(" %s %.3f;", m, a)
		if a > top {
			best, top = m, a
		}
	}
	wins := map[string]int{}
	for _, d := range v.Data() {
		name, high := "", 0.0
		for _, m := range v.Methods() {
			if a := v.Stat(d, m, "auc").Mean; a > high {
				name, high = m, a
			}
		}
		wins[name]++
	}
	count := "Best on most sets:"
	for _, m := range v.Methods() {
		if wins[m] > 0 {
			count += fmt.Sprintf(" %s on %d;", m, wins[m])
		}
	}
	everywhere := "No detector is best everywhere."
	if wins[best] == len(v.Data()) {
		everywhere = "It is the best on every set."
	}
	return []string{line[:len(line)-1] + ".", fmt.Sprintf("The best mean is that of %s. %s", best, everywhere), count[:len(count)-1] + "."}
}
