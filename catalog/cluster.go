package catalog

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/verdict"
)

// Parameters that clusterings share.
var (
	clustersParam = Param{Name: "clusters", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of clusters; auto: as many as the target has classes, or else what the decision graph of the density peaks suggests"}
	initParam     = Param{Name: "init", Kind: Choice, Default: "auto", Choices: initNames(), Meaning: "where to start; auto: kmeans++, for a robust fit also the density peaks; farthest: as in the pca-gm paper; density-peaks: as in the corr-tensor paper"}
	restartsParam = Param{Name: "restarts", Kind: Integer, Default: "auto", Min: 1, Max: 100000, Choices: []string{"auto"}, Meaning: "random starts, of which the best counts; auto: 10, for a robust fit 20"}
	clusterSteps  = Param{Name: "max-steps", Kind: Integer, Default: "300", Min: 1, Max: 1e6, Meaning: "most steps from one start"}
	clusterTol    = Param{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Meaning: "stop when the squared movements of the centers sum to fewer column variances than this"}
)

func initNames() []string {
	out := make([]string, len(cluster.Inits))
	for i, n := range cluster.Inits {
		out[i] = string(n)
	}
	return out
}

func init() {
	registerLearner(&Method{
		Name: "kmeans", Family: "cluster", Tasks: []Task{Cluster}, Title: "k-means, ordinary or trimmed",
		Paper: "Lloyd: Least squares quantization in PCM; Cuesta-Albertos, Gordaliza, Matran: Trimmed k-means; starts from Oh, Kwak: Generalized mean for robust principal component analysis",
		About: "Centers are the means of the rows nearest to them. A few far rows can carry a center away or keep one for themselves; trim leaves the rows that fit worst without a vote.",
		Params: []Param{
			clustersParam, initParam, restartsParam,
			{Name: "trim", Kind: Number, Default: "0", Min: 0, Max: 0.9, Meaning: "share of the rows, those furthest from their centers, that has no vote"},
			clusterSteps, clusterTol,
		},
		Build: buildKMeans("kmeans"), Restore: restoreKMeans,
	})
	registerLearner(&Method{
		Name: "kmeans-robust", Family: "cluster", Tasks: []Task{Cluster}, Title: "k-means with any loss of the distance",
		Paper:  "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss, for the losses",
		About:  "Rows keep a vote that falls with the distance from the nearest center, by the loss named by --loss. Centers are means too, so what helps subspaces helps them.",
		Params: []Param{clustersParam, initParam, restartsParam, clusterSteps, clusterTol},
		Loss:   true, Default: "welsch:sigma=auto",
		Build: buildKMeans("kmeans-robust"), Restore: restoreKMeans,
	})
	registerLearner(&Method{
		Name: "density-peaks", Family: "cluster", Tasks: []Task{Cluster}, Title: "clustering by density peaks, with its decision graph",
		Paper: "Rodriguez, Laio: Clustering by fast search and find of density peaks",
		About: fmt.Sprintf("Centers are rows with many neighbours, far from every row with more of them; other rows follow the nearest denser row, so clusters may have any shape. Compares all pairs: up to %d rows.", cluster.MostPeakRows),
		Params: []Param{
			clustersParam,
			{Name: "kernel", Kind: Choice, Default: "gaussian", Choices: []string{"gaussian", "cutoff"}, Meaning: "neighbours count by exp(-(distance/dc)^2), or one each within dc"},
			{Name: "dc", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "how far neighbours are; auto: the percentile of all distances"},
			{Name: "percent", Kind: Number, Default: "2", Min: 0, Max: 100, Open: true, Meaning: "percentile of the distances that dc=auto takes"},
		},
		Build: func(v Values) (Fitter, error) {
			return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
				return fitPeaks(ctx, data, v, run)
			}), nil
		},
		Restore: restorePeaks,
	})
}

// clusterCount is the number of clusters asked for; with auto, the number of classes that
// occur in the target, or 0.
func clusterCount(v Values, data *dataset.Set) int {
	if k := v.Int("clusters"); k > 0 || data.Target == nil {
		return k
	}
	seen := map[int]bool{}
	for _, c := range data.Target.Labels {
		if c >= 0 { // known
			seen[c] = true
		}
	}
	return len(seen)
}

func buildKMeans(method string) func(v Values) (Fitter, error) {
	return func(v Values) (Fitter, error) {
		config := cluster.KMeans{
			Init: cluster.Init(v.Text("init")), Restarts: v.Int("restarts"), Trim: v.Float("trim"), MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"),
		}
		if config.Tol == 0 {
			config.Tol = -1 // until no row changes its center
		}
		var spec loss.Spec
		if method == "kmeans-robust" {
			var err error
			spec, err = loss.Parse(v.Text("loss"))
			if err != nil {
				return nil, &UsageError{Problem: err.Error(), Hint: "inlier losses lists them"}
			}
			config.Loss = spec
		}
		return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
			k := config
			k.Clusters, k.Seed, k.Weights, k.OnStep = clusterCount(v, data), run.Seed, run.Weights, run.OnStep
			fitted, err := k.Fit(ctx, linalg.FromDense(data.X))
			if err != nil {
				return nil, explainCluster(err, data)
			}
			d := describeCluster(method, fitted, v, data, run)
			if l := fitted.Loss(); l != nil {
				d.Loss = l.String()
			} else if method == "kmeans-robust" {
				d.Loss = spec.String()
			}
			return &kmeansModel{Model: fitted, description: d}, nil
		}), nil
	}
}

