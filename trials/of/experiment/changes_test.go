package experiment

import (
	"testing"

	"github.com/inlier-ml/inlier/experiment"
)

func TestCompare(t *testing.T) {
	line := func(id string, o experiment.Outcome, agree int) experiment.Line {
		return experiment.Line{ID: id, Paper: "kmpe", Verdict: experiment.Verdict{Outcome: o, Agree: agree, Judged: 4}}
	}
	before := []experiment.Line{line("same", experiment.Reproduced, 4), line("word", experiment.Reproduced, 4), line("count", experiment.RankingOnly, 1), {ID: "own", Paper: "beyond"}}
	now := []experiment.Line{line("same", experiment.Reproduced, 4), line("word", experiment.CannotTell, 4), line("count", experiment.RankingOnly, 2), line("new", experiment.Reproduced, 4), {ID: "own", Paper: "beyond"}}
	now[0].Conclusion = experiment.Confirmed // not judged before
	got := map[string]bool{}
	for _, c := range experiment.Compare(before, now) {
		got[c.Now.ID] = c.Differs()
	}
	if len(got) != 4 || got["same"] || !got["word"] || !got["count"] || !got["new"] {
		t.Errorf("differs: %v", got)
	}
}
