package synthetic

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func generate(t *testing.T, r synthetic.Recipe, seed uint64) *synthetic.Generated {
	t.Helper()
	g, err := r.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	if n := g.Set.Rows(); len(g.Set.Columns) != g.Set.Dim() || (g.Truth.Outlier != nil && len(g.Truth.Outlier) != n) {
		t.Fatalf("%s: names or truth do not fit the table", g.Set.Name)
	}
	return g
}

func trueCount(marks []bool) int {
	count := 0
	for _, m := range marks {
		if m {
			count++
		}
	}
	return count
}

func TestExampleMixtures(t *testing.T) {
	three := synthetic.DefaultThreeGaussians()
	g := generate(t, &three, 1)
	if g.Set.Rows() != 150 {
		t.Errorf("three-gaussians has %d rows, want 150", g.Set.Rows())
	}
	var away []float64
	for i, k := range g.Truth.Labels {
		for j := range 2 {
			away = append(away, g.Set.X.At(i, j)-g.Truth.Means.At(k, j))
		}
	}
	if sd := stat.StdDev(away, nil); math.Abs(sd-0.1) > 0.01 {
		t.Errorf("three-gaussians: standard deviation %g, want about 0.1", sd)
	}

	two := synthetic.DefaultTwoGaussians()
	two.N = 40000
	g = generate(t, &two, 1)
	// Covariance of component 0: long axis 0.6 at 60 degrees, short axis 0.2.
	var x, y []float64
	for i, k := range g.Truth.Labels {
		if k == 0 {
			x, y = append(x, g.Set.X.At(i, 0)), append(y, g.Set.X.At(i, 1))
		}
	}
	if share := float64(len(x)) / 40000; math.Abs(share-0.5) > 0.01 {
		t.Errorf("two-gaussians: component 1 has a share of %g, want about 0.5", share)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean x", stat.Mean(x, nil), -1}, {"mean y", stat.Mean(y, nil), -0.4},
		{"variance x", stat.Variance(x, nil), 0.36/4 + 0.04*3/4},
		{"variance y", stat.Variance(y, nil), 0.36*3/4 + 0.04/4},
		{"covariance", stat.Covariance(x, y, nil), (0.36 - 0.04) * math.Sqrt(3) / 4},
	} {
		if math.Abs(c.got-c.want) > 0.02 {
			t.Errorf("two-gaussians: %s is %g, want about %g", c.what, c.got, c.want)
		}
	}
}

func TestMixtureSeparationAndBackground(t *testing.T) {
	c := synthetic.DefaultMixture()
	c.N, c.Fraction = 8000, 0.25
	g := generate(t, &c, 6)
	if got := trueCount(g.Truth.Outlier); got != 2000 {
		t.Errorf("%d background rows, want 2000", got)
	}
	least := math.Inf(1)
	for i := range 4 {
		for j := range i {
			least = min(least, math.Hypot(g.Truth.Means.At(i, 0)-g.Truth.Means.At(j, 0), g.Truth.Means.At(i, 1)-g.Truth.Means.At(j, 1)))
		}
	}
	if math.Abs(least-6) > 1e-9 {
		t.Errorf("nearest centers are %g apart, want 6", least)
	}
	for k := range 4 {
		var x, y []float64
		for i, label := range g.Truth.Labels {
			if label == k {
				x, y = append(x, g.Set.X.At(i, 0)), append(y, g.Set.X.At(i, 1))
			}
		}
		if math.Hypot(stat.Mean(x, nil)-g.Truth.Means.At(k, 0), stat.Mean(y, nil)-g.Truth.Means.At(k, 1)) > 0.2 {
			t.Errorf("component %d is not where the truth says", k)
		}
		// The variances along the axes lie between 1/1.5^2 and 1.5^2.
		if total := stat.Variance(x, nil) + stat.Variance(y, nil); total < 2/2.25*0.9 || total > 2*2.25*1.1 {
			t.Errorf("component %d has total variance %g", k, total)
		}
	}
}

