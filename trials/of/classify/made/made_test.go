// Package made tries classifiers on tables that are made.
package made

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	. "github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

type machine interface {
	Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error)
}

// clouds makes k Gaussian clouds in d dimensions, a share of whose labels are then
// changed. It returns the true labels as well.
func clouds(n, d, k int, apart, wrong float64, seed uint64) (x *mat.Dense, labels, truth []int) {
	r := dataset.Random(seed, "classify test")
	centres := mat.NewDense(k, d, nil)
	for l := range k {
		for j := range d {
			centres.Set(l, j, apart*r.NormFloat64())
		}
	}
	x = mat.NewDense(n, d, nil)
	labels, truth = make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = i % k
		labels[i] = truth[i]
		if r.Float64() < wrong {
			labels[i] = (truth[i] + 1 + r.IntN(k-1)) % k
		}
		for j := range d {
			x.Set(i, j, centres.At(truth[i], j)+r.NormFloat64())
		}
	}
	return x, labels, truth
}

// rbf is the options of an RBF machine.
func rbf(gamma float64) Options {
	return Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: gamma}}
}

// studyMachine builds a machine by name; words after a colon are changes to the default.
func studyMachine(name string, o Options) machine {
	name, rest, _ := strings.Cut(name, ":")
	m := RegMaxCEM{Options: o}
	multiclass, power := MulticlassAuto, 0
	for _, word := range strings.Split(rest, ";") {
		key, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "sigma":
			if m.Sigma = number; value == "cv" {
				m.Rule = SigmaByFolds
			}
		case "anneal":
			m.Anneal = number
		case "two":
			m.TwoSided = true
		case "variant":
			m.Variant = Variant(value)
		case "clip":
			m.Clip = number
		case "scale":
			m.Scaling = Scaling(value)
		case "loss":
			m.Loss = loss.MustParse(value)
		case "multiclass":
			multiclass = Multiclass(value)
		case "power":
			power = int(number)
		case "balanced":
			m.ClassWeights = Balanced
		}
	}
	switch name {
	case "square":
		return Square{m.Options}
	case "hinge":
		return Hinge{Options: m.Options, Power: power}
	case "logistic":
		return Logistic{Options: m.Options, Multiclass: multiclass}
	}
	return m
}

// every lists all machines with the same options.
func every(o Options) []machine {
	var out []machine
	for _, name := range []string{"square", "hinge", "logistic", "regmaxcem", "regmaxcem:variant=element", "regmaxcem:two=1"} {
		out = append(out, studyMachine(name, o))
	}
	return out
}

func mustFit(t testing.TB, m machine, x *mat.Dense, labels []int, classes int) *Model {
	t.Helper()
	model, err := m.Fit(context.Background(), linalg.FromDense(x), labels, classes)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// largest is the place of the largest number, the first of equals.
func largest(v []float64) int {
	best := 0
	for l, x := range v {
		if x > v[best] {
			best = l
		}
	}
	return best
}
