package synthetic

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// LowRankTensor makes samples of any order that have low multilinear rank,
//
//	X_i = M + G_i x_1 U_1 x_2 U_2 ... + noise,
//
// with orthonormal factors U_k and a Gaussian core G_i, and replaces a fraction of them
// by dummies: every entry Gaussian with standard deviation OutlierSD. With two modes
// they are images, with three colour images or clips.
type LowRankTensor struct {
	N         int
	Shape     []int
	Ranks     []int // one per mode
	SD        float64
	MeanSD    float64 // of the entries of M's core: M lies in the same factors
	Noise     float64
	Fraction  float64
	OutlierSD float64
}

// DefaultLowRankTensor is 100 samples of 16 x 16 x 3 of rank 4 x 4 x 2 with a tenth of dummies.
func DefaultLowRankTensor() LowRankTensor {
	return LowRankTensor{N: 100, Shape: []int{16, 16, 3}, Ranks: []int{4, 4, 2}, SD: 1, MeanSD: 2, Noise: 0.05, Fraction: 0.1, OutlierSD: 1}
}

func (c *LowRankTensor) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 2, 1e8, "samples"),
		setting.Shape("shape", &c.Shape, "size of each mode, such as 16x16x3"),
		setting.Shape("rank", &c.Ranks, "rank of each mode, such as 4x4x2"),
		setting.Float("sd", &c.SD, setting.AtLeast(0), "standard deviation of the core's entries"),
		setting.Float("mean-sd", &c.MeanSD, setting.AtLeast(0), "standard deviation of the entries of the mean's core"),
		setting.Float("noise", &c.Noise, setting.AtLeast(0), "standard deviation of the noise on every entry"),
		setting.Float("fraction", &c.Fraction, setting.Fraction(), "fraction of the samples that are dummies"),
		setting.Float("outlier-sd", &c.OutlierSD, setting.AtLeast(0), "standard deviation of a dummy's entries"),
	}
}

// Generate makes the set with its Shape. Truth has Outlier, Factors and Center.
func (c *LowRankTensor) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *LowRankTensor) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "low-rank-tensor"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	if len(c.Ranks) != len(c.Shape) {
		return nil, fmt.Errorf("dataset: %s: parameter rank has %d modes and must have the %d of shape", name, len(c.Ranks), len(c.Shape))
	}
	d, core := 1, 1
	for k, size := range c.Shape {
		if c.Ranks[k] > size {
			return nil, fmt.Errorf("dataset: %s: parameter rank=%d of mode %d must be in [1, %d]", name, c.Ranks[k], k+1, size)
		}
		d, core = d*size, core*c.Ranks[k]
		if d > mostNumbers {
			break
		}
	}
	set, err := tableOf(name, c.N, d)
	if err != nil {
		return nil, err
	}
	set.Shape = append([]int(nil), c.Shape...)
	r := dataset.Random(seed, "low-rank-tensor factors")
	truth := &Truth{}
	for k, size := range c.Shape {
		truth.Factors = append(truth.Factors, asColumns(directions(r, size, c.Ranks[k])))
	}
	g := make([]float64, core)
	normals(r, g, c.MeanSD)
	truth.Center = expand(g, c.Ranks, truth.Factors)
	truth.Outlier = marked(dataset.Random(seed, "low-rank-tensor places"), c.N, share(c.Fraction, c.N))
	rows, dummies := dataset.Random(seed, "low-rank-tensor rows"), dataset.Random(seed, "low-rank-tensor dummies")
	for i := range each(ctx, c.N) {
		row := set.X.RawRowView(i)
		normals(rows, row, c.Noise)
		normals(rows, g, c.SD)
		if truth.Outlier[i] {
			normals(dummies, row, c.OutlierSD)
			continue
		}
		addScaled(row, 1, expand(g, c.Ranks, truth.Factors))
		addScaled(row, 1, truth.Center)
	}
	return &Generated{Set: set, Truth: truth}, nil
}

// expand multiplies a row-major core by one factor along each mode.
func expand(core []float64, ranks []int, factors []*mat.Dense) []float64 {
	dims := append([]int(nil), ranks...)
	data := core
	for k, u := range factors {
		size, rank := u.Dims()
		before, after := 1, 1
		for j, s := range dims {
			if j < k {
				before *= s
			} else if j > k {
				after *= s
			}
		}
		out := make([]float64, before*size*after)
		for b := range before {
			for s := range size {
				dst := out[(b*size+s)*after : (b*size+s+1)*after]
				for q := range rank {
					addScaled(dst, u.At(s, q), data[(b*rank+q)*after:(b*rank+q+1)*after])
				}
			}
		}
		dims[k], data = size, out
	}
	return data
}