func TestLabelledSets(t *testing.T) {
	for _, c := range []synthetic.Labeled{synthetic.DefaultBlobs(), synthetic.DefaultMoons(), synthetic.DefaultRings()} {
		c.N = 3000
		g := generate(t, &c, 9)
		wrong := make([]int, c.Classes)
		for i, label := range g.Set.Target.Labels {
			if (label != g.Truth.Labels[i]) != g.Truth.Outlier[i] {
				t.Fatalf("%s: marks and labels disagree", c.Kind)
			}
			if g.Truth.Outlier[i] {
				wrong[label]++
			}
		}
		if got := trueCount(g.Truth.Outlier); got != 600 {
			t.Errorf("%s: %d wrong labels, want 600", c.Kind, got)
		}
		for k, count := range wrong {
			if share := float64(count) / 600; math.Abs(share-1/float64(c.Classes)) > 0.07 {
				t.Errorf("%s: class %d got %g of the wrong labels", c.Kind, k, share)
			}
		}
		if g.Test.Rows() != 1000 {
			t.Errorf("%s: %d test rows", c.Kind, g.Test.Rows())
		}
	}
	rings := synthetic.DefaultRings()
	rings.SD, rings.LabelNoise = 0, 0
	g := generate(t, &rings, 1)
	for i, k := range g.Set.Target.Labels {
		if r := math.Hypot(g.Set.X.At(i, 0), g.Set.X.At(i, 1)); math.Abs(r-float64(k+1)) > 1e-12 {
			t.Fatalf("a row of ring %d has radius %g", k, r)
		}
	}
	blobs := synthetic.DefaultBlobs()
	blobs.N, blobs.Classes, blobs.Ratio, blobs.LabelNoise = 12000, 2, 5, 0
	g = generate(t, &blobs, 1)
	first := 0
	for _, k := range g.Set.Target.Labels {
		if k == 0 {
			first++
		}
	}
	if share := float64(first) / 12000; math.Abs(share-1.0/6) > 0.012 {
		t.Errorf("with ratio 5 the first class has a share of %g, want about 1/6", share)
	}
}

func TestSensorsHaveThreeCausesAndNamedFaults(t *testing.T) {
	c := synthetic.DefaultSensors()
	c.Hours = 3000
	g := generate(t, &c, 1)
	found := topDirections(t, g.Truth.CleanX, func(int) bool { return true }, 3)
	if angle := largestAngle(t, found, g.Truth.Basis); angle > 3 {
		t.Errorf("PCA of the healthy readings is %g degrees off the causes", angle)
	}
	kinds := map[string]int{}
	pressure, err := g.Set.Column("pressure_psi")
	if err != nil {
		t.Fatal(err)
	}
	stuck := math.NaN()
	for i, note := range g.Truth.Note {
		kind, _, _ := strings.Cut(note, ":")
		kinds[kind]++
		same := true
		for j := range g.Set.Dim() {
			same = same && g.Set.X.At(i, j) == g.Truth.CleanX.At(i, j)
		}
		if same == g.Truth.Outlier[i] || (note != "") != g.Truth.Outlier[i] {
			t.Fatalf("hour %d: marks, notes and numbers disagree", i)
		}
		if kind == "stuck" {
			if v := g.Set.X.At(i, pressure); !math.IsNaN(stuck) && v != stuck {
				t.Error("the stuck sensor moves")
			}
			stuck = g.Set.X.At(i, pressure)
		}
	}
	if kinds["stuck"] != 12 || kinds["spike"] != 8 || kinds["stranger"] != 10 {
		t.Errorf("faults %v, want 12 stuck, 8 spikes, 10 strangers", kinds)
	}
}

