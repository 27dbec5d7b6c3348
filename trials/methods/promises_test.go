package methods

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// What the tests of far values, cancelling, weights and calibration share: every method of
// the table with data that suit it, and a measure of how far apart two fitted models are.

// noise is the standard deviation of the errors in every world below.
const noise = 0.3

// entrant is one method with the parameters it is tested with.
type entrant struct {
	name   string // of the test: the method, perhaps with a variant
	method *catalog.Method
	params map[string]string
	world  string
}

// entrants lists every method of the table, and variants that keep promises of their own.
func entrants(t *testing.T) []entrant {
	t.Helper()
	var out []entrant
	add := func(m *catalog.Method, variant, world string, params map[string]string) {
		name := m.Name
		if variant != "" {
			name += "," + variant
		}
		out = append(out, entrant{name, m, params, world})
	}
	for _, m := range catalog.Methods() {
		switch m.Family {
		case "pca", "correntropy-pca":
			add(m, "", "rows", map[string]string{"components": "2"})
		case "tensor":
			rank := "3x3"
			if p, _ := m.Param("rank"); strings.HasPrefix(p.Meaning, "numbers kept per row") {
				rank = "3"
			}
			params := map[string]string{"rank": rank}
			if _, ok := m.Param("neighbours"); ok {
				params["max-steps"] = "5"
			}
			add(m, "", "images", params)
		case "linear":
			add(m, "", "line", map[string]string{})
		case "elm":
			add(m, "", "line", map[string]string{"hidden": "15"})
			add(m, "classes", "classes", map[string]string{"hidden": "15"})
		case "classify":
			add(m, "", "classes", map[string]string{})
			add(m, "scaling=robust", "classes", map[string]string{"scaling": "robust"})
		case "chain":
			if m.Name == "nearest-subspace" {
				add(m, "", "classes", map[string]string{"reduce.components": "1"})
				add(m, "scaling=none", "classes", map[string]string{"reduce.components": "1", "scaling": "none"})
				break
			}
			add(m, "", "classes", map[string]string{})
		case "cluster":
			add(m, "", "groups", map[string]string{"clusters": "3"})
			if m.Name == "kmeans" {
				add(m, "trim=0.25", "groups", map[string]string{"clusters": "3", "trim": "0.25"})
			}
		default:
			t.Fatalf("family %s has no world to be tested in", m.Family)
		}
	}
	m, err := catalog.Lookup("nearest-center")
	if err != nil {
		t.Fatal(err)
	}
	add(m, "reduce=pca-robust", "classes", map[string]string{"reduce": "pca-robust", "reduce.components": "2"})
	add(m, "reduce=pca-robust,reduce.scaling=none", "classes", map[string]string{"reduce": "pca-robust", "reduce.components": "2", "reduce.scaling": "none"})
	return out
}

// generate draws n clean rows of a world. Rows of one world and d, drawn with different
// seeds, are of one population.
func generate(world string, n int, seed uint64) *dataset.Set {
	g := rand.New(rand.NewPCG(seed, 77))
	fixed := rand.New(rand.NewPCG(5, 5)) // what the population is
	switch world {
	case "rows":
		return lowRank(n, 6, 2, g, fixed)
	case "images":
		return lowRankImages(n, 8, 7, 3, g, fixed)
	case "line":
		x := mat.NewDense(n, 3, nil)
		y := make([]float64, n)
		for i := range n {
			r := x.RawRowView(i)
			for j := range r {
				r[j] = g.NormFloat64()
			}
			y[i] = 1 + 2*r[0] - r[1] + 0.5*r[2] + noise*g.NormFloat64()
		}
		return tableOf(world, x, nil, &dataset.Target{Name: "y", Values: y})
	case "classes", "groups":
		const d = 4
		x := mat.NewDense(n, d, nil)
		labels := make([]int, n)
		for i := range n {
			labels[i] = i % 3
			r := x.RawRowView(i)
			for j := range r {
				r[j] = noise * g.NormFloat64()
				if j == labels[i] {
					r[j] += 3
				}
			}
		}
		target := &dataset.Target{Name: "class", Labels: labels, Classes: []string{"a", "b", "c"}}
		if world == "groups" {
			target = nil
		}
		return tableOf(world, x, nil, target)
	}
	panic("no such world: " + world)
}

func lowRank(n, d, rank int, g, fixed *rand.Rand) *dataset.Set {
	basis := mat.NewDense(rank, d, nil)
	mean := make([]float64, d)
	for k := range rank {
		for j := range d {
			basis.Set(k, j, fixed.NormFloat64())
		}
	}
	for j := range mean {
		mean[j] = fixed.NormFloat64()
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		r := x.RawRowView(i)
		for k := range rank {
			a := g.NormFloat64() * float64(rank+1-k) / float64(rank)
			for j := range r {
				r[j] += a * basis.At(k, j)
			}
		}
		for j := range r {
			r[j] += mean[j] + noise*g.NormFloat64()
		}
	}
	return tableOf("rows", x, nil, nil)
}

