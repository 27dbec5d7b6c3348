package papers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/experiment"
)

// viewWith has one run for each data set and method, with one score.
func viewWith(id string, scores map[string]map[string]float64, name string) *experiment.View {
	specs, _ := experiment.Find([]string{id})
	var records []experiment.Record
	for data, methods := range scores {
		for method, x := range methods {
			records = append(records, experiment.Record{Data: data, Method: method, Scores: map[string]experiment.Number{name: experiment.Number(x)}})
		}
	}
	return experiment.NewView(specs[0], &experiment.Env{}, records)
}

// What pages say in words follows from the records, also where these say the contrary of what
// was seen before.
func TestWordsFollowFromRecords(t *testing.T) {
	says := func(lines []string, want string) {
		t.Helper()
		if text := strings.Join(lines, "\n"); !strings.Contains(text, want) {
			t.Errorf("%q is not said in:\n%s", want, text)
		}
	}
	anomalies := map[string]map[string]float64{"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.7, "y": 0.6}}
	says(learnedAnomaly(viewWith("beyond-anomaly", anomalies, "auc")), "It is the best on every set")
	anomalies["b"]["y"] = 0.75
	says(learnedAnomaly(viewWith("beyond-anomaly", anomalies, "auc")), "No detector is best everywhere")
	crops := map[string]map[string]float64{"whole pictures": {"pca": 0.4, "r1-pca": 0.45}, "crops": {"pca": 0.6, "r1-pca": 0.6}}
	says(learnedYale(viewWith("kmpe-table-10", crops, at("accuracy", 60))), "a difference of 0.200 where that of methods is 0.050 at most; the paper prints 0.4775, between the two")
	crops["crops"]["pca"] = 0.42
	says(learnedYale(viewWith("kmpe-table-10", crops, at("accuracy", 60))), "outside of both")
	says([]string{fromWhere(func(k float64) bool { return k > 60 })}, "helps at k = 70 and 90")
	says([]string{fromWhere(func(float64) bool { return false })}, "helps at none")
}

// The sentence that counts leads counts those that the lines above it call so: with digits that
// are level nobody leads.
func TestLeadsAreCountedAsTheyAreTold(t *testing.T) {
	needRecords(t)
	v, err := recorded(&experiment.Site{Dir: committed, Env: &experiment.Env{}})("beyond-equal-tuning")
	if err != nil {
		t.Fatal(err)
	}
	lines := learnedTuning(v)
	told, kept := 0, 0
	for _, line := range lines[:len(lines)-1] {
		alone, everybody, _ := strings.Cut(line, "; with everybody tuned it ")
		if strings.Contains(alone, " leads ") {
			told++
			if strings.HasPrefix(everybody, "leads ") {
				kept++
			}
		}
	}
	if want := fmt.Sprintf("In %d of %d kinds of task the paper's method leads when it alone is tuned; in %d of these", told, len(lines)-1, kept); !strings.HasPrefix(lines[len(lines)-1], want) {
		t.Errorf("%q, of lines that say %q", lines[len(lines)-1], want)
	}
}
