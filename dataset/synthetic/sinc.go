package synthetic

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// Sinc makes the regression example of the KMPE paper, section IV-A:
//
//	y = k sinc(x) + v,   v = (1-a) A + a B,   x uniform on [-range, range],
//
// where a is 1 with probability c, A is the background noise (uniform on [-1, 1], or
// sin(w) with w uniform on [0, 2 pi]) and B is Gaussian and stands for outliers. Whether a row
// is an outlier is decided row by row, as in the paper, so their number varies.
// The test set has inputs of its own and no noise.
type Sinc struct {
	N, Test   int
	Noise     string // uniform, sine
	Fraction  float64
	OutlierSD float64
	Amplitude float64
	Range     float64
}

// DefaultSinc is the paper's set-up: 200 noisy rows with a tenth of outliers of
// variance 9, and 200 clean ones.
func DefaultSinc() Sinc {
	return Sinc{N: 200, Test: 200, Noise: "uniform", Fraction: 0.1, OutlierSD: 3, Amplitude: 8, Range: 10}
}

func (c *Sinc) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 1, 1e9, "noisy rows to learn from"),
		setting.Int("test", &c.Test, 0, 1e9, "clean rows to test on; 0: no test set"),
		setting.Choice("noise", &c.Noise, []string{"uniform", "sine"}, "background noise: uniform on [-1, 1], or the sine of a uniform angle"),
		setting.Float("fraction", &c.Fraction, setting.Between(0, 1), "probability c that a row is an outlier"),
		setting.Float("outlier-sd", &c.OutlierSD, setting.AtLeast(0), "standard deviation of the outliers"),
		setting.Float("amplitude", &c.Amplitude, setting.AnyNumber(), "factor k before the sinc"),
		setting.Float("range", &c.Range, setting.Above(0), "inputs are uniform on [-range, range]"),
	}
}

// Generate makes the set with a numeric target. Truth has Outlier and CleanY.
func (c *Sinc) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Sinc) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "sinc"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, clean, err := c.draw(ctx, name, "sinc inputs", c.N, seed)
	if err != nil {
		return nil, err
	}
	g := &Generated{Set: set, Truth: &Truth{Outlier: make([]bool, c.N), CleanY: clean}}
	noise := dataset.Random(seed, "sinc noise "+c.Noise)
	outliers := dataset.Random(seed, "sinc outliers")
	y := make([]float64, c.N)
	for i := range each(ctx, len(y)) {
		var background float64
		if c.Noise == "sine" {
			background = math.Sin(random.Uniform(noise, 0, 2*math.Pi))
		} else {
			background = random.Uniform(noise, -1, 1)
		}
		v := background
		// Both numbers are drawn for every row, so that c does not move the others.
		chance, b := outliers.Float64(), c.OutlierSD*outliers.NormFloat64()
		if chance < c.Fraction {
			g.Truth.Outlier[i], v = true, b
		}
		y[i] = clean[i] + v
	}
	set.Target.Values = y
	if c.Test > 0 {
		if g.Test, _, err = c.draw(ctx, name+" test", "sinc test inputs", c.Test, seed); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// draw makes n rows without noise.
func (c *Sinc) draw(ctx context.Context, name, purpose string, n int, seed uint64) (*dataset.Set, []float64, error) {
	set, err := tableOf(name, n, 1)
	if err != nil {
		return nil, nil, err
	}
	set.Columns = []string{"x"}
	r := dataset.Random(seed, purpose)
	clean := make([]float64, n)
	for i := range each(ctx, len(clean)) {
		x := random.Uniform(r, -c.Range, c.Range)
		set.X.Set(i, 0, x)
		clean[i] = c.Amplitude
		if x != 0 {
			clean[i] = c.Amplitude * math.Sin(x) / x
		}
	}
	set.Target = &dataset.Target{Name: "y", Values: append([]float64(nil), clean...)}
	return set, clean, nil
}
