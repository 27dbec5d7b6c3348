package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A sum of two skewed columns is straight, also where some of its cells are missing.
func TestStraightPredictionsSurviveMissingCells(t *testing.T) {
	r := random.New(3, "straight")
	var rows [][]string
	for i := range 1500 {
		a, b := math.Exp(3+r.NormFloat64()), math.Exp(3+r.NormFloat64())
		row := []string{fmt.Sprintf("%.2f", a), fmt.Sprintf("%.2f", b), fmt.Sprintf("%.2f", a+b+1.5*r.NormFloat64())}
		if i%50 < 3 {
			row[i%50] = ""
		}
		rows = append(rows, row)
	}
	m, err := Learn(context.Background(), tolerant.FromStrings([]string{"start", "length", "end"}, rows, tolerant.Options{}), Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := spacedRows(len(m.view.sample), straightRows)
	s := m.straightOf(2, false, asked, m.straightCells(asked))
	if s == nil || math.Abs(s.slopes[0]-1) > 0.05 || math.Abs(s.slopes[1]-1) > 0.05 || s.spread > 2 {
		t.Errorf("the straight prediction is %+v", s)
	}
}
