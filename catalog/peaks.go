package catalog

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/verdict"
)

// peakModel is a clustering by density peaks with its description.
type peakModel struct {
	*cluster.PeakModel
	description Description
}

func fitPeaks(ctx context.Context, data *dataset.Set, v Values, run Run) (Model, error) {
	fitted, err := cluster.DensityPeaks{
		Clusters: clusterCount(v, data), Weights: run.Weights,
		Density: cluster.Density{CutOff: v.Is("kernel", "cutoff"), Reach: v.Float("dc"), Percent: v.Float("percent")},
	}.Fit(ctx, data.X)
	if err != nil {
		return nil, explainCluster(err, data)
	}
	d := describeCluster("density-peaks", fitted.Model, v, data, run)
	g := fitted.Graph()
	d.Parameters["dc"] = strconv.FormatFloat(g.Reach, 'g', -1, 64)
	d.Objective = fitted.Inertia() / float64(data.Rows())
	halo := 0
	for _, h := range fitted.Halo() {
		if h {
			halo++
		}
	}
	peaks := fitted.Peaks()
	for c := range peaks {
		peaks[c]++
	}
	d.Numbers["suggested_clusters"], d.Numbers["halo"], d.Numbers["peak_rows"] = g.Suggested(), halo, peaks
	return &peakModel{PeakModel: fitted, description: d}, nil
}

func (m *peakModel) Describe() Description { return m.description }

// DecisionGraph gives what report.DecisionGraph draws: density and distance of the
// training rows, and which of them are centers.
func (m *peakModel) DecisionGraph() (density, distance []float64, centers []int) {
	g := m.Graph()
	return g.Density, g.Distance, m.Peaks()
}

// Predict gives every row the cluster of the nearest training row.
func (m *peakModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	return predictCluster(ctx, m.PeakModel, x)
}

// Outliers judges rows by their distance from the center of their cluster.
func (m *peakModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	return clusterOutliers(ctx, m.PeakModel, data)
}

// State adds the decision graph and the training rows, which new rows follow.
func (m *peakModel) State() State {
	p := m.Parts()
	s := clusterState(p.Parts, m.description)
	s.Arrays["support"], s.Arrays["rho"], s.Arrays["delta"] = Matrix(p.Rows), Vector(p.Density), Vector(p.Distance)
	s.Extra["dc"] = p.Reach
	return s
}

func restorePeaks(s State) (Model, error) {
	base, err := clusterParts(s)
	if err != nil {
		return nil, err
	}
	p := cluster.PeakParts{Parts: base}
	if p.Rows, err = s.matrix("support"); err != nil {
		return nil, err
	}
	for name, into := range map[string]*[]float64{"rho": &p.Density, "delta": &p.Distance} {
		if *into, err = s.vector(name); err != nil {
			return nil, err
		}
	}
	if p.Reach, err = s.number("dc"); err != nil {
		return nil, err
	}
	m, err := cluster.PeaksFromParts(p)
	if err != nil {
		return nil, err
	}
	return &peakModel{PeakModel: m, description: s.Description}, nil
}

var _ interface {
	Predictor
	Detector
} = (*peakModel)(nil)
