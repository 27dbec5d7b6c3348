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
	trees []tree
}

// tree is a tree of cuts. Rows go down as many cuts as the longest path has, so that no step
// depends on whether a leaf was reached: a leaf leads to itself.
type tree struct {
	splits []split
	ends   []float64 // per node, the length of the path that ends there
	depth  int
}

// split is a node of a tree: rows below the cut go to the node low, others to the next one after
// it. Nothing is above the cut of a leaf, which is no number.
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
	forest := &isolation{trees: make([]tree, trees)}
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
		g.splits, g.ends, g.depth = append(g.splits, split{}), append(g.ends, 0), depth
		g.grow(0, rows, 0)
		forest.trees[i] = g.tree
	})
	return forest
}

type grower struct {
	y      *mat.Dense
	random *rand.Rand
	tree
}

func (g *grower) grow(at int, rows []int, depth int) {
	_, d := g.y.Dims()
	if len(rows) > 1 && depth < g.depth {
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
			low := len(g.splits)
			g.splits, g.ends = append(g.splits, split{}, split{}), append(g.ends, 0, 0)
			g.splits[at] = split{cut: cut, feature: int32(j), low: int32(low)}
			g.grow(low, rows[:k], depth+1)
			g.grow(low+1, rows[k:], depth+1)
			return
		}
	}
	g.splits[at], g.ends[at] = split{cut: math.NaN(), low: int32(at)}, float64(depth)+pathLength(len(rows))
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
	for k := range f.trees {
		f.trees[k].add(rows, to)
	}
	unit := -1 / float64(len(f.trees)) / pathLength(perTree)
	for i, sum := range to {
		to[i] = math.Exp2(sum * unit)
	}
}

// add adds the lengths of the rows' paths: four rows side by side, since each step waits for the last.
func (t *tree) add(rows *mat.Dense, to []float64) {
	i := 0
	for ; i+4 <= len(to); i += 4 {
		r0, r1, r2, r3 := rows.RawRowView(i), rows.RawRowView(i+1), rows.RawRowView(i+2), rows.RawRowView(i+3)
		var a0, a1, a2, a3 int32
		for range t.depth {
			a0, a1, a2, a3 = t.next(a0, r0), t.next(a1, r1), t.next(a2, r2), t.next(a3, r3)
		}
		to[i] += t.ends[a0]
		to[i+1] += t.ends[a1]
		to[i+2] += t.ends[a2]
		to[i+3] += t.ends[a3]
	}
	for ; i < len(to); i++ {
		row, at := rows.RawRowView(i), int32(0)
		for range t.depth {
			at = t.next(at, row)
		}
		to[i] += t.ends[at]
	}
}

// next is the node below another that a row goes to; without a jump, since nobody could foretell it.
func (t *tree) next(at int32, row []float64) int32 {
	s := &t.splits[at]
	high := int32(0)
	if row[s.feature] >= s.cut {
		high = 1
	}
	return s.low + high
}
