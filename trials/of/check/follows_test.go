package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// pupils are a file in which two words follow from a number, one from an empty cell and one from the order of two; noise moves the border of
// the first from pupil to pupil.
func pupils(noise float64) string {
	r := rand.New(rand.NewPCG(3, 14))
	var b strings.Builder
	b.WriteString("score,result,grade,left,state,due,paid,late\n")
	for k := range 600 {
		score := min(max(62+16*r.NormFloat64(), 0), 100)
		result, grade := "fail", "C"
		if score+noise*r.NormFloat64() >= 50 {
			result = "pass"
		}
		if score >= 60 {
			grade = "B"
		}
		if score >= 75 {
			grade = "A"
		}
		left, state := "", "here"
		if r.IntN(3) == 0 {
			left, state = fmt.Sprint(10+r.IntN(80)), "gone"
		}
		due, paid, late := 100+r.IntN(50), 100+r.IntN(50), "no"
		if paid > due {
			late = "yes"
		}
		if noise == 0 && slices.Contains(brokenPupils, k) {
			result = map[string]string{"pass": "fail", "fail": "pass"}[result]
		}
		fmt.Fprintf(&b, "%.1f,%s,%s,%s,%s,%d,%d,%s\n", score, result, grade, left, state, due, paid, late)
	}
	return b.String()
}

var brokenPupils = []int{17, 88, 203, 377, 512}

func checkText(t *testing.T, text string) *check.Result {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var cells [][]string
	for _, line := range lines[1:] {
		cells = append(cells, strings.Split(line, ","))
	}
	table := tolerant.FromStrings(strings.Split(lines[0], ","), cells, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Words that follow from other cells are laws with round borders, and the words that do not follow are wrong.
func TestWordsThatFollow(t *testing.T) {
	r := checkText(t, pupils(0))
	var said []string
	for _, law := range r.Relations {
		said = append(said, law.Text)
	}
	for _, law := range []string{"result follows from score: fail below 50, pass from 50 on", "grade follows from score: C below 60, B from 60 on, A from 75 on",
		"state follows from left: here where it is empty, gone where it is not", "late follows from paid and due: no where paid <= due, yes where paid > due"} {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.ReplaceAll(s, ".0", "") == law }) {
			t.Errorf("%q is not said; but %q", law, said)
		}
	}
	found := 0
	for row, wrong := range r.Wrong {
		switch planted := slices.Contains(brokenPupils, row); {
		case wrong && !planted:
			t.Errorf("row %d is called wrong: %s", row, r.Why(row))
		case wrong:
			if found++; r.CellsOf(row)[0].Column != 1 && !r.CellsOf(row)[0].Doubt {
				t.Errorf("row %d: %+v", row, r.CellsOf(row)[0])
			}
		}
	}
	if found < len(brokenPupils)-1 { // one may lie beside the border
		t.Errorf("%d of %d wrong words found", found, len(brokenPupils))
	}
}

// A word that is only likelier above a number follows from nothing.
func TestWordsThatOnlyGoWithANumber(t *testing.T) {
	r := checkText(t, pupils(4))
	for _, law := range r.Relations {
		if strings.HasPrefix(law.Text, "result follows") {
			t.Errorf("%s", law.Text)
		}
	}
}

// A batch without the column that words follow from being there says nothing of them.
func TestABatchWithoutWhatWordsFollowFrom(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(pupils(0)), "\n")
	table := func(without string, rows []string) *tolerant.Table {
		head := strings.Split(lines[0], ",")
		gone := slices.Index(head, without)
		cut := func(cells []string) []string {
			if gone < 0 {
				return cells
			}
			return slices.Delete(cells, gone, gone+1)
		}
		var cells [][]string
		for _, line := range rows {
			cells = append(cells, cut(strings.Split(line, ",")))
		}
		return tolerant.FromStrings(cut(head), cells, tolerant.Options{})
	}
	m, err := check.Learn(context.Background(), table("", lines[1:]), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, without := range []string{"left", "score", "due", "state"} {
		batch, _, _ := m.Align(table(without, lines[301:341]))
		r, err := m.Judge(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for _, is := range r.Wrong {
			if is {
				wrong++
			}
		}
		if wrong > 2 {
			t.Errorf("%d of %d rows of a batch without %s are called wrong", wrong, batch.Rows, without)
		}
	}
}
