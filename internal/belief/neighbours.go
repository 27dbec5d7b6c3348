package belief

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
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

// Neighbours are what the rows next to each row say of its label.
type Neighbours struct {
	// Ceiling is the largest share of wrong labels that each class can have: the share of other labels among the rows that
	// the rows next to them vote for it, with what chance allows. Whatever a machine's scores cannot explain looks like wrong
	// labels to it, but labels that neighbours agree with are not wrong: a ring around a cloud, say, that a straight line cuts.
	Ceiling []float64

	table  *mat.Dense
	labels []int
	voters []int
	votes  []float64 // how often each of them votes
	rows   []int     // which rows scores are of; nil: all in their order
	misses float64   // share of the labels that neighbours do not vote for, of so many
	asked  float64
	most   int // how many rows can be asked about
	k      int // classes
}

// voter is a row that votes.
type voter struct {
	distance, votes float64
	at              int
}

// Ask lets rows, in comparable units, vote on each other's labels, of k classes; weights nil are ones.
func Ask(rows *mat.Dense, k int, labels []int, weights []float64) *Neighbours {
	b := &Neighbours{table: rows, labels: labels, k: k}
	b.voters, b.votes = voting(weights, len(labels))
	_, d := rows.Dims()
	b.most = max(min(mostAsked, int(distanceWork/float64(max(len(b.voters)*d, 1)))), fewestAsked)
	wrong, count := make([]float64, k), make([]float64, k)
	places, counts := spread(b.votes, b.most)
	winners := make([]int, len(places))
	linalg.Parallel(len(places), func(q int) { winners[q] = largest(b.elect(b.voters[places[q]])) })
	for q, self := range places {
		elected := winners[q]
		if count[elected] += counts[q]; labels[b.voters[self]] != elected {
			wrong[elected] += counts[q]
		}
	}
	b.asked = total(count)
	b.misses = total(wrong) / max(b.asked, 1e-300)
	for l := range count {
		n := count[l] + 4 // Agresti and Coull: two rows of each kind are added
		mean := (wrong[l] + 2) / n
		b.Ceiling = append(b.Ceiling, math.Min(mean+2*math.Sqrt(mean*(1-mean)/n)+ceilingSlack, 1))
	}
	return b
}

// elect is how many of the rows next to a row have each label.
func (b *Neighbours) elect(row int) []float64 {
	from, near := b.table.RawRowView(row), make([]voter, 0, nearest+1)
	mass, own := 0.0, 1.0 // of votes that are near; the row's own
	for at, i := range b.voters {
		vote := b.votes[at]
		if i == row {
			vote, own = vote-own, 0
		}
		if vote <= 0 {
			continue
		}
		distance := 0.0
		for j, v := range b.table.RawRowView(i) {
			distance += (v - from[j]) * (v - from[j])
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
	shares, left := make([]float64, b.k), float64(nearest)
	for _, v := range near {
		shares[b.labels[b.voters[v.at]]] += min(v.votes, left)
		left -= min(v.votes, left)
	}
	return shares
}

// Of are the neighbours of the rows that scores are of.
func (b *Neighbours) Of(rows []int) *Neighbours {
	if b == nil {
		return nil
	}
	out := *b
	out.rows = rows
	return &out
}

// tellMore tells whether neighbours vote for clearly more of the labels than scores which miss this share of them: by more than
// the difference is uncertain.
func (b *Neighbours) tellMore(misses float64) bool {
	return b != nil && misses-b.misses > math.Sqrt(misses*(1-misses)/max(b.asked, 1))
}

// tellLess tells the contrary: scores that miss this share of the labels miss clearly fewer of them than neighbours do, who were perhaps not asked.
func (b *Neighbours) tellLess(misses float64) bool {
	return b == nil || b.misses-misses > math.Sqrt(b.misses*(1-b.misses)/max(b.asked, 1))
}

// keep tells whether more neighbours have the label of the row of these scores than have the other class.
func (b *Neighbours) keep(at, label, other int) bool {
	if b.rows != nil {
		at = b.rows[at]
	}
	share := b.elect(at)
	return share[label] > share[other]
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

// spread are all places with their weights, or, of more than so many rows that these stand for, as many spread over them, whatever takes turns there.
func spread(weights []float64, most int) (places []int, counts []float64) {
	if total(weights) <= float64(most) && len(weights) <= most {
		for at, w := range weights {
			places, counts = append(places, at), append(counts, w)
		}
		return places, counts
	}
	places = univariate.NewRows(len(weights), weights).Spaced(most, univariate.Staggered())
	return places, slices.Repeat([]float64{1}, most)
}

// weightOf is the weight of a row; nil are ones.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
