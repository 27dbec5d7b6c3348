package check

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

// isolation tells how few random cuts set a row apart (isolation forest: Liu, Ting and Zhou
// 2008). It orders rows that are unusual in no way that the other parts know.
type isolation struct {
	trees [][]split
}

// split is a node of a tree: rows below the cut go to the node low, others to the next one after
// it. A leaf has feature -1 and holds in cut the length of the path that ends there.
type split struct {
	cut     float64
	feature int32
	low     int32
}

// perTree is the number of rows that a tree sets apart.
const perTree = 256

// growIsolation grows so many trees on rows in transformed units, with nothing missing.
func growIsolation(y *mat.Dense, trees int, seed uint64) *isolation {
	n, _ := y.Dims()
	forest := &isolation{trees: make([][]split, trees)}
	size := min(n, perTree)
	depth := int(math.Ceil(math.Log2(float64(max(size, 2)))))
	source := random.New(seed, "check isolation")
	seeds := make([][2]uint64, trees)
	for i := range seeds {
		seeds[i] = [2]uint64{source.Uint64(), source.Uint64()}
	}
	linalg.Parallel(trees, func(i int) {
		r := rand.New(rand.NewPCG(seeds[i][0], seeds[i][1]))
		rows := make([]int, size)
		for k := range rows { // without repetition: one from each stretch of the table
			lo, hi := k*n/size, (k+1)*n/size
			rows[k] = lo + r.IntN(hi-lo)
		}
		g := grower{y: y, random: r}
		g.nodes = append(g.nodes, split{})
		g.grow(0, rows, 0, depth)
		forest.trees[i] = g.nodes
	})
	return forest
}

type grower struct {
	y      *mat.Dense
	random *rand.Rand
	nodes  []split
}

func (g *grower) grow(at int, rows []int, depth, most int) {
	_, d := g.y.Dims()
	if len(rows) > 1 && depth < most {
		// Columns that are constant among these rows cannot cut them: a few others are tried.
		for range 2 * d {
			j := g.random.IntN(d)
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, i := range rows {
				v := g.y.At(i, j)
				lo, hi = min(lo, v), max(hi, v)
			}
			if !(hi > lo) {
				continue
			}
			cut := lo + (hi-lo)*g.random.Float64()
			if cut == lo {
				continue
			}
			k := 0
			for i, row := range rows {
				if g.y.At(row, j) < cut {
					rows[i], rows[k] = rows[k], rows[i]
					k++
				}
			}
			low := len(g.nodes)
			g.nodes = append(g.nodes, split{}, split{})
			g.nodes[at] = split{cut: cut, feature: int32(j), low: int32(low)}
			g.grow(low, rows[:k], depth+1, most)
			g.grow(low+1, rows[k:], depth+1, most)
			return
		}
	}
	g.nodes[at] = split{cut: float64(depth) + pathLength(len(rows)), feature: -1}
}

// pathLength is the mean number of cuts that set apart one of n rows.
func pathLength(n int) float64 {
	if n < 2 {
		return 0
	}
	if n == 2 {
		return 1
	}
	m := float64(n)
	return 2*(math.Log(m-1)+0.5772156649015329) - 2*(m-1)/m
}

// scores are large for rows that few cuts set apart: minus the mean length of their paths over that
// of any row, as a power of two. Tree by tree, so that each is at hand for all rows.
func (f *isolation) scores(rows *mat.Dense, to []float64) {
	clear(to)
	for _, nodes := range f.trees {
		for i := range to {
			row := rows.RawRowView(i)
			at := int32(0)
			for nodes[at].feature >= 0 {
				s := &nodes[at]
				at = s.low
				if row[s.feature] >= s.cut {
					at++
				}
			}
			to[i] += nodes[at].cut
		}
	}
	unit := -1 / float64(len(f.trees)) / pathLength(perTree)
	for i, sum := range to {
		to[i] = math.Exp2(sum * unit)
	}
}
