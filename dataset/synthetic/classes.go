package synthetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// Labeled makes a classification set with wrong labels, and a clean test set. The
// kinds are
//
//	blobs  Gaussian classes in D dimensions around random centers
//	moons  two interleaved half circles in the plane
//	rings  circles of radius 1, 2, ... around the origin, one class each
//
// SD blurs every kind. A fraction LabelNoise of the training rows get the label of
// another class, all others equally likely; features are never touched.
type Labeled struct {
	Kind       string // blobs, moons, rings
	N, Test    int
	D          int // blobs only
	Classes    int // not for moons
	Separation float64
	SD         float64
	// Ratio makes every class but the first this many times as frequent as the first:
	// with two classes, 5 is the imbalance 1:5 of the RegMaxCEM paper.
	Ratio      float64
	LabelNoise float64
}

// DefaultBlobs is three classes in five dimensions with a fifth of the labels wrong.
func DefaultBlobs() Labeled {
	return Labeled{Kind: "blobs", N: 300, Test: 1000, D: 5, Classes: 3, Separation: 4, SD: 1, Ratio: 1, LabelNoise: 0.2}
}

// DefaultMoons is two half moons with a fifth of the labels wrong.
func DefaultMoons() Labeled {
	return Labeled{Kind: "moons", N: 300, Test: 1000, D: 2, Classes: 2, SD: 0.15, Ratio: 1, LabelNoise: 0.2}
}

// DefaultRings is two rings with a fifth of the labels wrong.
func DefaultRings() Labeled {
	return Labeled{Kind: "rings", N: 300, Test: 1000, D: 2, Classes: 2, SD: 0.15, Ratio: 1, LabelNoise: 0.2}
}

func (c *Labeled) fields() []setting.Field {
	f := []setting.Field{
		setting.Int("n", &c.N, 2, 1e8, "rows to learn from"),
		setting.Int("test", &c.Test, 0, 1e8, "clean rows to test on; 0: no test set"),
		setting.Float("sd", &c.SD, setting.AtLeast(0), "blur of every class"),
		setting.Float("ratio", &c.Ratio, setting.Above(0), "how many times as frequent every class is as the first"),
		setting.Float("label-noise", &c.LabelNoise, setting.Fraction(), "fraction of the training rows with the label of another class"),
	}
	if c.Kind != "moons" {
		f = append(f, setting.Int("classes", &c.Classes, 2, 1000, "classes"))
	}
	if c.Kind == "blobs" {
		f = append(f, setting.Int("d", &c.D, 1, 1e5, "columns"),
			setting.Float("separation", &c.Separation, setting.AtLeast(0), "distance between the two nearest centers, in units of sd"))
	}
	return f
}

// Generate makes the set. Truth has Outlier (the rows with a wrong label), Labels
// (the right ones) and, for blobs, Means.
func (c *Labeled) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Labeled) generate(ctx context.Context, seed uint64) (*Generated, error) {
	if !slices.Contains([]string{"blobs", "moons", "rings"}, c.Kind) {
		return nil, fmt.Errorf("dataset: labelled set: kind %q must be one of blobs, moons, rings", c.Kind)
	}
	if err := setting.Check(c.Kind, c.fields()); err != nil {
		return nil, err
	}
	run := *c
	if run.Kind != "blobs" {
		run.D = 2
	}
	if run.Kind == "moons" {
		run.Classes = 2
	}
	var centers *mat.Dense
	if run.Kind == "blobs" {
		centers = centersApart(dataset.Random(seed, "blobs centers"), run.Classes, run.D, run.Separation*run.SD)
	}
	set, err := run.draw(ctx, run.Kind, run.N, centers, dataset.Random(seed, run.Kind+" rows"))
	if err != nil {
		return nil, err
	}
	g := &Generated{Set: set, Truth: &Truth{Means: centers, Labels: slices.Clone(set.Target.Labels)}}
	r := dataset.Random(seed, run.Kind+" label noise")
	g.Truth.Outlier = marked(r, run.N, share(run.LabelNoise, run.N))
	for i, wrong := range g.Truth.Outlier {
		if wrong {
			set.Target.Labels[i] = random.Other(r, set.Target.Labels[i], run.Classes)
		}
	}
	if run.Test > 0 {
		if g.Test, err = run.draw(ctx, run.Kind+" test", run.Test, centers, dataset.Random(seed, run.Kind+" test rows")); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// draw makes n rows with right labels.
func (c *Labeled) draw(ctx context.Context, name string, n int, centers *mat.Dense, r *rand.Rand) (*dataset.Set, error) {
	set, err := tableOf(name, n, c.D)
	if err != nil {
		return nil, err
	}
	labels := make([]int, n)
	// With ratio q the classes weigh 1, q, q, ...
	total := 1 + c.Ratio*float64(c.Classes-1)
	for i := range each(ctx, len(labels)) {
		u := r.Float64() * total
		if u >= 1 {
			labels[i] = min(1+int((u-1)/c.Ratio), c.Classes-1)
		}
		row := set.X.RawRowView(i)
		normals(r, row, c.SD)
		switch c.Kind {
		case "blobs":
			addScaled(row, 1, centers.RawRowView(labels[i]))
		case "moons":
			angle := random.Uniform(r, 0, math.Pi)
			if labels[i] == 0 {
				addScaled(row, 1, []float64{math.Cos(angle), math.Sin(angle)})
			} else {
				addScaled(row, 1, []float64{1 - math.Cos(angle), 0.5 - math.Sin(angle)})
			}
		case "rings":
			angle := random.Uniform(r, 0, 2*math.Pi)
			addScaled(row, float64(labels[i]+1), []float64{math.Cos(angle), math.Sin(angle)})
		}
	}
	set.Target = classTarget("class", labels, numbered(c.Classes))
	return set, nil
}

// centersApart draws k Gaussian centers and scales them so that the two nearest lie
// the given distance apart.
func centersApart(r *rand.Rand, k, d int, nearest float64) *mat.Dense {
	centers := mat.NewDense(k, d, nil)
	for i := range k {
		normals(r, centers.RawRowView(i), 1)
	}
	least := math.Inf(1)
	for i := range k {
		for j := range i {
			s := 0.0
			for l, v := range centers.RawRowView(i) {
				s += (v - centers.At(j, l)) * (v - centers.At(j, l))
			}
			least = min(least, math.Sqrt(s))
		}
	}
	if k > 1 && least > 0 {
		centers.Scale(nearest/least, centers)
	}
	return centers
}
