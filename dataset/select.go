package dataset

import (
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/words"
)

// Select returns the set with the given columns in that order, as a model wants them.
// Columns are matched by name, whatever their order, and others are left out. Only when
// one side has no names of its own (a file without a header, or a model that was fitted
// to one) and the number of columns is the same are they matched by position. Names x1, x2,
// ... of which the set has none are taken for those of a model that was fitted to such a file.
func (s *Set) Select(columns []string) (*Set, error) {
	there := func(name string) bool { return slices.Contains(s.Columns, name) }
	if madeUp(columns) && len(columns) == len(s.Columns) && !slices.ContainsFunc(columns, there) {
		out := *s
		out.Columns, out.Unnamed = slices.Clone(columns), false
		return &out, nil
	}
	return s.SelectByName(columns)
}

// SelectByName is Select for names that are known to be the model's own, also where they are x1, x2, ...
func (s *Set) SelectByName(columns []string) (*Set, error) {
	out := *s
	if slices.Equal(s.Columns, columns) {
		return &out, nil
	}
	index := make(map[string]int, len(s.Columns))
	for j, name := range s.Columns {
		index[name] = j
	}
	from := make([]int, len(columns))
	var missing []string
	for k, name := range columns {
		j, ok := index[name]
		if !ok {
			missing = append(missing, name)
			continue
		}
		from[k] = j
	}
	out.Columns = slices.Clone(columns)
	if len(missing) > 0 {
		if s.Unnamed && len(columns) == len(s.Columns) {
			out.Unnamed = false
			return &out, nil
		}
		e := Problem(s.Name, "%s %s missing", words.Noun(len(missing), "column")+" "+words.Names(missing), words.Are(len(missing)))
		if s.Unnamed {
			e = Problem(s.Name, "there are %d columns without names where %d are expected", len(s.Columns), len(columns))
		}
		return nil, In("columns", e.WithHint("there are %s", words.Names(s.Columns)))
	}
	n := s.Rows()
	out.X = mat.NewDense(n, len(columns), nil)
	for i := range n {
		row, to := s.X.RawRowView(i), out.X.RawRowView(i)
		for k, j := range from {
			to[k] = row[j]
		}
	}
	if len(columns) != len(s.Columns) {
		out.Shape = nil
	}
	return &out, nil
}

// madeUp reports whether the names are x1, x2, ... as a file without names gets them.
func madeUp(columns []string) bool {
	for k, name := range columns {
		if name != "x"+strconv.Itoa(k+1) {
			return false
		}
	}
	return true
}
