package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// numbersTable makes a table of numeric columns.
func numbersTable(names []string, columns ...[]float64) *tolerant.Table {
	t := &tolerant.Table{}
	for j, values := range columns {
		t.Rows = len(values)
		t.Columns = append(t.Columns, tolerant.Column{Name: names[j], Kind: tolerant.Number, Values: values})
	}
	return t
}

// many is a number of seeds: few, or with INLIER_CONFORMANCE=all so many more.
func many(few, all uint64) uint64 {
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		return all
	}
	return few
}

// categoryColumn makes a column of words.
func categoryColumn(name string, cells []string) tolerant.Column {
	count := map[string]int{}
	for _, w := range cells {
		count[w]++
	}
	c := tolerant.Column{Name: name, Kind: tolerant.Category}
	for w := range count {
		c.Levels = append(c.Levels, w)
	}
	slices.SortFunc(c.Levels, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	for _, w := range cells {
		c.Values = append(c.Values, float64(slices.Index(c.Levels, w)))
	}
	return c
}

// cleanShapes are tables in which nothing is wrong.
var cleanShapes = []string{"normal", "uniform", "t3", "lognormal", "exponential", "poisson", "groups", "half-binary", "zero-inflated"}

// cleanTable draws n rows of d columns. Columns of the continuous shapes share a common factor.
func cleanTable(shape string, n, d int, seed uint64) *tolerant.Table {
	r := random.New(seed, "clean "+shape)
	names := make([]string, d)
	columns := make([][]float64, d)
	for j := range columns {
		names[j] = fmt.Sprintf("x%d", j+1)
		columns[j] = make([]float64, n)
	}
	for i := range n {
		common, group := r.NormFloat64(), float64(r.IntN(3))
		for j := range columns {
			z := 0.6*common + 0.8*r.NormFloat64()
			columns[j][i] = shaped(r, shape, z, j, d, group)
		}
	}
	return numbersTable(names, columns...)
}

func shaped(r *rand.Rand, shape string, z float64, j, d int, group float64) float64 {
	switch shape {
	case "uniform":
		return r.Float64()
	case "t3":
		return z / math.Sqrt((sq(r)+sq(r)+sq(r))/3)
	case "lognormal":
		return math.Exp(z)
	case "exponential":
		return r.ExpFloat64()
	case "poisson":
		k, p := 0.0, r.Float64()
		for p > math.Exp(-3) {
			k++
			p *= r.Float64()
		}
		return k
	case "groups":
		return z + 8*group*float64(1-2*(j%2))
	case "half-binary":
		if j < d/2 {
			return float64(r.IntN(2))
		}
	case "zero-inflated":
		if r.Float64() < 0.6 {
			return 0
		}
		return math.Round(100*math.Exp(z)) / 100
	}
	return z
}

func sq(r *rand.Rand) float64 { z := r.NormFloat64(); return z * z }
