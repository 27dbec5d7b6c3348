package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	// weakest is the smallest p-value of what is only rare: rare words and pairs are there in
	// every table.
	weakest = 0.002
	// mostPaired is how many columns of words are held against each other, and mostPairedWords how
	// many words they may have.
	mostPaired, mostPairedWords = 30, 40
)

// categories is the part for words: misspelt ones, rare ones, and pairs that hardly ever come
// together although both words are frequent.
func categories(ctx context.Context, v *view) (Evidence, error) {
	out := Evidence{Part: PartCategory}
	t := v.table
	var columns []int
	counts := map[int][]int{}
	for c := range t.Columns {
		column := &t.Columns[c]
		if column.Kind != tolerant.Category && column.Kind != tolerant.Boolean || len(column.Values) < t.Rows || len(column.Levels) < 2 {
			continue
		}
		columns = append(columns, c)
		counts[c] = levelCounts(column)
	}
	for _, c := range columns {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if t.Columns[c].Kind == tolerant.Category {
			if v.learned != nil {
				out.Cells = append(out.Cells, unknownWords(&t.Columns[c], &v.learned.Columns[c], c)...)
			}
			out.Cells = append(out.Cells, rareWords(&t.Columns[c], c, counts[c], len(columns))...)
		}
	}
	var paired []int
	for _, c := range columns {
		if len(counts[c]) <= mostPairedWords && len(paired) < mostPaired {
			paired = append(paired, c)
		}
	}
	for i, a := range paired {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		for _, b := range paired[i+1:] {
			out.Cells = append(out.Cells, rarePairs(t, a, b, counts, len(paired))...)
		}
	}
	return out, nil
}

// levelCounts counts the rows of every level.
func levelCounts(c *tolerant.Column) []int {
	counts := make([]int, len(c.Levels))
	for _, v := range spill.Each(c.Values) {
		if k := int(v); v == v && k >= 0 && k < len(counts) {
			counts[k]++
		}
	}
	return counts
}

// rareWords are the cells with a word that looks like a misspelt frequent one, and weakly those
// with a word that is rare.
func rareWords(c *tolerant.Column, column int, counts []int, columns int) (cells []Suspicion) {
	meant := misspelt(c.Levels, counts)
	total := 0
	for _, k := range counts {
		total += k
	}
	// as[k] is how many rows have a word that comes k times or less.
	rarest := max(2, total/1000)
	as := make([]int, rarest+1)
	for _, k := range counts {
		if k <= rarest {
			as[k] += k
		}
	}
	for k := 1; k <= rarest; k++ {
		as[k] += as[k-1]
	}
	stray, surely := strayWord(counts, meant)
	for row, v := range spill.Each(c.Values) {
		k := int(v)
		if v != v || k < 0 || k >= len(counts) {
			continue
		}
		s := Suspicion{Row: row, Column: column, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
		if m, ok := meant[k]; ok {
			s.P, s.Level, s.Slip = m.p, c.Levels[m.level], m.slip
			s.Why = fmt.Sprintf("%s is %s, which looks like %s (%s)", words.Clip(c.Name), amount(c, v), amount(c, float64(m.level)), words.Plural(counts[m.level], "row"))
			cells = append(cells, s)
			continue
		}
		switch {
		case k == stray && surely: // by whom it was meant nobody knows
			s.P, s.Doubt = strayP, true
		case k == stray:
			s.P = weakest
		case counts[k] > rarest || total < 50:
			continue
		default:
			s.P = max(float64(as[counts[k]]*columns)/float64(total), weakest)
		}
		if s.P < 0.02 {
			s.Why = fmt.Sprintf("%s is %s in only %d of %s", words.Clip(c.Name), amount(c, v), counts[k], words.Plural(total, "row"))
			cells = append(cells, s)
		}
	}
	return cells
}

const (
	// strayTimes is how many times as often as a stray word every other comes at least, and strayMost how often the stray one comes at most.
	strayTimes, strayMost = 20, 6
	// strayAmong is the number of words in a list that one which is not of it stands out from beyond doubt; among fewer, men and women, it is only rare.
	strayAmong = 4
	// strayEven is how much longer the step down to it is than any other step between the words.
	strayEven = 2.5
	strayP    = 1e-5
)

// strayWord is the one word of a list, misspelt ones aside, that comes a few times where all others come often, and about as often as each other;
// -1: none.
func strayWord(counts []int, misspelt map[int]meaning) (word int, surely bool) {
	var sorted []int
	for k, n := range counts {
		if _, is := misspelt[k]; !is && n > 0 {
			sorted = append(sorted, n)
		}
	}
	slices.Sort(sorted)
	if len(sorted) < 3 || sorted[0] > strayMost || sorted[1] < strayTimes*sorted[0] {
		return -1, false
	}
	step := math.Log(float64(sorted[1]) / float64(sorted[0]))
	for k := 2; k < len(sorted); k++ {
		if strayEven*math.Log(float64(sorted[k])/float64(sorted[k-1])) > step {
			return -1, false
		}
	}
	word = slices.IndexFunc(counts, func(n int) bool { return n == sorted[0] })
	for _, is := misspelt[word]; is; _, is = misspelt[word] { // as rare as it
		word += 1 + slices.Index(counts[word+1:], sorted[0])
	}
	return word, len(sorted) > strayAmong && sorted[0] > 1
}

// rarePairs are the rows with two words of which each is frequent and which hardly ever come
// together, given how frequent they are. Where most pairs of the table are rare by right none
// stands out.
func rarePairs(t *tolerant.Table, a, b int, counts map[int][]int, columns int) (cells []Suspicion) {
	x, y := &t.Columns[a], &t.Columns[b]
	wide := len(counts[b])
	together := make([]int, len(counts[a])*wide)
	total := 0
	for row, v := range spill.Each(x.Values) {
		if w := y.Values[row]; v == v && w == w {
			together[int(v)*wide+int(w)]++
			total++
		}
	}
	if total < 100 {
		return nil
	}
	rare := make([]bool, len(together))
	mass := 0
	for k, seen := range together {
		expected := float64(counts[a][k/wide]) * float64(counts[b][k%wide]) / float64(total)
		if seen > 0 && seen <= 2 && expected >= 20 {
			rare[k] = true
			mass += seen
		}
	}
	p := max(float64(mass*columns*(columns-1)/2)/float64(total), weakest)
	if mass == 0 || p > 0.02 {
		return nil
	}
	for row, v := range spill.Each(x.Values) {
		w := y.Values[row]
		if v != v || w != w || !rare[int(v)*wide+int(w)] {
			continue
		}
		cells = append(cells, Suspicion{Row: row, Column: b, P: p, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
			Why: fmt.Sprintf("%s %s and %s %s come together in %d of %s, though each is frequent", words.Clip(x.Name), amount(x, v),
				words.Clip(y.Name), amount(y, w), together[int(v)*wide+int(w)], words.Plural(total, "row"))})
	}
	return cells
}
