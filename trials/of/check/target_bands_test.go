package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// marked are pupils whose mark is decided by their points: every seventeenth is wrong.
func marked(rows int, seed uint64) (*tolerant.Table, map[int]string) {
	source := random.New(seed, "marks")
	wrong := map[int]string{}
	var cells [][]string
	for i := range rows {
		ability := source.NormFloat64()
		points := min(max(math.Round(16+5*ability+3*source.NormFloat64()), 0), 30)
		mark := "A"
		switch {
		case points < 12:
			mark = "C"
		case points < 20:
			mark = "B"
		}
		if i%17 == 3 {
			wrong[i], mark = mark, map[string]string{"A": "C", "B": "A", "C": "B"}[mark]
		}
		cells = append(cells, []string{fmt.Sprintf("%.1f", 20+6*ability+4*source.NormFloat64()), fmt.Sprint(points), fmt.Sprint(15 + source.IntN(5)), mark})
	}
	return tolerant.FromStrings([]string{"hours", "points", "age", "mark"}, cells, tolerant.Options{}), wrong
}

// Labels that a number decides: those beside a border are right, and every label that breaks the rule is wrong (of four tables 85 of 96 were found and
// 13 right ones called wrong).
func TestLabelsThatANumberDecides(t *testing.T) {
	for seed := range uint64(4) {
		table, wrong := marked(400, seed)
		r, err := check.Run(context.Background(), table, check.Settings{Target: "mark"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found, others := called(t, r, wrong); found < len(wrong)-1 || others > 0 {
			t.Errorf("%d of %d wrong labels found, %d right ones called wrong", found, len(wrong), others)
		}
	}
}

// Where a second column has a say there is no such rule: rows with a high pressure ring the alarm at any temperature.
func TestLabelsOfTwoNumbers(t *testing.T) {
	source := random.New(3, "alarms")
	var cells [][]string
	for range 500 {
		hot, pressure, state := 70+10*source.NormFloat64(), 5+source.NormFloat64(), "fine"
		if hot > 82 || pressure > 6.5 {
			state = "alarm"
		}
		cells = append(cells, []string{fmt.Sprintf("%.1f", hot), fmt.Sprintf("%.2f", pressure), state})
	}
	r, err := check.Run(context.Background(), tolerant.FromStrings([]string{"heat", "pressure", "state"}, cells, tolerant.Options{}), check.Settings{Target: "state"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, others := called(t, r, nil); others > 1 {
		t.Errorf("%d of 500 right labels are called wrong", others)
	}
}

// Labels of a batch are held against the rows that were learned, so that one row is enough.
func TestLabelOfABatchOfOneRow(t *testing.T) {
	table, _ := marked(400, 9)
	m, err := check.Learn(context.Background(), table, check.Settings{Target: "mark"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for mark, wrong := range map[string]bool{"A": false, "C": true, "D": true} {
		batch, _, _ := m.Align(tolerant.FromStrings([]string{"hours", "points", "age", "mark"}, [][]string{{"28.1", "24", "16", mark}},
			tolerant.Options{Like: m.Table().Columns, Usual: m.Kinds()}))
		r, err := m.Judge(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		if r.Wrong[0] != wrong {
			t.Errorf("24 points and mark %s: wrong is %v (%s)", mark, r.Wrong[0], r.Why(0))
		}
	}
}
