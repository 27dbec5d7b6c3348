package experiment

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Two methods that are equally good in truth are told apart on one table by chance alone.
// Repeated cross-validation on that table does not show this chance: a repeat tests all rows,
// so that the test is widened by all rows over those of one fit.
func TestRepeatedCrossValidationOfOneTable(t *testing.T) {
	claim := Claim{Method: "a", Than: []string{"b"}, Score: "s", Better: "high"}
	r := rand.New(rand.NewPCG(1, 2))
	false1, false2 := 0, 0
	const tables, repeats, folds, rows = 400, 10, 10, 100
	for range tables {
		// What the ten folds of a repeat tell is the table's own difference, which is 0 on
		// average, and a part that the division into folds has.
		table := r.NormFloat64() / math.Sqrt(rows)
		var records []Record
		for repeat := range repeats {
			d := table + r.NormFloat64()/math.Sqrt(rows)
			records = append(records, Record{Data: "x", Method: "a", Repeat: repeat, Scores: map[string]Number{"s": Number(d)}}, Record{Data: "x", Method: "b", Repeat: repeat, Scores: map[string]Number{"s": 0}})
		}
		found := func(overlap float64) bool {
			one := claim.test(&Spec{Overlap: func(string) float64 { return overlap }}, newResults(records), "x", "b", "s")
			return one.p < claimLevel
		}
		if found(float64(folds) / (folds - 1)) {
			false1++
		}
		if found(1.0 / (folds - 1)) {
			false2++
		}
	}
	if false1 > tables/10 || false2 < tables/4 {
		t.Errorf("of %d tables without a difference %d seem to have one, %d with the ratio of a fold", tables, false1, false2)
	}
}
