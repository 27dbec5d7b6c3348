// Package synthetic makes data whose truth is known: subspaces, planes, mixtures, classes, tensors,
// faces and sensors, each with outliers of a chosen kind. [Recipes] lists them; [Generate] makes one
// by name, and every recipe is a struct such as [LowRank] as well.
package synthetic

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/given"
)

// Generated is a synthetic set together with what is true about it.
type Generated struct {
	Set *dataset.Set
	// Test is a second, clean set of the same kind; nil when the recipe has none.
	Test  *dataset.Set
	Truth *Truth
	// Sheet is the table as a person would have it, with words beside the numbers of Set; nil when
	// the recipe makes numbers alone.
	Sheet *Sheet
}

// Truth is what the generator knows and a method should find. Fields that have no
// meaning for a recipe are nil.
type Truth struct {
	// Outlier marks the rows that were made to be outliers.
	Outlier []bool
	// Basis holds the true subspace of the inliers, d x m with orthonormal columns,
	// in the order of falling standard deviation.
	Basis *mat.Dense
	// Center is the true mean of the inliers.
	Center []float64
	// CleanX holds the rows of the set before dirt was put on them.
	CleanX *mat.Dense
	// CleanY is the noise-free target of each row of the set.
	CleanY []float64
	// Labels are the class indices before label noise, or the component each row was
	// drawn from.
	Labels []int
	// Means holds the true center of each class or component, one per row.
	Means *mat.Dense
	// Coefficients and Intercept are the true plane of a regression.
	Coefficients []float64
	Intercept    float64
	// Factors are the true orthonormal factors of a low-rank tensor, one per mode.
	Factors []*mat.Dense
	// Note says, row by row, what is wrong with it; empty for rows that are fine.
	Note []string
	// Guilty names the columns, joined by +, that are wrong in a row; empty for rows that are fine.
	Guilty []string
}

// Recipe is a generator with its parameters. The recipes of this package are
// structs such as [LowRank]; each has a function that returns its defaults, such as
// [DefaultLowRank].
type Recipe interface {
	// Generate makes the set. The same recipe and seed give the same set for ever.
	Generate(seed uint64) (*Generated, error)
	// generate is the same until the context ends; what it returns then is not whole.
	generate(ctx context.Context, seed uint64) (*Generated, error)
	// fields names the parameters and ties them to the recipe.
	fields() []setting.Field
}

// Info describes one recipe for a list of what can be generated.
type Info struct {
	Name       string              `json:"name"`
	Text       string              `json:"text"`            // what it is
	Paper      string              `json:"paper,omitempty"` // where the set-up comes from
	Parameters []dataset.Parameter `json:"parameters"`
}

// entry is a line of the table of generators.
type entry struct {
	name, text, paper string
	fresh             func() Recipe // with default parameters
}

// Recipes lists every recipe with its parameters, defaults and ranges.
func Recipes() []Info {
	out := make([]Info, len(table))
	for i, e := range table {
		out[i] = Info{Name: e.name, Text: e.text, Paper: e.paper, Parameters: setting.Describe(e.fresh().fields())}
	}
	return out
}

// NewRecipe returns the named recipe with the given parameters set from text and
// every other one at its default.
func NewRecipe(name string, params map[string]string) (Recipe, error) {
	for _, e := range table {
		if e.name != name {
			continue
		}
		recipe := e.fresh()
		if err := setting.Set(name, recipe.fields(), params); err != nil {
			return nil, err
		}
		return recipe, setting.Check(name, recipe.fields())
	}
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.name
	}
	return nil, fmt.Errorf("dataset: there is no generator %q; there are %s", name, strings.Join(names, ", "))
}

// Generate makes the named synthetic set; see [Recipes] for names and parameters.
func Generate(name string, params map[string]string, seed uint64) (*Generated, error) {
	recipe, err := NewRecipe(name, params)
	if err != nil {
		return nil, err
	}
	return recipe.Generate(seed)
}

// Make is Generate of a recipe that ends with its context. A nil context never ends.
func Make(ctx context.Context, recipe Recipe, seed uint64) (*Generated, error) {
	ctx = given.Context(ctx)
	made, err := recipe.generate(ctx, seed)
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	return made, err
}

// each goes over the numbers from 0 to n-1 until the context ends.
func each(ctx context.Context, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}
}

// mostNumbers bounds the numbers in one generated table (8 GB), so that a slip of the
// pen ends in a message.
const mostNumbers = 1 << 30

// tableOf makes an n x d set with columns x1..xd, after checking its size.
func tableOf(name string, n, d int) (*dataset.Set, error) {
	if n < 1 || d < 1 || n > mostNumbers/d {
		return nil, fmt.Errorf("dataset: %s: %d rows x %d columns are more than the %d numbers that one generated set may have", name, n, d, mostNumbers)
	}
	return &dataset.Set{Name: name, X: mat.NewDense(n, d, nil), Columns: columns("x", d)}, nil
}

// columns names columns prefix1, prefix2, ...
func columns(prefix string, d int) []string {
	names := make([]string, d)
	for j := range names {
		names[j] = prefix + strconv.Itoa(j+1)
	}
	return names
}

// share is the number of rows that make up a fraction, to the nearest, leaving at
// least one row out.
func share(fraction float64, n int) int { return min(int(fraction*float64(n)+0.5), n-1) }

// asColumns makes the matrix whose columns are the given vectors.
func asColumns(vectors [][]float64) *mat.Dense {
	m := mat.NewDense(len(vectors[0]), len(vectors), nil)
	for j, v := range vectors {
		m.SetCol(j, v)
	}
	return m
}