func lowRankImages(n, p, q, rank int, g, fixed *rand.Rand) *dataset.Set {
	left, right := mat.NewDense(p, rank, nil), mat.NewDense(rank, q, nil)
	for _, m := range []*mat.Dense{left, right} {
		data := m.RawMatrix().Data
		for i := range data {
			data[i] = fixed.NormFloat64()
		}
	}
	x := mat.NewDense(n, p*q, nil)
	core, half, image := mat.NewDense(rank, rank, nil), mat.NewDense(p, rank, nil), mat.NewDense(p, q, nil)
	for i := range n {
		for k := range rank * rank {
			core.Set(k/rank, k%rank, g.NormFloat64())
		}
		half.Mul(left, core)
		image.Mul(half, right)
		r := x.RawRowView(i)
		for j, v := range image.RawMatrix().Data {
			r[j] = v + noise*g.NormFloat64()
		}
	}
	return tableOf("images", x, []int{p, q}, nil)
}

func tableOf(name string, x *mat.Dense, shape []int, target *dataset.Target) *dataset.Set {
	_, d := x.Dims()
	s := &dataset.Set{Name: name, X: x, Shape: shape, Target: target}
	for j := range d {
		s.Columns = append(s.Columns, fmt.Sprintf("x%d", j+1))
	}
	return s
}

// apart tells how differently two models treat rows: the root mean square difference of
// what they keep or predict, in standard deviations of the noise; for classes the share of
// rows with another label, for clusters the largest distance of a center of a from the
// nearest of b, in the same unit.
func apart(t *testing.T, a, b catalog.Model, probe *dataset.Set) float64 {
	t.Helper()
	ctx := context.Background()
	if centers, ok := a.State().Arrays["centers"]; ok && a.Describe().Task == catalog.Cluster {
		return centersApart(t, centers, b.State().Arrays["centers"])
	}
	if p, ok := a.(catalog.Predictor); ok {
		x, err := p.Predict(ctx, probe.X)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.(catalog.Predictor).Predict(ctx, probe.X)
		if err != nil {
			t.Fatal(err)
		}
		if x.Values != nil {
			return rootMeanSquare(x.Values, y.Values) / noise
		}
		other := 0
		for i, l := range x.Labels {
			if l != y.Labels[i] {
				other++
			}
		}
		return float64(other) / float64(len(x.Labels))
	}
	keep := func(m catalog.Model) *mat.Dense {
		tr := m.(catalog.Transformer)
		out, err := tr.Reconstruct(ctx, probe.X)
		if m.Describe().Family == "correntropy-pca" {
			out, err = tr.Transform(ctx, probe.X)
		}
		if err != nil {
			t.Fatal(err)
		}
		return mat.DenseCopyOf(out)
	}
	return rootMeanSquare(keep(a).RawMatrix().Data, keep(b).RawMatrix().Data) / noise
}

func rootMeanSquare(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}

func centersApart(t *testing.T, a, b catalog.Array) float64 {
	t.Helper()
	x, err := a.Dense()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Dense()
	if err != nil {
		t.Fatal(err)
	}
	k, _ := x.Dims()
	l, _ := y.Dims()
	most := 0.0
	for c := range k {
		least := math.Inf(1)
		for e := range l {
			sum := 0.0
			for j, v := range x.RawRowView(c) {
				sum = math.Hypot(sum, v-y.At(e, j))
			}
			least = math.Min(least, sum)
		}
		most = math.Max(most, least)
	}
	return most / noise
}

// whole checks that a file can hold a model and brings it back from there.
func whole(t *testing.T, m *catalog.Method, model catalog.Model) catalog.Model {
	t.Helper()
	for name, array := range model.State().Arrays {
		for i, v := range array.Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("array %s holds %v at %d, which no file can", name, v, i)
			}
		}
	}
	return reloaded(t, m, model)
}

// judged is the verdict of a model on rows, checked for numbers that are none.
func judged(t *testing.T, m catalog.Model, data *dataset.Set) *verdict.Rows {
	t.Helper()
	d, ok := m.(catalog.Detector)
	if !ok {
		return nil
	}
	o, err := d.Outliers(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string][]float64{"weight": o.Weight, "orthogonal distance": o.OrthogonalDistance, "score distance": o.ScoreDistance, "residual": o.Residual} {
		for i, v := range list {
			if math.IsNaN(v) {
				t.Fatalf("the %s of row %d is not a number", name, i+1)
			}
		}
	}
	return o
}

// side runs a check for every entrant, several at once, each with one worker: the numbers
// of looks at a context and the memory in use are then repeatable.
func side(t *testing.T, check func(t *testing.T, e entrant)) {
	linalg.SetThreads(1)
	defer linalg.SetThreads(0)
	t.Run("every", func(t *testing.T) {
		for _, e := range entrants(t) {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				check(t, e)
			})
		}
	})
}

// everything tells whether the long form of the tests was asked for.
func everything() bool { return os.Getenv("INLIER_CONFORMANCE") == "all" }

// fit fits an entrant.
func (e entrant) fit(ctx context.Context, data *dataset.Set, run catalog.Run) (catalog.Model, error) {
	return e.method.Fit(ctx, data.Source(), maps.Clone(e.params), run)
}

// attempt is fit with a panic as an error.
func (e entrant) attempt(ctx context.Context, data *dataset.Set, run catalog.Run) (m catalog.Model, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	return e.fit(ctx, data, run)
}

// repeatRows is a set in which row i stands times[i] times in succession.
func repeatRows(data *dataset.Set, times []float64) *dataset.Set {
	var rows []int
	for i, w := range times {
		rows = append(rows, slices.Repeat([]int{i}, int(w))...)
	}
	return data.Subset(rows)
}