func TestLowRankTensorHasItsRank(t *testing.T) {
	c := synthetic.DefaultLowRankTensor()
	c.Noise, c.Fraction = 0, 0.1
	g := generate(t, &c, 5)
	if trueCount(g.Truth.Outlier) != 10 {
		t.Error("wrong number of dummies")
	}
	// Unfold by the first mode: rows of the picture against everything else.
	var wide mat.Dense
	for i := range c.N {
		if g.Truth.Outlier[i] {
			continue
		}
		sample := mat.NewDense(16, 48, append([]float64(nil), g.Set.X.RawRowView(i)...))
		var rest mat.Dense
		rest.Mul(g.Truth.Factors[0].T(), sample)
		wide.Reset()
		wide.Mul(g.Truth.Factors[0], &rest)
		if !mat.EqualApprox(&wide, sample, 1e-10) {
			t.Fatal("a clean sample leaves the span of its first factor")
		}
		// Third mode: channels.
		pixels := mat.NewDense(256, 3, append([]float64(nil), g.Set.X.RawRowView(i)...))
		var low, back mat.Dense
		low.Mul(pixels, g.Truth.Factors[2])
		back.Mul(&low, g.Truth.Factors[2].T())
		if !mat.EqualApprox(&back, pixels, 1e-10) {
			t.Fatal("a clean sample leaves the span of its third factor")
		}
	}
}

func TestFacesTellPeopleApart(t *testing.T) {
	c := synthetic.DefaultFaces()
	c.Subjects, c.PerSubject, c.Size = 6, 6, []int{24, 20}
	g := generate(t, &c, 1)
	if g.Set.Dim() != 480 || g.Set.Shape[0] != 24 || g.Set.Shape[1] != 20 {
		t.Fatalf("shape %v with %d columns", g.Set.Shape, g.Set.Dim())
	}
	// Pictures of one person are nearer to each other than to others', on average.
	var same, other []float64
	for i := range g.Set.Rows() {
		for j := range i {
			s := 0.0
			for k, v := range g.Set.X.RawRowView(i) {
				if v < 0 || v > 255 || v != math.Round(v) {
					t.Fatalf("pixel %g is not a level", v)
				}
				s += (v - g.Set.X.At(j, k)) * (v - g.Set.X.At(j, k))
			}
			if g.Truth.Labels[i] == g.Truth.Labels[j] {
				same = append(same, math.Sqrt(s))
			} else {
				other = append(other, math.Sqrt(s))
			}
		}
	}
	if a, b := stat.Mean(same, nil), stat.Mean(other, nil); a > 0.8*b {
		t.Errorf("mean distance within a person %g, between people %g", a, b)
	}

	// More people or more pictures leave the first ones alone.
	more := c
	more.Subjects, more.PerSubject = 7, 8
	m := generate(t, &more, 1)
	for s := range 6 {
		for k := range 6 {
			if !mat.Equal(g.Set.X.RowView(s*6+k), m.Set.X.RowView(s*8+k)) {
				t.Fatal("pictures change with the number of people or pictures")
			}
		}
	}

	// The grey picture is the luminance of the colour one, up to rounding.
	c.Noise = 0
	grey := generate(t, &c, 1)
	c.Color, c.Max = true, 1
	colour := generate(t, &c, 1)
	for i := range 36 {
		for k, v := range grey.Set.X.RawRowView(i) {
			p := colour.Set.X.RawRowView(i)[3*k : 3*k+3]
			if y := 255 * (0.299*p[0] + 0.587*p[1] + 0.114*p[2]); math.Abs(y-v) > 2 {
				t.Fatalf("grey %g, luminance %g", v, y)
			}
		}
	}

	// With no variation all pictures of a person are one.
	c.Lighting, c.Expression, c.Pose = 0, 0, 0
	still := generate(t, &c, 1)
	if !mat.Equal(still.Set.X.RowView(0), still.Set.X.RowView(5)) || mat.Equal(still.Set.X.RowView(0), still.Set.X.RowView(6)) {
		t.Error("without variation pictures of one person should be equal, of two people not")
	}
}