// explainCluster puts names of files and columns into errors that are the user's to mend.
func explainCluster(err error, data *dataset.Set) error {
	var missing *cluster.MissingError
	var count *cluster.CountError
	var size *cluster.SizeError
	switch {
	case errors.As(err, &missing):
		return missingCell(data, missing.Row, missing.Column, missing.Value, "every row needs all its numbers; --set reduce=pca-robust --set reduce.missing=fit fills gaps by a low-rank fit first")
	case errors.As(err, &count):
		return &UsageError{Problem: fmt.Sprintf("%s: clusters=%d is more than the %d rows that can fill them", data.Name, count.Clusters, count.Rows), Hint: fmt.Sprintf("clusters is an integer from 1 to %d here, or auto", count.Rows)}
	case errors.As(err, &size):
		return &UsageError{Problem: fmt.Sprintf("%s: density-peaks compares all pairs of rows: %d rows are more than %d", data.Name, size.Rows, cluster.MostPeakRows), Hint: "kmeans with init=density-peaks uses the peaks of a sample"}
	}
	return refusal(err, data.Name)
}

// describeCluster fills in what all clusterings report.
func describeCluster(method string, m *cluster.Model, v Values, data *dataset.Set, run Run) Description {
	_, k := m.Dims()
	used := Parameters{}
	for name, text := range v {
		used[name] = text
	}
	used["clusters"] = strconv.Itoa(k)
	d := Description{
		Method: method, Family: "cluster", Task: Cluster, Rows: len(m.Labels()), Columns: data.Dim(), Parameters: used,
		Status: m.Status().String(), Seed: run.Seed, Effective: loss.EffectiveSampleSize(m.Weights()), Outliers: m.Training().Count(),
		ColumnNames: data.Columns, Shape: data.Shape, Classes: clusterNames(k), Warnings: m.Warnings(),
	}
	d.endedWith(m.Steps())
	d.Numbers = map[string]any{"inertia": m.Inertia(), "sizes": m.Sizes()}
	if data.Target != nil && data.Target.Labels != nil {
		d.Target = data.Target.Name
		truth, found := data.Target.Labels, m.Labels()
		for name, measure := range map[string]func(truth, found []int) (float64, error){
			"matched_accuracy": score.MatchedAccuracy, "nmi_sqrt": score.NMISqrt, "nmi_mean": score.NMIMean, "ari": score.ARI,
		} {
			if value, err := measure(truth, found); err == nil {
				d.Numbers[name] = value
			}
		}
	}
	return d
}

// clusterNames are "1", "2", ...
func clusterNames(k int) []string {
	out := make([]string, k)
	for c := range out {
		out[c] = strconv.Itoa(c + 1)
	}
	return out
}

// kmeansModel is a fitted k-means with its description.
type kmeansModel struct {
	*cluster.Model
	description Description
}

func (m *kmeansModel) Describe() Description { return m.description }

// Trace is the trace of the best start.
func (m *kmeansModel) Trace() []irls.Step { return m.Steps() }

// Predict gives every row the cluster of the nearest center.
func (m *kmeansModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	return predictCluster(ctx, m.Model, x)
}

// Outliers judges rows by their distance from the nearest center.
func (m *kmeansModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	return clusterOutliers(ctx, m.Model, data)
}

// clusterJudge is what all clusterings can do.
type clusterJudge interface {
	Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error)
}

func predictCluster(ctx context.Context, m clusterJudge, x *mat.Dense) (*Prediction, error) {
	j, err := m.Judge(ctx, x)
	if err != nil {
		return nil, explainCluster(err, &dataset.Set{Name: "data", X: x})
	}
	return &Prediction{Labels: j.Label}, nil
}

func clusterOutliers(ctx context.Context, m clusterJudge, data *dataset.Set) (*verdict.Rows, error) {
	judged, err := m.Judge(ctx, data.X)
	if err != nil {
		return nil, explainCluster(err, data)
	}
	return judged, nil
}

// clusterState lists the arrays that all clusterings have. Labels are counted from 0.
func clusterState(p cluster.Parts, d Description) State {
	labels := make([]float64, len(p.Labels))
	for i, c := range p.Labels {
		labels[i] = float64(c)
	}
	s := State{
		Description: d,
		Arrays:      map[string]Array{"centers": Matrix(p.Centers), "labels": Vector(labels), "cutoffs": Vector(p.Cutoffs), "weights": Vector(p.Weights)},
		Extra:       map[string]any{"loss_at": p.Loss, "largest_log_weight": p.LargestLogWeight, "trim_radius": p.Radius},
	}
	if len(p.Objective) > 0 { // density peaks do not iterate
		s.Arrays["objective"] = Vector(p.Objective)
	}
	return s
}

func (m *kmeansModel) State() State { return clusterState(m.Parts(), m.description) }

func clusterParts(s State) (cluster.Parts, error) {
	r := s.read()
	p := cluster.Parts{
		Centers: r.matrix("centers"), Cutoffs: r.vector("cutoffs"), Weights: r.vector("weights"), Loss: r.text("loss_at"),
		LargestLogWeight: r.number("largest_log_weight"), Radius: r.number("trim_radius"),
	}
	if r.has("objective") {
		p.Objective = r.vector("objective")
	}
	for _, v := range r.vector("labels") {
		p.Labels = append(p.Labels, int(v))
	}
	p.Status = r.status()
	p.Inertia, _ = s.Description.Numbers["inertia"].(float64)
	return p, r.err
}

func restoreKMeans(s State) (Model, error) {
	p, err := clusterParts(s)
	if err != nil {
		return nil, err
	}
	m, err := cluster.FromParts(p)
	if err != nil {
		return nil, err
	}
	return &kmeansModel{Model: m, description: s.Description}, nil
}

var _ interface {
	Predictor
	Detector
} = (*kmeansModel)(nil)
