package elm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The textbook stands in trials/of/elm; what tests of unexported names need of it is here.

func textbookLayer(x *mat.Dense, l *Layer) *mat.Dense {
	n, d := x.Dims()
	nodes, _ := l.dims()
	h := mat.NewDense(n, nodes, nil)
	for i := range n {
		for j := range nodes {
			z, distance := l.Bias[j], 0.0
			for k := range d {
				z += x.At(i, k) * l.Weights.At(j, k)
				distance += (x.At(i, k) - l.Weights.At(j, k)) * (x.At(i, k) - l.Weights.At(j, k))
			}
			switch l.Activation {
			case Sigmoid:
				z = 1 / (1 + math.Exp(-z))
			case Tanh:
				z = (math.Exp(z) - math.Exp(-z)) / (math.Exp(z) + math.Exp(-z))
			case ReLU:
				z = max(z, 0)
			case Sine:
				z = math.Sin(z)
			case Gaussian:
				z = math.Exp(-l.Bias[j] * distance)
			}
			h.Set(i, j, z)
		}
	}
	return h
}

// sinc makes the kmpe paper's section IV-A: y = 8 sinc(x) + noise, a tenth of the rows
// with Gaussian noise of variance 9, the rest uniform in [-1, 1] or sin(uniform angle).
func sinc(n int, wave bool, seed uint64) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 5))
	x, t = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v := 20*random.Float64() - 10
		noise := 2*random.Float64() - 1
		if wave {
			noise = math.Sin(2 * math.Pi * random.Float64())
		}
		if random.Float64() < 0.1 {
			noise = 3 * random.NormFloat64()
		}
		x.Set(i, 0, v)
		t.Set(i, 0, 8*math.Sin(v)/v+noise)
	}
	return x, t
}

func must(t testing.TB, m *Model, err error) *Model {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
