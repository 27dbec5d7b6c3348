package belief

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// nearest is the number of rows that vote on the class of one between them.
	nearest = 10
	// mostNeighbours and mostAsked are the most rows that vote and that are voted on; fewestAsked and distanceWork bound the
	// work: numbers that are compared in all.
	mostNeighbours = 2000
	mostAsked      = 500
	fewestAsked    = 100
	distanceWork   = 4e7
	// ceilingSlack is how far above what the vote says of a class its share of wrong labels may be, beside chance.
	ceilingSlack = 0.03
)

// Ceiling is the largest share of wrong labels that each of k classes can have: the share of other labels among the rows that
// the rows next to them vote for it, with what chance allows. Whatever a machine's scores cannot explain looks like wrong
// labels to it, but labels that neighbours agree with are not wrong: a ring around a cloud, say, that a straight line cuts.
// rows are in comparable units; weights nil are ones.
func Ceiling(rows *mat.Dense, k int, labels []int, weights []float64) []float64 {
	voters, votes := voting(weights, len(labels))
	_, d := rows.Dims()
	asked := max(min(mostAsked, int(distanceWork/float64(max(len(voters)*d, 1)))), fewestAsked)
	wrong, count, share := make([]float64, k), make([]float64, k), make([]float64, k)
	type voter struct {
		distance, votes float64
		at              int
	}
	near := make([]voter, 0, nearest+1)
	places, counts := spread(votes, asked)
	for q, self := range places {
		row := rows.RawRowView(voters[self])
		near = near[:0]
		mass := 0.0 // of votes that are near
		for at, i := range voters {
			vote := votes[at]
			if at == self {
				vote--
			}
			if vote <= 0 {
				continue
			}
			distance := 0.0
			for j, v := range rows.RawRowView(i) {
				distance += (v - row[j]) * (v - row[j])
			}
			if mass >= nearest && !(distance < near[len(near)-1].distance) {
				continue
			}
			place, _ := slices.BinarySearchFunc(near, distance, func(v voter, distance float64) int {
				if v.distance <= distance {
					return -1
				}
				return 1
			})
			near = slices.Insert(near, place, voter{distance, vote, at})
			mass += vote
			for last := near[len(near)-1]; mass-last.votes >= nearest; last = near[len(near)-1] { // not needed any more
				mass -= last.votes
				near = near[:len(near)-1]
			}
		}
		clear(share)
		left := float64(nearest)
		for _, v := range near {
			share[labels[voters[v.at]]] += min(v.votes, left)
			left -= min(v.votes, left)
		}
		elected := largest(share)
		if count[elected] += counts[q]; labels[voters[self]] != elected {
			wrong[elected] += counts[q]
		}
	}
	out := make([]float64, k)
	for l := range out {
		n := count[l] + 4 // Agresti and Coull: two rows of each kind are added
		mean := (wrong[l] + 2) / n
		out[l] = math.Min(mean+2*math.Sqrt(mean*(1-mean)/n)+ceilingSlack, 1)
	}
	return out
}

// voting are the rows that vote and how often each does.
func voting(weights []float64, n int) (rows []int, votes []float64) {
	var all []int
	for i := range n {
		if w := weightOf(weights, i); w > 0 {
			all, votes = append(all, i), append(votes, w)
		}
	}
	places, votes := spread(votes, mostNeighbours)
	for _, at := range places {
		rows = append(rows, all[at])
	}
	return rows, votes
}

// spread are all places with their weights, or, of more than so many rows that these stand for, as many at equal distances.
func spread(weights []float64, most int) (places []int, counts []float64) {
	all := total(weights)
	if all <= float64(most) && len(weights) <= most {
		for at, w := range weights {
			places, counts = append(places, at), append(counts, w)
		}
		return places, counts
	}
	at, reached := 0, weights[0]
	for j := range most {
		for place := (float64(j) + 0.5) * all / float64(most); reached <= place && at+1 < len(weights); reached += weights[at] {
			at++
		}
		places, counts = append(places, at), append(counts, 1)
	}
	return places, counts
}

// weightOf is the weight of a row; nil are ones.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
