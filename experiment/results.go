package experiment

import (
	"maps"
	"math"
	"path"
	"slices"
)

// Stat is the mean of a score over repeats, its standard deviation and their number.
type Stat struct {
	Mean, SD float64
	N        int
}

// Summarise computes a Stat; values that are not finite make the mean NaN.
func Summarise(values []float64) Stat {
	s := Stat{Mean: math.NaN(), SD: math.NaN(), N: len(values)}
	if s.N == 0 {
		return s
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	s.Mean = sum / float64(s.N)
	s.SD = 0
	if s.N > 1 {
		for _, v := range values {
			s.SD += (v - s.Mean) * (v - s.Mean)
		}
		s.SD = math.Sqrt(s.SD / float64(s.N-1))
	}
	return s
}

// results are records by data and method.
type results struct {
	data, methods []string // in the order of the records
	by            map[[2]string][]*Record
}

func newResults(records []Record) *results {
	r := &results{by: map[[2]string][]*Record{}}
	for i := range records {
		one := &records[i]
		if !slices.Contains(r.data, one.Data) {
			r.data = append(r.data, one.Data)
		}
		if !slices.Contains(r.methods, one.Method) {
			r.methods = append(r.methods, one.Method)
		}
		k := [2]string{one.Data, one.Method}
		r.by[k] = append(r.by[k], one)
	}
	for _, list := range r.by {
		slices.SortStableFunc(list, func(a, b *Record) int { return a.Repeat - b.Repeat })
	}
	return r
}

// values are the scores of one method on one data set, by repeat. A repeat without the
// score is left out.
func (r *results) values(data, method, score string) []float64 {
	var out []float64
	for _, one := range r.by[[2]string{data, method}] {
		if v, ok := one.Scores[score]; ok {
			out = append(out, float64(v))
		}
	}
	return out
}

func (r *results) stat(data, method, score string) Stat {
	return Summarise(r.values(data, method, score))
}

// scores lists the names of a method's scores on one data set that have the given form, in
// the order of the alphabet.
func (r *results) scores(data, method, pattern string) []string {
	seen := map[string]bool{}
	for _, one := range r.by[[2]string{data, method}] {
		for name := range one.Scores {
			if ok, err := path.Match(pattern, name); err == nil && ok {
				seen[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// pairs are the scores of two methods in the repeats in which both have one.
func (r *results) pairs(data, a, b, score string) (x, y []float64) {
	other := map[int]float64{}
	for _, one := range r.by[[2]string{data, b}] {
		if s, ok := one.Scores[score]; ok {
			other[one.Repeat] = float64(s)
		}
	}
	for _, one := range r.by[[2]string{data, a}] {
		s, ok := one.Scores[score]
		if t, both := other[one.Repeat]; ok && both {
			x, y = append(x, float64(s)), append(y, t)
		}
	}
	return x, y
}
