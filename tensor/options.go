package tensor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/refusal"
)

// Start names where the reweighting begins.
type Start string

const (
	// StartAuto finds the least outlying half of the samples and starts from their factors.
	StartAuto Start = "auto"
	// StartClassic is the one-shot decomposition of all samples, as in the papers. The
	// weights are then learned at full rank unless LearnRank says otherwise.
	StartClassic Start = "classic"
)

// Mean names what samples are centred by.
type Mean string

const (
	// MeanWeighted is estimated together with the factors, eq. (18) and (25) of corr-tensor.
	MeanWeighted Mean = "weighted"
	// MeanSample is the plain mean and stays fixed, as in the methods before that paper.
	MeanSample Mean = "sample"
)

// Options are what the methods share. The zero value of each field is the default named.
type Options struct {
	// Shape of a sample, row-major. It must multiply to the number of columns.
	Shape []int
	// Rank of each mode; a single number is meant for every mode, and shorter modes are kept
	// whole (40 for 64x64x3 is 40x40x3).
	// Nil: the smallest ranks that keep Share of the sum of squares.
	Rank []int
	// Share that the automatic rank must keep. Zero: 0.9.
	Share float64
	// LearnRank is the rank with which the weights are learned, before the factors are
	// found at full rank with these weights. Nil: 3/8 of each mode's length, at least 4 (24x24
	// for 64x64), or Rank itself with StartClassic.
	LearnRank []int
	// LearnFull learns the weights at full rank, as the papers do.
	LearnFull bool
	// Start of the reweighting. Empty: StartAuto.
	Start Start
	// Mean of the samples. Empty: MeanWeighted.
	Mean Mean
	// MaxSteps and Tol as in irls.Settings. Zero: 100 and 1e-6.
	MaxSteps int
	Tol      float64
	// Plain switches step control off (irls.Settings.Plain).
	Plain bool
	// Seed of what StartAuto draws.
	Seed uint64
	// Weights of the samples; nil: one each. An integer weight acts like repeated samples.
	Weights []float64
	// OnStep observes the reweighting.
	OnStep func(irls.Step)
}

func (o Options) filled() Options {
	if o.Share == 0 {
		o.Share = 0.9
	}
	if o.Start == "" {
		o.Start = StartAuto
	}
	if o.Mean == "" {
		o.Mean = MeanWeighted
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 100
	}
	if o.Tol == 0 {
		o.Tol = 1e-6
	}
	return o
}

// check validates the options against the size of the data.
func (o Options) check(n, d int) error {
	if len(o.Shape) == 0 {
		return wrongShape(nil, d)
	}
	entries := 1
	for _, m := range o.Shape {
		if m < 1 || entries > d {
			return wrongShape(o.Shape, d)
		}
		entries *= m
	}
	switch {
	case entries != d:
		return wrongShape(o.Shape, d)
	case n < 2:
		return refusal.Few(n, 2, "%d sample given; at least 2 are needed", n)
	case !(o.Share > 0 && o.Share <= 1):
		return refusal.Parameter("share", o.Share, "must be above 0 and at most 1")
	case o.Weights != nil && len(o.Weights) != n:
		return refusal.Weights("%d weights for %d samples", len(o.Weights), n)
	case o.Start != StartAuto && o.Start != StartClassic:
		return refusal.Parameter("start", o.Start, "must be %s or %s", StartAuto, StartClassic)
	case o.Mean != MeanWeighted && o.Mean != MeanSample:
		return refusal.Parameter("mean", o.Mean, "must be %s or %s", MeanWeighted, MeanSample)
	}
	positive := 0
	for i, w := range o.Weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return refusal.Weights("weight %g of sample %d must be a number of at least 0", w, i+1)
		}
		if w > 0 {
			positive++
		}
	}
	if o.Weights != nil && positive < 2 {
		return refusal.Weights("%d sample has a weight above 0; at least 2 are needed", positive)
	}
	return nil
}

// ranksFor spreads a rank given as text over the modes: nil stays nil.
func ranksFor(name string, given, shape []int) ([]int, error) {
	if given == nil {
		return nil, nil
	}
	if len(given) == 1 && given[0] > slices.Max(shape) {
		return nil, wrongRank(name, given, shape)
	}
	out := make([]int, len(shape))
	for k, n := range shape {
		switch {
		case len(given) == 1:
			out[k] = min(given[0], n)
		case len(given) != len(shape):
			return nil, wrongRank(name, given, shape)
		default:
			out[k] = given[k]
		}
		if out[k] < 1 || out[k] > n {
			return nil, wrongRank(name, given, shape)
		}
	}
	return out, nil
}

// learnRanks is the rank with which weights are learned when the wanted one is ranks.
func (o Options) learnRanks(ranks []int) ([]int, error) {
	given, err := ranksFor("learn-rank", o.LearnRank, o.Shape)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(ranks))
	for k, r := range ranks {
		switch {
		case o.LearnFull:
			out[k] = r
		case given != nil:
			out[k] = min(r, given[k])
		case o.Start == StartClassic:
			out[k] = r
		default:
			out[k] = min(r, max(4, (3*o.Shape[k]+7)/8))
		}
	}
	return out, nil
}

// wrongShape says that a shape is missing or does not go with the columns.
func wrongShape(shape []int, columns int) error {
	if len(shape) == 0 {
		return &refusal.ParameterError{
			Name: "shape", Problem: fmt.Sprintf("the rows of %d columns have no shape", columns),
			Advice: "--set shape=64x64 says that a row is an image of 64 rows and 64 columns",
		}
	}
	return &refusal.ParameterError{
		Name: "shape", Value: times(shape), Problem: fmt.Sprintf("does not multiply to the %d columns", columns),
		Advice: "the product of the lengths must be the number of columns",
	}
}

// wrongRank says that a rank does not go with the shape.
func wrongRank(name string, rank, shape []int) error {
	return &refusal.ParameterError{
		Name: name, Value: times(rank), Problem: "does not go with samples of shape " + times(shape),
		Advice: "one number per mode, from 1 to the mode's length; one-sided methods take a single number for the second mode",
	}
}

// times is the text form of a shape or rank: 64x64.
func times(lengths []int) string {
	words := make([]string, len(lengths))
	for i, n := range lengths {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, "x")
}
