package catalog

import (
	"context"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linear"
)

func init() {
	add(&Method{
		Name:  "linear-robust",
		Title: "robust linear regression (MM-estimation) with any loss",
		About: "Finds the line that most rows agree on from a start that half of the rows cannot spoil, then reweights with the loss. " +
			"Reports standard errors, t and p values, a robust R2, and tells vertical outliers from good and bad leverage points. " +
			"Where the relation is curved, right rows on the bend are flagged too, as by R's lmrob; a warning says so when they are more than a fifth.",
		Paper: "Yohai: High breakdown-point and high efficiency robust estimates for regression; Salibian-Barrera, Yohai: A fast algorithm for S-regression estimates",
		Loss:  true, Beside: true, Updates: true, Default: linear.DefaultLoss.String(),
		Params: []Param{
			{Name: "cutoff", Kind: Number, Default: "auto", Min: 1e-6, Max: 1e6, Choices: []string{"auto"}, Meaning: "bandwidth of the loss in units of the residual scale; auto: 95 % efficiency on normal noise"},
			{Name: "intercept", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "a constant beside the columns"},
			{Name: "lambda", Kind: Number, Default: "0", Min: 0, Meaning: "ridge penalty on the coefficients of standardised columns"},
			{Name: "start", Kind: Choice, Default: "s", Choices: []string{"s", "lts", "classic"}, Meaning: "where the reweighting begins; s: smallest robust scale, lts: least trimmed squares, classic: least squares, which bad leverage points can spoil"},
			{Name: "samples", Kind: Integer, Default: "auto", Min: 1, Max: 1e6, Choices: []string{"auto"}, Meaning: "random subsets that the start tries"},
			{Name: "covariance", Kind: Choice, Default: "auto", Choices: []string{"auto", "mm", "sandwich"}, Meaning: "standard errors; mm: of Croux, Dhaene and Hoorelbeke (start=s), sandwich: with the scale taken as known"},
			{Name: "flag", Kind: Number, Default: "2.5", Min: 0, Open: true, Meaning: "absolute scaled residual beyond which a row is an outlier; with few rows widened to the same limit for new rows"},
			{Name: "max-steps", Kind: Integer, Default: "200", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"},
			{Name: "tol", Kind: Number, Default: "1e-09", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the coefficients change by less"},
			{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "shorten steps that would raise the objective"},
		},
	}, linearFamily, func(v Values) error {
		if v.Is("covariance", "mm") && !v.Is("start", "s") {
			return &UsageError{Parameter: ParametersField + "covariance", Problem: "covariance=mm needs start=s", Hint: "covariance=sandwich goes with every start"}
		}
		return nil
	}, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		o := linear.Robust{
			Loss: v.loss(), Cutoff: v.Float("cutoff"), NoIntercept: v.Is("intercept", "off"), Lambda: v.Float("lambda"), Start: linear.Start(v.Text("start")),
			Samples: v.Int("samples"), Covariance: linear.Covariance(v.Text("covariance")), ResidualCutoff: v.Float("flag"), MaxSteps: v.Int("max-steps"),
			Tol: v.Float("tol"), Plain: v.Is("control", "off"), Seed: run.Seed, Weights: run.Weights, Votes: run.Votes, OnStep: run.OnStep,
		}
		if data.beside != nil {
			return o.FitBeside(ctx, data.beside)
		}
		m, err := o.Fit(ctx, data.rows(), data.values)
		if err != nil && !irls.Ended(err) && !refused(err) {
			if constant := refuseConstant(data); constant != nil {
				return nil, constant
			}
		}
		return m, err
	})
}

var linearFamily = &family{name: "linear", tasks: []Task{Regress}, learns: learnNumbers, restore: restoring(linear.Restore), renew: renewingValues[*linear.Model], learner: true, missing: fillIn}
