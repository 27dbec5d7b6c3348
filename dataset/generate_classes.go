package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Labelled makes a classification set with wrong labels, and a clean test set. The
// kinds are
//
//	blobs  Gaussian classes in D dimensions around random centers
//	moons  two interleaved half circles in the plane
//	rings  circles of radius 1, 2, ... around the origin, one class each
//
// SD blurs every kind. A fraction LabelNoise of the training rows get the label of
// another class, all others equally likely; features are never touched.
type Labelled struct {
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
func DefaultBlobs() Labelled {
	return Labelled{Kind: "blobs", N: 300, Test: 1000, D: 5, Classes: 3, Separation: 4, SD: 1, Ratio: 1, LabelNoise: 0.2}
}

// DefaultMoons is two half moons with a fifth of the labels wrong.
func DefaultMoons() Labelled {
	return Labelled{Kind: "moons", N: 300, Test: 1000, D: 2, Classes: 2, SD: 0.15, Ratio: 1, LabelNoise: 0.2}
}

// DefaultRings is two rings with a fifth of the labels wrong.
func DefaultRings() Labelled {
	return Labelled{Kind: "rings", N: 300, Test: 1000, D: 2, Classes: 2, SD: 0.15, Ratio: 1, LabelNoise: 0.2}
}

func (c *Labelled) fields() []genField {
	f := []genField{
		genIntField("n", &c.N, 2, 1e8, "rows to learn from"),
		genIntField("test", &c.Test, 0, 1e8, "clean rows to test on; 0: no test set"),
		genFloatField("sd", &c.SD, genAtLeast(0), "blur of every class"),
		genFloatField("ratio", &c.Ratio, genAbove(0), "how many times as frequent every class is as the first"),
		genFloatField("label-noise", &c.LabelNoise, genFraction(), "fraction of the training rows with the label of another class"),
	}
	if c.Kind != "moons" {
		f = append(f, genIntField("classes", &c.Classes, 2, 1000, "classes"))
	}
	if c.Kind == "blobs" {
		f = append(f, genIntField("d", &c.D, 1, 1e5, "columns"),
			genFloatField("separation", &c.Separation, genAtLeast(0), "distance between the two nearest centers, in units of sd"))
	}
	return f
}

// Generate makes the set. Truth has Outlier (the rows with a wrong label), Labels
// (the right ones) and, for blobs, Means.
func (c *Labelled) Generate(seed uint64) (*Generated, error) {
	if !slices.Contains([]string{"blobs", "moons", "rings"}, c.Kind) {
		return nil, fmt.Errorf("dataset: labelled set: kind %q must be one of blobs, moons, rings", c.Kind)
	}
	if err := genCheck(c.Kind, c.fields()); err != nil {
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
		centers = genCenters(Random(seed, "blobs centers"), run.Classes, run.D, run.Separation*run.SD)
	}
	set, err := run.draw(run.Kind, run.N, centers, Random(seed, run.Kind+" rows"))
	if err != nil {
		return nil, err
	}
	g := &Generated{Set: set, Truth: &Truth{Means: centers, Labels: slices.Clone(set.Target.Labels)}}
	r := Random(seed, run.Kind+" label noise")
	g.Truth.Outlier = genMarked(r, run.N, genCount(run.LabelNoise, run.N))
	for i, wrong := range g.Truth.Outlier {
		if wrong {
			set.Target.Labels[i] = genOtherClass(r, set.Target.Labels[i], run.Classes)
		}
	}
	if run.Test > 0 {
		if g.Test, err = run.draw(run.Kind+" test", run.Test, centers, Random(seed, run.Kind+" test rows")); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// draw makes n rows with right labels.
func (c *Labelled) draw(name string, n int, centers *mat.Dense, r *rand.Rand) (*Set, error) {
	set, err := genTableOf(name, n, c.D)
	if err != nil {
		return nil, err
	}
	labels := make([]int, n)
	// With ratio q the classes weigh 1, q, q, ...
	total := 1 + c.Ratio*float64(c.Classes-1)
	for i := range labels {
		u := r.Float64() * total
		if u >= 1 {
			labels[i] = min(1+int((u-1)/c.Ratio), c.Classes-1)
		}
		row := set.X.RawRowView(i)
		genNormals(r, row, c.SD)
		switch c.Kind {
		case "blobs":
			genAddScaled(row, 1, centers.RawRowView(labels[i]))
		case "moons":
			angle := genUniform(r, 0, math.Pi)
			if labels[i] == 0 {
				genAddScaled(row, 1, []float64{math.Cos(angle), math.Sin(angle)})
			} else {
				genAddScaled(row, 1, []float64{1 - math.Cos(angle), 0.5 - math.Sin(angle)})
			}
		case "rings":
			angle := genUniform(r, 0, 2*math.Pi)
			genAddScaled(row, float64(labels[i]+1), []float64{math.Cos(angle), math.Sin(angle)})
		}
	}
	set.Target = genClasses("class", labels, genNumbered(c.Classes))
	return set, nil
}

// genCenters draws k Gaussian centers and scales them so that the two nearest lie
// the given distance apart.
func genCenters(r *rand.Rand, k, d int, nearest float64) *mat.Dense {
	centers := mat.NewDense(k, d, nil)
	for i := range k {
		genNormals(r, centers.RawRowView(i), 1)
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

// genOtherClass draws one of the classes that is not label, all equally likely.
func genOtherClass(r *rand.Rand, label, classes int) int {
	other := r.IntN(classes - 1)
	if other >= label {
		other++
	}
	return other
}
