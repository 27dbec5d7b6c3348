package tune

import (
	"maps"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// Candidate is one setting of the parameters that a search varies.
type Candidate struct {
	// Params are the varied parameters.
	Params map[string]string
	// given are all parameters that are not left at their defaults.
	given map[string]string
}

// Text is "lambda=0.1 hidden=50", in the order of the axes.
func (c Candidate) Text(axes []Axis) string {
	var parts []string
	for _, a := range axes {
		parts = append(parts, a.Name+"="+c.Params[a.Name])
	}
	if len(parts) == 0 {
		return "defaults"
	}
	return strings.Join(parts, " ")
}

// Given are the parameters of a fit: the varied and the fixed ones.
func (c Candidate) Given() map[string]string { return maps.Clone(c.given) }

// key names the candidate in a journal.
func (c Candidate) key() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.given)) {
		b.WriteString(name + "=" + c.given[name] + "\n")
	}
	return b.String()
}

// mostCandidates bounds a search.
const mostCandidates = 100000

// candidates lists the settings to try, each checked by the method.
func (s *Search) candidates() ([]Candidate, error) {
	seen := map[string]bool{}
	for _, a := range s.Axes {
		if seen[a.Name] {
			return nil, wrongIn("grid", "give all its values in one", "there are two grids of parameter %s", a.Name)
		}
		if _, fixed := s.Fixed[a.Name]; fixed {
			return nil, wrongIn("grid", "give it once", "parameter %s is given by --set and by --grid", a.Name)
		}
		if len(a.Values) == 0 {
			return nil, wrong("for example --grid lambda=0.01,0.1,1", "the grid of parameter %s is empty", a.Name)
		}
		seen[a.Name] = true
	}
	if s.Random < 0 || s.Random > mostCandidates {
		return nil, wrong("it is a number of candidates from 1 to 100000", "--random %d is not allowed", s.Random)
	}
	var list []Candidate
	var err error
	if s.Random > 0 {
		list = s.drawn()
	} else if list, err = s.product(); err != nil {
		return nil, err
	}
	for i := range list {
		list[i].given = maps.Clone(s.Fixed)
		if list[i].given == nil {
			list[i].given = map[string]string{}
		}
		maps.Copy(list[i].given, list[i].Params)
		if err := buildable(s.Method, list[i].given); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// buildable checks parameters as far as that is possible without data.
func buildable(m *catalog.Method, params map[string]string) error {
	v, err := m.Check(params)
	if err == nil {
		_, err = m.Build(v)
	}
	return err
}

// product is every combination of the axes' values; the last axis runs fastest.
func (s *Search) product() ([]Candidate, error) {
	total := 1
	for _, a := range s.Axes {
		if total *= len(a.Values); total > mostCandidates {
			return nil, wrongIn("grid", "--random N tries N of them", "the grid has more than %d candidates", mostCandidates)
		}
	}
	list := make([]Candidate, total)
	for i := range list {
		list[i].Params = map[string]string{}
		rest := i
		for k := len(s.Axes) - 1; k >= 0; k-- {
			a := s.Axes[k]
			list[i].Params[a.Name] = a.Values[rest%len(a.Values)]
			rest /= len(a.Values)
		}
	}
	return list, nil
}

// drawn are random settings, all different; fewer where there are not so many.
func (s *Search) drawn() []Candidate {
	r := dataset.Random(s.Seed, "tune candidates")
	seen := map[string]bool{}
	var list []Candidate
	add := func(c Candidate) bool {
		text := c.Text(s.Axes)
		if seen[text] {
			return false
		}
		seen[text] = true
		list = append(list, c)
		return true
	}
	const patience = 50 // draws in vain before those that are left are looked for
	for vain := 0; len(list) < s.Random && vain < patience; {
		c := Candidate{Params: map[string]string{}}
		for k := range s.Axes {
			c.Params[s.Axes[k].Name] = s.Axes[k].draw(r)
		}
		if vain++; add(c) {
			vain = 0
		}
	}
	if len(list) == s.Random {
		return list
	}
	// Most settings were drawn: the others are put in order and mixed.
	all := *s
	all.Axes = make([]Axis, len(s.Axes))
	for k, a := range s.Axes {
		a.Values = a.all()
		if all.Axes[k] = a; len(a.Values) == 0 {
			return list // a range of numbers is never used up
		}
	}
	left, err := all.product()
	if err != nil {
		return list
	}
	r.Shuffle(len(left), func(a, b int) { left[a], left[b] = left[b], left[a] })
	for _, c := range left {
		if len(list) < s.Random {
			add(c)
		}
	}
	return list
}
