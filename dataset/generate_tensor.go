package dataset

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
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

func (c *LowRankTensor) fields() []genField {
	return []genField{
		genIntField("n", &c.N, 2, 1e8, "samples"),
		genShapeField("shape", &c.Shape, "size of each mode, such as 16x16x3"),
		genShapeField("rank", &c.Ranks, "rank of each mode, such as 4x4x2"),
		genFloatField("sd", &c.SD, genAtLeast(0), "standard deviation of the core's entries"),
		genFloatField("mean-sd", &c.MeanSD, genAtLeast(0), "standard deviation of the entries of the mean's core"),
		genFloatField("noise", &c.Noise, genAtLeast(0), "standard deviation of the noise on every entry"),
		genFloatField("fraction", &c.Fraction, genFraction(), "fraction of the samples that are dummies"),
		genFloatField("outlier-sd", &c.OutlierSD, genAtLeast(0), "standard deviation of a dummy's entries"),
	}
}

// Generate makes the set with its Shape. Truth has Outlier, Factors and Center.
func (c *LowRankTensor) Generate(seed uint64) (*Generated, error) {
	const name = "low-rank-tensor"
	if err := genCheck(name, c.fields()); err != nil {
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
		if d > genMost {
			break
		}
	}
	set, err := genTableOf(name, c.N, d)
	if err != nil {
		return nil, err
	}
	set.Shape = append([]int(nil), c.Shape...)
	r := Random(seed, "low-rank-tensor factors")
	truth := &Truth{}
	for k, size := range c.Shape {
		truth.Factors = append(truth.Factors, genAsColumns(genDirections(r, size, c.Ranks[k])))
	}
	g := make([]float64, core)
	genNormals(r, g, c.MeanSD)
	truth.Center = genExpand(g, c.Ranks, truth.Factors)
	truth.Outlier = genMarked(Random(seed, "low-rank-tensor places"), c.N, genCount(c.Fraction, c.N))
	rows, dummies := Random(seed, "low-rank-tensor rows"), Random(seed, "low-rank-tensor dummies")
	for i := range c.N {
		row := set.X.RawRowView(i)
		genNormals(rows, row, c.Noise)
		genNormals(rows, g, c.SD)
		if truth.Outlier[i] {
			genNormals(dummies, row, c.OutlierSD)
			continue
		}
		genAddScaled(row, 1, genExpand(g, c.Ranks, truth.Factors))
		genAddScaled(row, 1, truth.Center)
	}
	return &Generated{Set: set, Truth: truth}, nil
}

// genExpand multiplies a row-major core by one factor along each mode.
func genExpand(core []float64, ranks []int, factors []*mat.Dense) []float64 {
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
					genAddScaled(dst, u.At(s, q), data[(b*rank+q)*after:(b*rank+q+1)*after])
				}
			}
		}
		dims[k], data = size, out
	}
	return data
}

// genShapeField is a list of positive whole numbers such as 16x16x3.
func genShapeField(name string, p *[]int, text string) genField {
	return genField{name: name, text: text, rangeText: "whole numbers of at least 1, such as 16x16",
		get: func() string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(*p), "[]"), " ", "x") },
		set: func(s string) error {
			var list []int
			for _, part := range strings.FieldsFunc(s, func(c rune) bool { return c == 'x' || c == ',' }) {
				var v int
				if _, err := fmt.Sscanf(part+"|", "%d|", &v); err != nil {
					return fmt.Errorf("%q is not a whole number", part)
				}
				list = append(list, v)
			}
			*p = list
			return nil
		},
		check: func() error {
			if len(*p) == 0 {
				return fmt.Errorf("must have at least one mode")
			}
			for _, v := range *p {
				if v < 1 || v > 1e6 {
					return fmt.Errorf("must have every mode in [1, 1e+06]")
				}
			}
			return nil
		}}
}
