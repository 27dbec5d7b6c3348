package score

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Assign gives each row a column of its own, or each column a row when there are fewer
// columns, so that the sum of the chosen costs is least: the assignment problem of Kuhn
// and Munkres. column[i] is the column of row i, or -1 when row i stays without. Costs
// may be negative.
//
// The method adds one row after another by a shortest augmenting path over reduced costs
// (dual prices of rows and columns), in O(n^2 m) for n rows and m >= n columns.
func Assign(cost *mat.Dense) (column []int, total float64, err error) {
	if cost == nil || cost.IsEmpty() {
		return nil, 0, fmt.Errorf("score: Assign: no costs")
	}
	n, m := cost.Dims()
	for i := range n {
		for j, c := range cost.RawRowView(i) {
			if !finite(c) {
				return nil, 0, fmt.Errorf("score: Assign: cost of row %d and column %d is %v", i+1, j+1, c)
			}
		}
	}
	if n <= m {
		column = assignRows(n, m, cost.At)
	} else {
		row := assignRows(m, n, func(i, j int) float64 { return cost.At(j, i) })
		column = slices.Repeat([]int{-1}, n)
		for j, i := range row {
			column[i] = j
		}
	}
	for i, j := range column {
		if j >= 0 {
			total += cost.At(i, j)
		}
	}
	return column, total, nil
}

// assignRows solves the problem for n <= m.
func assignRows(n, m int, cost func(i, j int) float64) []int {
	const none = -1
	rowPrice, columnPrice := make([]float64, n), make([]float64, m)
	rowOf, columnOf := slices.Repeat([]int{none}, m), slices.Repeat([]int{none}, n)
	distance := make([]float64, m) // shortest path from the new row to each column
	previous := make([]int, m)     // row before the column on that path
	done := make([]bool, m)
	for start := range n {
		for j := range m {
			distance[j], previous[j], done[j] = math.Inf(1), none, false
		}
		i, length, end := start, 0.0, none
		for end == none {
			nearest := none
			for j := range m {
				if done[j] {
					continue
				}
				if d := length + cost(i, j) - rowPrice[i] - columnPrice[j]; d < distance[j] {
					distance[j], previous[j] = d, i
				}
				// Among equal columns a free one ends the search.
				if nearest == none || distance[j] < distance[nearest] ||
					distance[j] == distance[nearest] && rowOf[j] == none && rowOf[nearest] != none {
					nearest = j
				}
			}
			length = distance[nearest]
			done[nearest] = true
			if rowOf[nearest] == none {
				end = nearest
			} else {
				i = rowOf[nearest]
			}
		}
		// Prices that keep reduced costs of all pairs >= 0 and of chosen pairs 0.
		rowPrice[start] += length
		for j := range m {
			if done[j] && j != end {
				rowPrice[rowOf[j]] += length - distance[j]
				columnPrice[j] -= length - distance[j]
			}
		}
		// Turn the path over.
		for j := end; ; {
			i := previous[j]
			rowOf[j] = i
			columnOf[i], j = j, columnOf[i]
			if i == start {
				break
			}
		}
	}
	return columnOf
}
