package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inlier-ml/inlier/experiment"
)

// Values by scipy 1.17.1: scipy.stats.kendalltau([1,2,3,4,5],[3,1,2,5,4]).statistic = 0.4 and
// kendalltau([1,2,2,3],[1,3,2,3]).statistic = 0.7999999999999999 (tau-b with ties).
func TestKendall(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 30}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4, 5}, []float64{3, 1, 2, 5, 4}, 0.4},
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 3}, 0.8},
	} {
		if got := experiment.Kendall(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Kendall(%v, %v) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
	if !math.IsNaN(experiment.Kendall([]float64{1, 1}, []float64{1, 2})) {
		t.Error("a constant list has no order")
	}
}

// table makes an experiment with one published line and records around given means.
func table(t *testing.T, published, sd, ours []float64, spread float64) (*experiment.Spec, []experiment.Record) {
	t.Helper()
	row := experiment.PublishedRow{Data: "d"}
	p := experiment.PublishedTable{Title: "t", Score: "s", Better: "low", Judged: true, Unit: 0.01}
	var records []experiment.Record
	for k := range published {
		name := fmt.Sprint("m", k)
		p.Methods = append(p.Methods, name)
		row.Mean = append(row.Mean, &published[k])
		if sd != nil {
			row.SD = append(row.SD, &sd[k])
		}
		for repeat, sign := range []float64{-1, 1, -1, 1} {
			records = append(records, experiment.Record{Data: "d", Method: name, Repeat: repeat, Scores: map[string]experiment.Number{"s": experiment.Number(ours[k] + sign*spread)}})
		}
	}
	p.Rows = []experiment.PublishedRow{row}
	return &experiment.Spec{ID: "x", Published: &experiment.Published{Tables: []experiment.PublishedTable{p}}}, records
}

func TestRule(t *testing.T) {
	published := []float64{1, 2, 3, 4}
	for name, c := range map[string]struct {
		sd, ours []float64
		spread   float64
		want     experiment.Outcome
		agree    int
	}{
		"within the joint standard error":     {[]float64{.1, .1, .1, .1}, []float64{1.06, 1.94, 3, 4}, 0, experiment.Reproduced, 4},
		"within the deviation is not enough":  {[]float64{.1, .1, .1, .1}, []float64{1.09, 1.91, 3, 4}, 0, experiment.RankingOnly, 2},
		"own standard error is allowed for":   {[]float64{.1, .1, .1, .1}, []float64{1.15, 2, 3, 4}, 0.1, experiment.Reproduced, 4},
		"beyond both, order kept":             {[]float64{.1, .1, .1, .1}, []float64{2, 3, 4, 5}, 0, experiment.RankingOnly, 0},
		"beyond both, order lost":             {[]float64{.1, .1, .1, .1}, []float64{5, 4, 2, 1}, 0, experiment.NotReproduced, 0},
		"single draws: their interval":        {nil, []float64{1.3, 2.3, 3.3, 4.3}, 0.1, experiment.Reproduced, 4},
		"single draws, spread narrow":         {nil, []float64{1.5, 2.5, 3.5, 4.5}, 0.1, experiment.RankingOnly, 0},
		"single draws, spread wide":           {nil, []float64{1.5, 2.5, 3.5, 4.5}, 0.5, experiment.CannotTell, 4},
		"deviations that hide the methods":    {[]float64{9, 9, 9, 9}, []float64{1.5, 2.5, 3.5, 4.5}, 0.1, experiment.CannotTell, 4},
		"rounding of the printed digit":       {[]float64{0, 0, 0, 0}, []float64{1.004, 2.004, 3.004, 4.004}, 0, experiment.Reproduced, 4},
		"one of four may miss by chance":      {[]float64{.1, .1, .1, .1}, []float64{1, 2, 3, 4.5}, 0, experiment.Reproduced, 3},
		"two of four may not, the order lost": {[]float64{.1, .1, .1, .1}, []float64{1, 2, 0.5, 0}, 0, experiment.NotReproduced, 2},
	} {
		spec, records := table(t, published, c.sd, c.ours, c.spread)
		v := experiment.Judge(spec, records, nil)
		if v.Outcome != c.want || v.Agree != c.agree {
			t.Errorf("%s: %s with %d cells (%s), want %s with %d", name, v.Outcome, v.Agree, v.Reason, c.want, c.agree)
		}
	}
	spec, records := table(t, published, nil, published, 0)
	spec.Substitute = "other data"
	if v := experiment.Judge(spec, records, nil); v.Outcome != experiment.NoData || v.Judged != 0 || len(v.Cells) != 0 || !math.IsNaN(v.Rank) {
		t.Errorf("numbers of other data are compared: %s, %s", v.Outcome, v.Reason)
	}
	spec.Substitute = ""
	if v := experiment.Judge(spec, records[:8], nil); v.Agree != 2 || v.Judged != 4 {
		t.Errorf("methods without records count as agreeing: %d of %d", v.Agree, v.Judged)
	}
}

// order makes records of two methods on n draws, whose difference is given in units of its
// deviation over draws; large draws are common to both.
func order(n int, difference float64) []experiment.Record {
	var out []experiment.Record
	for repeat := range n {
		common, own := 10*math.Sin(float64(repeat)), float64(2*(repeat%2)-1)
		for k, v := range []float64{common, common + difference + own} {
			out = append(out, experiment.Record{Data: "d", Method: fmt.Sprint("m", k), Repeat: repeat, Scores: map[string]experiment.Number{"s": experiment.Number(v)}})
		}
	}
	return out
}

func TestClaims(t *testing.T) {
	limit := 1.5
	_, records := table(t, []float64{1, 2, 3}, nil, []float64{1, 2, 3}, 0.1)
	than := experiment.Claim{Method: "m0", Score: "s", Better: "low", Than: []string{"m1"}}
	_, four := table(t, []float64{1, 2, 3, 4}, nil, []float64{1, 2, 3, 1}, 0.1)
	divisions := func(string) float64 { return 1 }
	for name, c := range map[string]struct {
		claim   experiment.Claim
		records []experiment.Record
		overlap func(string) float64
		want    experiment.Conclusion
		outcome experiment.Outcome
	}{
		"within a bound":              {experiment.Claim{Method: "m0", Score: "s", Max: &limit}, records, nil, experiment.Confirmed, experiment.Reproduced},
		"beyond a bound":              {experiment.Claim{Method: "m1", Score: "s", Max: &limit}, records, nil, experiment.Contradicted, experiment.NotReproduced},
		"better than both":            {experiment.Claim{Method: "m0", Score: "s", Better: "low", Than: []string{"m1", "m2"}}, records, nil, experiment.Confirmed, experiment.RankingOnly},
		"worse than one of two":       {experiment.Claim{Method: "m1", Score: "s", Better: "low", Than: []string{"m0", "m2"}}, records, nil, experiment.Contradicted, experiment.NotReproduced},
		"that is half of them":        {experiment.Claim{Method: "m1", Score: "s", Better: "low", Than: []string{"m0", "m2"}, Share: 0.5}, records, nil, experiment.Confirmed, experiment.RankingOnly},
		"nothing to compare":          {experiment.Claim{Method: "m0", Score: "s", Max: &limit, Data: []string{"e*"}}, records, nil, experiment.Undecided, experiment.CannotTell},
		"pairs show what means hide":  {than, order(40, 1), nil, experiment.Confirmed, experiment.RankingOnly},
		"a lead within chance":        {than, order(40, 0.1), nil, experiment.Undecided, experiment.CannotTell},
		"behind beyond chance":        {than, order(40, -1), nil, experiment.Contradicted, experiment.NotReproduced},
		"divisions of one table":      {than, order(40, 1), divisions, experiment.Undecided, experiment.CannotTell},
		"two draws are no test":       {than, order(2, 9), nil, experiment.Undecided, experiment.CannotTell},
		"the other way round, for it": {experiment.Claim{Method: "m1", Score: "s", Better: "high", Than: []string{"m0"}}, order(40, 1), nil, experiment.Confirmed, experiment.RankingOnly},
		"most, the rest undecided":    {experiment.Claim{Method: "m0", Score: "s", Better: "low", Than: []string{"m1", "m2", "m3"}}, four, nil, experiment.Partly, experiment.RankingOnly},
	} {
		spec := &experiment.Spec{Published: &experiment.Published{Claims: []experiment.Claim{c.claim}}, Overlap: c.overlap}
		if v := experiment.Judge(spec, c.records, nil); v.Conclusion != c.want || v.Outcome != c.outcome {
			t.Errorf("%s: %s, %s (%s), want %s, %s", name, v.Conclusion, v.Outcome, v.Reason, c.want, c.outcome)
		}
	}
}

// With many comparisons some come out so by chance: methods that are alike confirm nothing.
func TestManyComparisonsConfirmNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 20 {
		claim := experiment.Claim{Method: "m0", Score: "s", Better: "low", Share: 0.01}
		var records []experiment.Record
		for k := range 41 {
			name := fmt.Sprint("m", k)
			if k > 0 {
				claim.Than = append(claim.Than, name)
			}
			for repeat := range 10 {
				records = append(records, experiment.Record{Data: "d", Method: name, Repeat: repeat, Scores: map[string]experiment.Number{"s": experiment.Number(r.NormFloat64())}})
			}
		}
		if v := experiment.Judge(&experiment.Spec{Published: &experiment.Published{Claims: []experiment.Claim{claim}}}, records, nil); v.Claims[0].Holds+v.Claims[0].Against > 0 {
			plain++
		}
	}
	if plain > 4 { // at most 5 % of the tables on average; without adjustment nearly all
		t.Errorf("%d of 20 tables of equal methods show a difference", plain)
	}
}

func TestPublishedFilesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		`{"tables":[{"better":"large"}]}`: "neither low nor high",
		`{"tables":[{"better":"low","methods":["a","b"],"rows":[{"data":"x","mean":[1]}]}]}`: "one cell for each",
		`{"claims":[{"text":"c"}]}`: "neither an order nor a bound",
		`{`:                         "unexpected end",
	} {
		_, err := experiment.LoadPublished(fstest.MapFS{"p.json": {Data: []byte(text)}}, "p.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Records of an earlier plan, which have none of the judged scores, say nothing about them.
func TestRecordsOfAnEarlierPlan(t *testing.T) {
	spec, records := table(t, []float64{1, 2, 3}, nil, []float64{1, 2, 3}, 0.1)
	spec.Published.Tables[0].Score = "new"
	if v := experiment.Judge(spec, records, nil); v.Outcome != experiment.NotRun {
		t.Errorf("%s (%s)", v.Outcome, v.Reason)
	}
}
