package catalog

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/score"
)

// Parameters that clusterings share.
var (
	clustersParam = Param{Name: "clusters", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of clusters; auto: as many as the target has classes, or else what the decision graph of the density peaks suggests"}
	initParam     = Param{Name: "init", Kind: Choice, Default: "auto", Choices: []string{"auto", "kmeans++", "random", "farthest", "density-peaks"}, Meaning: "where to start; auto: kmeans++, for a robust fit also the density peaks; farthest: as in the pca-gm paper; density-peaks: as in the corr-tensor paper"}
	restartsParam = Param{Name: "restarts", Kind: Integer, Default: "auto", Min: 1, Max: 100000, Choices: []string{"auto"}, Meaning: "random starts, of which the best counts; auto: 10, for a robust fit 20"}
	clusterSteps  = Param{Name: "max-steps", Kind: Integer, Default: "300", Min: 1, Max: 1e6, Meaning: "most steps from one start"}
	clusterTol    = Param{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Meaning: "stop when the squared movements of the centers sum to fewer column variances than this"}
)

func init() {
	add(&Method{
		Name: "kmeans", Title: "k-means, ordinary or trimmed",
		Paper: "Lloyd: Least squares quantization in PCM; Cuesta-Albertos, Gordaliza, Matran: Trimmed k-means; starts from Oh, Kwak: Generalized mean for robust principal component analysis",
		About: "Centers are the means of the rows nearest to them. A few far rows can carry a center away or keep one for themselves; trim leaves the rows that fit worst without a vote.",
		Params: []Param{
			clustersParam, initParam, restartsParam,
			{Name: "trim", Kind: Number, Default: "0", Min: 0, Max: 0.9, Meaning: "share of the rows, those furthest from their centers, that has no vote"},
			clusterSteps, clusterTol,
		},
	}, kmeansFamily, nil, fitKMeans)
	add(&Method{
		Name: "kmeans-robust", Title: "k-means with any loss of the distance",
		Paper:  "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss, for the losses",
		About:  "Rows keep a vote that falls with the distance from the nearest center, by the loss named by --loss. Centers are means too, so what helps subspaces helps them.",
		Params: []Param{clustersParam, initParam, restartsParam, clusterSteps, clusterTol},
		Loss:   true, Default: "welsch:sigma=auto",
	}, kmeansFamily, nil, fitKMeans)
	add(&Method{
		Name: "density-peaks", Title: "clustering by density peaks, with its decision graph",
		Paper: "Rodriguez, Laio: Clustering by fast search and find of density peaks",
		About: fmt.Sprintf("Centers are rows with many neighbours, far from every row with more of them; other rows follow the nearest denser row, so clusters may have any shape. Compares all pairs: up to %d rows.", cluster.MostPeakRows),
		Params: []Param{
			clustersParam,
			{Name: "kernel", Kind: Choice, Default: "gaussian", Choices: []string{"gaussian", "cutoff"}, Meaning: "neighbours count by exp(-(distance/dc)^2), or one each within dc"},
			{Name: "dc", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "how far neighbours are; auto: the percentile of all distances"},
			{Name: "percent", Kind: Number, Default: "2", Min: 0, Max: 100, Open: true, Meaning: "percentile of the distances that dc=auto takes"},
		},
	}, peaksFamily, nil, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		return cluster.DensityPeaks{
			Clusters: clusterCount(v, data), Weights: run.Weights,
			Density: cluster.Density{CutOff: v.Is("kernel", "cutoff"), Reach: v.Float("dc"), Percent: v.Float("percent")},
		}.Fit(ctx, data.rows())
	})
}

const clusterMissing = "every row needs all its numbers; --set reduce=pca-robust --set reduce.missing=fit fills gaps by a low-rank fit first"

var (
	kmeansFamily = &family{name: "cluster", tasks: []Task{Cluster}, restore: restoring(cluster.Restore), learner: true, missing: clusterMissing}
	peaksFamily  = &family{name: "cluster", tasks: []Task{Cluster}, restore: restoring(cluster.RestorePeaks), learner: true, missing: clusterMissing}
)

// clusterCount is the number of clusters asked for; with auto, the number of classes that
// occur in the target, or 0.
func clusterCount(v Values, data *lesson) int {
	if k := v.Int("clusters"); k > 0 || data.target == nil {
		return k
	}
	seen := map[int]bool{}
	for _, c := range data.target.Labels {
		if c >= 0 { // known
			seen[c] = true
		}
	}
	return len(seen)
}

// fitKMeans fits k-means, with the loss of methods that take one.
func fitKMeans(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
	config := cluster.KMeans{
		Clusters: clusterCount(v, data), Start: cluster.Start(v.Text("init")), Restarts: v.Int("restarts"), Trim: v.Float("trim"),
		MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Seed: run.Seed, Weights: run.Weights, OnStep: run.OnStep,
	}
	if config.Tol == 0 {
		config.Tol = -1 // until no row changes its center
	}
	if _, ok := v["loss"]; ok {
		config.Loss = v.loss()
	}
	return config.Fit(ctx, data.rows())
}

// compareClusters adds how the clusters found agree with known classes.
func compareClusters(d *Description, found, truth []int) {
	if len(truth) == 0 || len(truth) != len(found) {
		return
	}
	var a score.Agreement
	a.Add(truth, found)
	d.Numbers["nmi_sqrt"], d.Numbers["nmi_mean"], d.Numbers["ari"] = a.NMISqrt(), a.NMIMean(), a.ARI()
	if matched, err := a.MatchedAccuracy(); err == nil {
		d.Numbers["matched_accuracy"] = matched
	}
}
