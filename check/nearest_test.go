package check

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The nearest rows that products point out are those that measuring every row finds, also among
// ties and where every row is far.
func TestSeekerFindsTheNearest(t *testing.T) {
	for _, d := range []int{1, 7, mostFeatures + 1} {
		r := rand.New(rand.NewPCG(1, uint64(d)))
		const n = 200
		clean, miss := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				clean.Set(i, j, math.Round(4*r.NormFloat64())/4) // ties
				miss.Set(i, j, r.NormFloat64())
			}
		}
		miss.Set(3, 0, math.NaN())
		sample := make([]int, n)
		for i := range sample {
			sample[i] = i
		}
		b := chooseNeighbours(miss, clean, sample, n)
		s := b.seeker()
		var rows [][]float64
		var self []int
		var questions []question
		for i := range 70 {
			row := slices.Clone(clean.RawRowView(i))
			if i%3 == 0 {
				for j := range row {
					row[j] = alike * float64(1-2*(j%2))
				}
			}
			clip(row, row)
			rows, self = append(rows, row), append(self, i)
			questions = append(questions, question{i % d, 9, row, i})
		}
		alone, said := make([]float64, len(rows)), make([]float64, len(rows))
		s.alone(rows, self, alone)
		s.ask(questions, said)
		for i, row := range rows {
			all := func(others []int, worth []float64, without func(k int) bool, most int) []float64 {
				var found []float64
				for k := range n {
					if k == i || without(k) {
						continue
					}
					v := 0.0
					for at, j := range others {
						e := row[j] - b.clean.At(k, j)
						v += worth[at] * e * e
					}
					found = append(found, v)
				}
				slices.Sort(found)
				return found[:most]
			}
			every, ones := make([]int, d), make([]float64, d)
			for j := range every {
				every[j], ones[j] = j, 1
			}
			want := 0.0
			for _, v := range all(every, ones, func(int) bool { return false }, nearest) {
				want += math.Sqrt(v) / nearest
			}
			if math.Abs(alone[i]-want) > 1e-12*want {
				t.Fatalf("%d columns, row %d is %g from its nearest rows, not %g", d, i, alone[i], want)
			}
			j := questions[i].feature
			var both [2]float64
			s.ask([]question{{(j + 1) % d, 9, row, i}, questions[i]}, both[:]) // another cell of the row first, whose nearest rows are begun with
			if both[1] != said[i] {
				t.Fatalf("%d columns, row %d: neighbours say %g, and %g after another question", d, i, said[i], both[1])
			}
			closest := all(b.aside[j], b.worth[j], func(k int) bool { return math.IsNaN(b.miss.At(k, j)) }, asked)
			var asked []float64 // how far those are that were asked
			for _, k := range s.agree.row {
				v := 0.0
				for at, column := range b.aside[j] {
					e := row[column] - b.clean.At(k, column)
					v += b.worth[j][at] * e * e
				}
				asked = append(asked, v)
			}
			slices.Sort(asked)
			if len(asked) != len(closest) {
				t.Fatalf("%d columns, row %d: %d neighbours, not %d", d, i, len(asked), len(closest))
			}
			for k, v := range asked {
				if math.Abs(v-closest[k]) > 1e-12*closest[k] {
					t.Fatalf("%d columns, row %d: neighbour %d is %g away, not %g", d, i, k, v, closest[k])
				}
			}
		}
	}
}

// Rows are told from their first likes whatever their hashes, also those that share a place, and of many in parts.
func TestFirstsAreThoseOfAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3000, 2*firstsPart + 1000} {
		hashes := make([]uint64, n)
		for i := range hashes {
			if hashes[i] = r.Uint64() << 60 >> (r.IntN(2) * 50); i%3 == 0 {
				hashes[i] = uint64(r.IntN(n)) // all in one part
			}
		}
		known := map[uint64]int{}
		f := newFirsts(hashes)
		for i, h := range hashes {
			want, again := known[h]
			if !again {
				known[h], want = i, i
			}
			if got, more := f.of(i); got != want || more != again {
				t.Fatalf("row %d: first %d (%v), not %d (%v)", i, got, more, want, again)
			}
		}
	}
}

// Ranks are shares of the values that are larger, ties halved.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 5, 256, 257, 2000} {
		p := make([]float64, n)
		for i := range p {
			p[i] = math.Round(r.Float64()*float64(n)*2) - 3
		}
		got := slices.Clone(p)
		rank(got)
		for i, v := range p {
			larger, equal := 0, 0
			for _, w := range p {
				if w > v {
					larger++
				} else if w == v {
					equal++
				}
			}
			want := (float64(larger) + float64(equal+1)/2) / float64(n)
			if math.Abs(got[i]-want) > 1e-12 {
				t.Fatalf("of %d values number %d has rank %g, not %g", n, i, got[i], want)
			}
		}
	}
}
