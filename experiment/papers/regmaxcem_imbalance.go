package papers

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// imbalanced is a set with folds.
type imbalanced struct {
	set   *dataset.Set // dirty labels
	truth []bool       // clean: malignant
	folds []dataset.Partition
}

func planImbalance(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
	set, err := e.Read(ctx, "classification/wdbc.csv", file.Options{Target: "target", Task: dataset.TaskClass})
	if err != nil {
		return nil, err
	}
	draw := func(_ context.Context, seed uint64) (any, error) {
		var benign, malignant []int
		for _, i := range dataset.Random(seed, "imbalance").Perm(set.Rows()) {
			if set.Target.Class(i) == "M" {
				malignant = append(malignant, i)
			} else {
				benign = append(benign, i)
			}
		}
		clean := set.Subset(append(benign, malignant[:len(benign)/5]...))
		d := &imbalanced{}
		for i := range clean.Rows() {
			d.truth = append(d.truth, clean.Target.Class(i) == "M")
		}
		var err error
		if d.set, _, err = corrupt.Apply(clean, "label:0.2", seed); err != nil {
			return nil, err
		}
		d.folds, err = dataset.Folds(clean, 10, dataset.SplitRules{Stratify: true}, seed)
		return d, err
	}
	var out []experiment.Case
	for _, kernel := range []string{"linear", "rbf"} {
		c := experiment.Case{Data: kernel, Stream: "imbalance", Draw: draw}
		for _, l := range machineLosses {
			params := map[string]string{"kernel": kernel}
			for k, v := range l.params {
				params[k] = v
			}
			c.Entrants = append(c.Entrants, experiment.Entrant{Name: l.name, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
				return foldAreas(ctx, b, l.method, params)
			}})
		}
		out = append(out, c)
	}
	return out, nil
}

func foldAreas(ctx context.Context, b *experiment.Bench, method string, params map[string]string) error {
	d := b.Data.(*imbalanced)
	scores := make([]float64, len(d.truth))
	for _, f := range d.folds {
		m, err := b.Fit(ctx, method, penalised(method, params), d.set.Subset(f.Train))
		if err != nil {
			return err
		}
		p, err := m.(catalog.Predictor).Predict(ctx, d.set.Subset(f.Test).X)
		if err != nil {
			return err
		}
		positive := 0
		for k, class := range m.Describe().Classes {
			if class == "M" {
				positive = k
			}
		}
		for k, i := range f.Test {
			scores[i] = p.Scores.At(k, positive) - p.Scores.At(k, 1-positive)
		}
	}
	roc, err := score.ROC(d.truth, scores)
	if err != nil {
		return err
	}
	pr, err := score.PrecisionRecall(d.truth, scores)
	if err != nil {
		return err
	}
	b.Score("auc", roc.AUC)
	b.Score("average_precision", pr.AveragePrecision)
	if b.Repeat == 0 {
		b.Series("fpr", roc.FalsePositive)
		b.Series("tpr", roc.TruePositive)
		b.Series("recall", pr.Recall)
		b.Series("precision", pr.Precision)
	}
	return nil
}

func presentImbalance(_ context.Context, v *experiment.View) error {
	for _, kernel := range v.Data() {
		var roc, pr []report.RateCurve
		for k, m := range v.Methods() {
			first := v.Of(kernel, m)[0]
			roc = append(roc, report.RateCurve{Name: m, X: first.Series["fpr"], Y: first.Series["tpr"], Area: float64(first.Scores["auc"]), Color: k + 1})
			pr = append(pr, report.RateCurve{Name: m, X: first.Series["recall"], Y: first.Series["precision"], Area: float64(first.Scores["average_precision"]), Color: k + 1})
		}
		v.Page.Add("Fig. 2: "+kernel+", first draw", "", report.Beside{report.ROC("ROC", roc...), report.PrecisionRecall("Precision and recall", 1.0/6, pr...)})
	}
	v.Page.Add("Areas", "", v.Table("Area under the ROC curve", "auc", "%.4f", "high", v.Data(), v.Methods()), v.Table("Average precision", "average_precision", "%.4f", "high", v.Data(), v.Methods()))
	return nil
}
