package synthetic

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// LowRank makes rows that lie near a random m-dimensional subspace,
//
//	x = center + B (sd * z) + noise * e,   z, e standard Gaussian,
//
// and replaces a fraction of them by outliers of one kind:
//
//	scattered     center + ScatterSD * e, in every direction alike
//	clustered     one tight cluster: Distance along one direction orthogonal to B, plus ClusterSD * e
//	own-subspace  center + B2 (SubspaceSD * z) + noise * e, with as many directions B2 orthogonal to B
//
// Inliers of one seed are the same rows whatever the outliers, apart from the rows that
// the outliers replace; a larger fraction replaces a superset of them.
type LowRank struct {
	N, D int
	// M is the dimension of the subspace; 0 means one per entry of SDs. When both are
	// given and differ, the standard deviations are spread evenly from the first to the last of SDs.
	M          int
	SDs        []float64
	Noise      float64
	Offset     float64 // length of the center, in a random direction
	Outliers   string  // none, scattered, clustered, own-subspace
	Fraction   float64
	ScatterSD  float64
	Distance   float64
	ClusterSD  float64
	SubspaceSD float64
}

// DefaultLowRank is the set-up of the breakdown study: 200 rows, 20 columns, a
// 3-dimensional subspace, and 20 % scattered outliers.
func DefaultLowRank() LowRank {
	return LowRank{N: 200, D: 20, SDs: []float64{5, 4, 3}, Noise: 0.3,
		Outliers: "scattered", Fraction: 0.2, ScatterSD: 15, Distance: 40, ClusterSD: 0.5, SubspaceSD: 12}
}

func (c *LowRank) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 2, 1e9, "rows"),
		setting.Int("d", &c.D, 1, 1e6, "columns"),
		setting.Int("m", &c.M, 0, 1e6, "dimension of the subspace; 0: one per number in sds"),
		setting.List("sds", &c.SDs, setting.AtLeast(0), "standard deviations inside the subspace"),
		setting.Float("noise", &c.Noise, setting.AtLeast(0), "standard deviation of the noise in every column"),
		setting.Float("offset", &c.Offset, setting.AtLeast(0), "length of the mean, in a random direction"),
		setting.Choice("outliers", &c.Outliers, []string{"none", "scattered", "clustered", "own-subspace"}, "kind of outliers"),
		setting.Float("fraction", &c.Fraction, setting.Fraction(), "fraction of the rows that are outliers"),
		setting.Float("scatter-sd", &c.ScatterSD, setting.AtLeast(0), "standard deviation of scattered outliers"),
		setting.Float("distance", &c.Distance, setting.AtLeast(0), "distance of the outlier cluster from the mean"),
		setting.Float("cluster-sd", &c.ClusterSD, setting.AtLeast(0), "standard deviation inside the outlier cluster"),
		setting.Float("subspace-sd", &c.SubspaceSD, setting.AtLeast(0), "standard deviation of outliers in their own subspace"),
	}
}

// deviations returns the standard deviation along each of the m directions.
func (c *LowRank) deviations() []float64 {
	m := c.M
	if m == 0 || m == len(c.SDs) {
		return c.SDs
	}
	first, last := c.SDs[0], c.SDs[len(c.SDs)-1]
	out := make([]float64, m)
	for j := range out {
		out[j] = first
		if m > 1 {
			out[j] += (last - first) * float64(j) / float64(m-1)
		}
	}
	return out
}

// Generate makes the set. Truth has Outlier, Basis and Center.
func (c *LowRank) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *LowRank) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "low-rank"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	sds := c.deviations()
	m, need, count := len(sds), len(sds), 0
	if c.Outliers != "none" {
		count = share(c.Fraction, c.N)
	}
	if count > 0 {
		switch c.Outliers {
		case "clustered":
			need = m + 1
		case "own-subspace":
			need = 2 * m
		}
	}
	if need > c.D {
		return nil, fmt.Errorf("dataset: %s: parameter d=%d must be at least %d for a subspace of dimension %d with %s outliers", name, c.D, need, m, c.Outliers)
	}
	set, err := tableOf(name, c.N, c.D)
	if err != nil {
		return nil, err
	}
	frame := directions(dataset.Random(seed, "low-rank directions"), c.D, need)
	center := make([]float64, c.D)
	if c.Offset > 0 {
		addScaled(center, c.Offset, directions(dataset.Random(seed, "low-rank center"), c.D, 1)[0])
	}

	outlier := marked(dataset.Random(seed, "low-rank places"), c.N, count)
	inliers, outliers := dataset.Random(seed, "low-rank inliers"), dataset.Random(seed, "low-rank outliers")
	for i := range each(ctx, c.N) {
		row := set.X.RawRowView(i)
		normals(inliers, row, c.Noise)
		for j := range m {
			addScaled(row, sds[j]*inliers.NormFloat64(), frame[j])
		}
		if outlier[i] {
			// The inlier drawn above is discarded so that the rows after it do not move.
			switch c.Outliers {
			case "scattered":
				normals(outliers, row, c.ScatterSD)
			case "clustered":
				normals(outliers, row, c.ClusterSD)
				addScaled(row, c.Distance, frame[m])
			case "own-subspace":
				normals(outliers, row, c.Noise)
				for _, v := range frame[m:] {
					addScaled(row, c.SubspaceSD*outliers.NormFloat64(), v)
				}
			}
		}
		addScaled(row, 1, center)
	}
	return &Generated{Set: set, Truth: &Truth{Outlier: outlier, Basis: sortedBasis(frame[:m], sds), Center: center}}, nil
}

// sortedBasis puts the directions into a d x m matrix, largest deviation first.
func sortedBasis(frame [][]float64, sds []float64) *mat.Dense {
	order := make([]int, len(sds))
	for j := range order {
		order[j] = j
		for k := j; k > 0 && sds[order[k]] > sds[order[k-1]]; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	sorted := make([][]float64, len(sds))
	for j, k := range order {
		sorted[j] = frame[k]
	}
	return asColumns(sorted)
}
