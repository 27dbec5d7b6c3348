package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// A target may be a grade: its classes have an order, and a label three steps off is worse than one beside the right one, which is often a
// matter of taste. Grades are held against a number that the rest of the row suggests, and how far they may be from it is
// learned from most rows.

// scales are the words of grades in their order; words that mean the same stand together.
var scales = [][]string{
	{"very low", "low", "medium|middle|mid|moderate|average|normal", "high", "very high"},
	{"very small|xs|extra small", "small|s", "medium|m", "large|l|big", "very large|xl|extra large", "xxl"},
	{"very poor|very bad|terrible", "poor|bad", "fair|ok|okay|average|acceptable|satisfactory", "good", "very good", "excellent|outstanding"},
	{"none|no", "mild|minor|slight", "moderate", "severe|major", "very severe|critical"},
	{"never", "rarely|seldom", "sometimes|occasionally", "often", "very often|usually", "always"},
	{"strongly disagree", "disagree", "neutral|neither", "agree", "strongly agree"},
	{"beginner|novice", "intermediate", "advanced", "expert"},
	{"cold", "cool", "mild|warm", "hot"},
	{"first", "second", "third", "fourth", "fifth"},
}

const (
	// fewestGrades are enough to speak of steps.
	fewestGrades = 3
	// gradesNear is the share of rows that lie within a step of what is suggested where rows follow the order.
	gradesNear = 0.7
	// gradesOff is the chance of a right grade to be so far off below which one is doubted.
	gradesOff = 0.01
	// gradesBetween is the share of rows that lie between two grades, by more than a quarter of a step, where numbers are grades: it is a half by
	// chance, and next to none of the codes of classes, which have no order.
	gradesBetween = 1.0 / 3
)

// gradesOf are the places of classes in their order, from 0; nil where they have none. Whole numbers have that of their values.
func gradesOf(c *tolerant.Column, names []string) []float64 {
	if len(names) < fewestGrades {
		return nil
	}
	place := make([]float64, len(names))
	if c.Kind == tolerant.Number {
		for k, name := range names {
			place[k], _ = strconv.ParseFloat(name, 64) // as classesOf wrote it
		}
	} else if !slices.ContainsFunc(scales, func(scale []string) bool {
		for k, name := range names {
			name = strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), " "))
			at := slices.IndexFunc(scale, func(word string) bool { return slices.Contains(strings.Split(word, "|"), name) })
			if place[k] = float64(at); at < 0 {
				return false
			}
		}
		return true
	}) {
		return nil
	}
	steps := slices.Compact(slices.Sorted(slices.Values(place))) // words that mean the same are one
	if len(steps) < fewestGrades {
		return nil
	}
	for k, v := range place {
		at, _ := slices.BinarySearch(steps, v)
		place[k] = float64(at)
	}
	return place
}

// graded doubts labels that are grades, far from the one that their row suggests, and takes from what is said of them as classes those that are
// off by less than a step; what the order does not tell of stays as it was said.
func (t *targetTable) graded(ctx context.Context, names []string, place []float64, said []Suspicion) ([]Suspicion, error) {
	codes, from := t.codes, t.from
	y, x := mat.NewDense(len(from.taught), 1, nil), from.matrix(from.taught)
	for k, i := range from.taught {
		y.Set(k, 0, place[from.codes[i]])
	}
	m, err := elm.Robust{Options: elm.Options{Seed: t.v.settings.Seed}}.Fit(ctx, linalg.FromDense(x), y)
	if err != nil {
		return said, ctx.Err()
	}
	suggested, off := make([]float64, len(t.rows)), make([]float64, len(t.rows))
	err = t.blocks(ctx, func(places []int, x *mat.Dense) error {
		made, err := m.Predict(ctx, x)
		for k, i := range places {
			if err == nil {
				suggested[i] = made.At(k, 0)
				off[i] = place[codes[i]] - suggested[i]
			}
		}
		return err
	})
	if err != nil {
		return said, err
	}
	made, err := m.Predict(ctx, x)
	if err != nil {
		return said, err
	}
	highest := slices.Max(place)
	within := func(s float64) float64 { return min(max(s, 0), highest) } // beyond the last grade there is none
	near, between, taught := 0, 0, make([]float64, len(from.taught))
	for k := range taught {
		if taught[k] = y.At(k, 0) - made.At(k, 0); math.Abs(taught[k]) < 1 {
			near++
		}
		if s := within(made.At(k, 0)); math.Abs(s-math.Round(s)) > 0.25 {
			between++
		}
	}
	if float64(near) < gradesNear*float64(len(taught)) ||
		t.v.table.Columns[t.column].Kind == tolerant.Number && float64(between) < gradesBetween*float64(len(taught)) {
		return said, nil
	}
	tails := fitSides(taught)
	byPlace := make([]int, len(names))
	for k, v := range place {
		byPlace[int(v)] = k
	}
	var doubted []int
	p := make([]float64, len(off))
	for i, e := range off {
		if p[i] = tails.p(e); p[i] < gradesOff && math.Abs(place[codes[i]]-within(suggested[i])) > 0.5 {
			doubted = append(doubted, i)
		}
	}
	slices.SortStableFunc(doubted, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	var found []Suspicion
	var chances []float64
	for rank, i := range doubted {
		own := place[codes[i]]
		should := math.Round(within(suggested[i]))
		// Of the rows that are at least so far off so many are right (Benjamini and Hochberg 1995).
		chance := min(1, p[i]*float64(len(off))/float64(rank+1))
		s := t.doubt(i, names[codes[i]], names[byPlace[int(should)]], chance)
		if steps := math.Abs(should - own); steps > 1 {
			s.Why += fmt.Sprintf("; that is %.0f steps off", steps)
		}
		s.P = min(s.P, max(p[i], 1e-9))
		found, chances = append(found, s), append(chances, chance)
	}
	callLabels(found, chances, t.v.settings.falseAlarms())
	return merged(said, found, func(row int) bool {
		i, _ := slices.BinarySearch(t.rows, row)
		return math.Abs(off[i]) < 1
	}), nil
}

// merged lets what is said of grades join what is said of classes: the surer of both is kept, and of classes no row is called that is near to what its grade should be.
func merged(classes, grades []Suspicion, near func(row int) bool) []Suspicion {
	at := map[int]int{}
	for k := range classes {
		s := &classes[k]
		if at[s.Row] = k; near(s.Row) {
			s.Called, s.P = false, max(s.P, 0.1)
		}
	}
	for _, s := range grades {
		k, known := at[s.Row]
		switch {
		case !known:
			classes = append(classes, s)
		case s.Called || !classes[k].Called:
			classes[k] = s
		}
	}
	slices.SortStableFunc(classes, func(a, b Suspicion) int { return cmp.Compare(a.Row, b.Row) })
	return classes
}
