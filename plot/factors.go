package plot

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// modes are what a decomposition by modes is made of.
type modes struct {
	Shape     []int
	Mean      []float64
	Factors   []*mat.Dense
	Variances [][]float64
}

// factors are the modes of a model's reduction; nil where it has none.
func (m *fitted) factors() *modes {
	f, ok := catalog.As[interface {
		Shape() []int
		Mean() []float64
		Factor(mode int) *mat.Dense
		Variances(mode int) []float64
	}](m.reduction())
	if !ok {
		return nil
	}
	out := &modes{Shape: f.Shape(), Mean: f.Mean()}
	for k := range out.Shape {
		out.Factors, out.Variances = append(out.Factors, f.Factor(k)), append(out.Variances, f.Variances(k))
	}
	return out
}

// factorPictures shows what a decomposition by modes is made of: the outer products of
// its directions as images, or the factors themselves where samples are no images.
func factorPictures(m *fitted, count int) (*Drawing, error) {
	p := m.factors()
	size := 1
	for _, u := range p.Factors {
		_, r := u.Dims()
		size *= r
	}
	result := &componentResult{Method: m.about.Method, Components: size, Shape: p.Shape}
	out := &Drawing{Title: "Components of " + m.about.Method, Result: result}
	if !drawable(p.Shape) {
		result.Shown = size
		for k, u := range p.Factors {
			n, r := u.Dims()
			s := loadings(fmt.Sprintf("Factor of mode %d", k+1), mat.DenseCopyOf(u.T()), numbered(n), min(r, cmp.Or(count, 15)))
			out.Sections = append(out.Sections, s)
		}
		return out, nil
	}
	terms := strongest(p, cmp.Or(count, 15))
	result.Shown = len(terms)
	cells, captions := [][]float64{stretched(p.Mean)}, []string{"mean"}
	for _, t := range terms {
		cells, captions = append(cells, centred(t.image(p))), append(captions, t.name())
	}
	text := fmt.Sprintf("The mean and the %d of %s that carry most variance: outer products of one direction of each mode, which the captions number.", len(terms), words.Plural(size, "component"))
	if slices.ContainsFunc(p.Factors, whole) {
		text = fmt.Sprintf("The mean and the %d products of directions that carry most variance. A mode that is kept whole has no directions and is drawn constant.", len(terms))
	}
	out.Sections = []Section{{text, report.Images(out.Title, report.Gallery{Shape: p.Shape, Min: 0, Max: 1, Wrap: wrapAt(len(cells)), Cells: [][][]float64{cells}, Captions: [][]string{captions}})}}
	return out, nil
}

func numbered(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i + 1)
	}
	return list
}

// whole tells whether a factor keeps its mode as it is.
func whole(u *mat.Dense) bool {
	n, r := u.Dims()
	if n != r || n == 1 {
		return false
	}
	for i := range n {
		for j := range n {
			if v := u.At(i, j); i == j && v != 1 || i != j && v != 0 {
				return false
			}
		}
	}
	return true
}

// coreEntry is one entry of the core: a direction of each mode, from 0; -1 for a mode kept whole.
type coreEntry []int

// strongest are the terms of largest variance, which for separable data is the product of
// the variances of the directions.
func strongest(p *modes, count int) []coreEntry {
	type weighed struct {
		term     coreEntry
		variance float64
	}
	list := []weighed{{nil, 1}}
	for k, u := range p.Factors {
		_, r := u.Dims()
		choices := r
		if whole(u) {
			choices = 0
		}
		var next []weighed
		for _, w := range list {
			if choices == 0 {
				next = append(next, weighed{append(slices.Clone(w.term), -1), w.variance})
			}
			for j := range choices {
				v := 1.0
				if k < len(p.Variances) && j < len(p.Variances[k]) {
					v = p.Variances[k][j]
				}
				next = append(next, weighed{append(slices.Clone(w.term), j), w.variance * v})
			}
		}
		// Variances multiply, so a term outside the best of its beginning is outside the best.
		sort.SliceStable(next, func(a, b int) bool { return next[a].variance > next[b].variance })
		list = next[:min(len(next), max(count, 1))]
	}
	var terms []coreEntry
	for _, w := range list[:min(len(list), count)] {
		terms = append(terms, w.term)
	}
	return terms
}

// image is the outer product of the term's directions, in the order of the sample.
func (t coreEntry) image(p *modes) []float64 {
	image := []float64{1}
	for k, j := range t {
		n := p.Shape[k]
		next := make([]float64, 0, len(image)*n)
		for _, v := range image {
			for i := range n {
				along := 1.0
				if j >= 0 {
					along = p.Factors[k].At(i, j)
				}
				next = append(next, v*along)
			}
		}
		image = next
	}
	return image
}

// name is "2 x 1": which direction of each mode.
func (t coreEntry) name() string {
	var parts []string
	for _, j := range t {
		if j >= 0 {
			parts = append(parts, strconv.Itoa(j+1))
		}
	}
	return strings.Join(parts, " x ")
}
