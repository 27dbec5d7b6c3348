package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Of two rows with the same number the one is wrong that is out of the order of the others, also where it comes first.
func TestKeyOutOfOrderIsTheWrongOne(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	rows := make([][]string, 900)
	for i := range rows {
		rows[i] = []string{fmt.Sprintf("R-%04d", i+1), fmt.Sprintf("%.2f", 50+10*r.NormFloat64()), fmt.Sprintf("%.2f", 5+r.NormFloat64())}
	}
	rows[288][0], rows[699][0] = "R-0829", "R-0070"
	got, _ := wrongRows(t, tolerant.FromStrings([]string{"part", "x", "y"}, rows, tolerant.Options{As: map[string]tolerant.Kind{"part": tolerant.Identifier}}))
	if !slices.Equal(got, []int{288, 699}) {
		t.Errorf("wrong are %v, not 288 and 699", got)
	}
}
