package methods

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/verdict"
)

// bounded lists the methods that do not promise to forget far rows, with the reason. They
// must neither refuse such data nor crash.
var bounded = map[string]string{
	"pca":                     "least squares",
	"2dpca":                   "least squares",
	"2dsvd":                   "least squares",
	"elm":                     "least squares",
	"elm,classes":             "least squares",
	"relm":                    "least squares",
	"relm,classes":            "least squares",
	"square":                  "least squares",
	"square,scaling=robust":   "least squares",
	"hinge":                   "its loss grows without bound",
	"hinge,scaling=robust":    "its loss grows without bound",
	"logistic":                "its loss grows without bound",
	"logistic,scaling=robust": "its loss grows without bound",
	"kmeans":                  "least squares",
	"density-peaks":           "a far row is a peak of its own",
	"correntropy-pca":         "centres columns by their means",
	"pca-l1":                  "limits the pull of a row and never rejects one",
	"r1-pca":                  "limits the pull of a row and never rejects one",
	"pca-gm":                  "limits the pull of a row and never rejects one",
	"l1-2dpca":                "limits the pull of a row and never rejects one",
	"r1-2dsvd":                "limits the pull of a row and never rejects one",
	"n-2dnpp":                 "limits the pull of a row and never rejects one",
	"s-2dnpp":                 "limits the pull of a row and never rejects one",
}

// Values however far off cost their rows and nothing else: the fit is that without them,
// and they are flagged. INLIER_CONFORMANCE=all tries every power of ten with both signs; otherwise
// some, with signs and shares in turn.
func TestFarValues(t *testing.T) {
	exponents := []int{1, 3, 6, 9, 50, 300}
	all := everything()
	if all {
		exponents = nil
		for k := 1; k <= 300; k++ {
			exponents = append(exponents, k)
		}
	}
	side(t, func(t *testing.T, e entrant) {
		clean := generate(e.world, 72, 1)
		kinds := []string{"rows", "cluster", "cells", "sentinel"}
		if e.world == "line" {
			kinds = append(kinds, "targets", "targets one side")
		}
		for _, kind := range kinds {
			t.Run(kind, func(t *testing.T) {
				if kind == "sentinel" {
					far := newFar(t, e, clean, kind, 0.05)
					for _, size := range []float64{-999, -1e9, 9999, 1e300} {
						far.try(t, size)
					}
					return
				}
				shares := []float64{0.2, 0.05}
				switch {
				case kind == "cells":
					shares = []float64{0.05}
				case kind == "cluster" && (e.world == "groups" || e.world == "classes"):
					shares = []float64{0.1, 0.05} // of a third of the rows each
				}
				sizes := exponents
				if _, weak := bounded[e.name]; weak && !all {
					sizes = []int{9, 160, 300}
				}
				for s, share := range shares {
					far := newFar(t, e, clean, kind, share)
					for k, exponent := range sizes {
						size := math.Pow(10, float64(exponent))
						if all {
							far.try(t, size)
							far.try(t, -size)
						} else if k%len(shares) == s {
							far.try(t, size*float64(1-k/2%2*2))
						}
					}
				}
			})
		}
	})
}

// far is a set with rows to spoil and the fit without them.
type far struct {
	entrant
	clean *dataset.Set
	kind  string
	bad   []bool
	rest  *dataset.Set
	want  catalog.Model
}

func newFar(t *testing.T, e entrant, clean *dataset.Set, kind string, share float64) *far {
	t.Helper()
	f := &far{entrant: e, clean: clean, kind: kind, bad: make([]bool, clean.Rows())}
	g := rand.New(rand.NewPCG(3, 9))
	for _, i := range g.Perm(len(f.bad))[:int(math.Ceil(share*float64(len(f.bad))))] {
		f.bad[i] = true
	}
	var rows []int
	for i, bad := range f.bad {
		if !bad {
			rows = append(rows, i)
		}
	}
	f.rest = clean.Subset(rows)
	var err error
	if f.want, err = e.fit(context.Background(), f.rest, catalog.Run{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	return f
}

// spoil plants values of a size.
func (f *far) spoil(size float64) *dataset.Set {
	out := *f.clean
	out.X = mat.DenseCopyOf(f.clean.X)
	if t := f.clean.Target; t != nil {
		c := *t
		c.Values = slices.Clone(t.Values)
		out.Target = &c
	}
	g := rand.New(rand.NewPCG(4, 9))
	sign := func() float64 { return float64(2*g.IntN(2) - 1) }
	_, d := out.X.Dims()
	pattern := make([]float64, d)
	for j := range pattern {
		pattern[j] = sign() * (0.5 + 0.5*g.Float64())
	}
	for i, bad := range f.bad {
		if !bad {
			continue
		}
		r := out.X.RawRowView(i)
		switch f.kind {
		case "rows":
			for j := range r {
				r[j] = sign() * size * (0.5 + 0.5*g.Float64())
			}
		case "cluster":
			for j := range r {
				r[j] = size*pattern[j] + noise*g.NormFloat64()
			}
		case "cells":
			r[g.IntN(d)] = sign() * size
		case "sentinel":
			r[0] = size
		case "targets":
			out.Target.Values[i] = sign() * size
		case "targets one side":
			out.Target.Values[i] = size
		}
	}
	return &out
}

// try fits with values of a size.
func (f *far) try(t *testing.T, size float64) {
	t.Helper()
	data := f.spoil(size)
	got, err := f.attempt(context.Background(), data, catalog.Run{Seed: 1})
	if err != nil {
		t.Errorf("%.0e: %v", size, err)
		return
	}
	o := judged(t, got, data)
	back := judged(t, whole(t, f.method, got), data)
	if _, weak := bounded[f.name]; weak {
		if f.world == "classes" {
			f.check(t, size, o)
		}
		return
	}
	if a := apart(t, f.want, got, f.rest); !(a <= farTolerance(f.entrant)) {
		t.Errorf("%.0e: %.3g apart from the fit without them", size, a)
	}
	f.check(t, size, o)
	if f.world == "classes" {
		f.check(t, size, back)
	}
}

// check looks at the flags, and at the weights of rows that are flagged for their inputs.
func (f *far) check(t *testing.T, size float64, o *verdict.Rows) {
	t.Helper()
	missed, wrong := 0, 0
	for i, k := range o.Kind {
		switch regular := k == o.Kinds[0]; {
		case f.bad[i] && regular:
			missed++
		case !f.bad[i] && !regular:
			wrong++
		}
		if k == verdict.FarFromAll && o.Weight != nil && o.Weight[i] != 0 && f.bad[i] {
			t.Errorf("%.0e: row %d is far from all classes and has weight %g", size, i+1, o.Weight[i])
		}
	}
	if missed > 0 {
		t.Errorf("%.0e: %d of the rows are not flagged", size, missed)
	}
	// 57 to 68 rows are clean and at most 5.4 % of such meant to be flagged: one binomial count in 3,000 is more than 11.
	if _, weak := bounded[f.name]; wrong > 11 && f.params["trim"] == "" && !weak { // the trimmed rows are flagged too
		t.Errorf("%.0e: %d clean rows are flagged", size, wrong)
	}
}

// farTolerance is how far a fit may move when a fifth of the rows is lost: as much as other
// clean rows would move it.
func farTolerance(e entrant) float64 {
	switch {
	case e.world == "classes":
		return 0.03 // share of labels
	case e.params["trim"] != "":
		return 1.2 // other rows are trimmed
	case e.method.Family == "elm":
		return 1 // fifteen nodes follow the noise of some sixty rows
	}
	return 0.5
}
