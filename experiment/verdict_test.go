package experiment

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
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
		if got := Kendall(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Kendall(%v, %v) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
	if !math.IsNaN(Kendall([]float64{1, 1}, []float64{1, 2})) {
		t.Error("a constant list has no order")
	}
}

// table makes an experiment with one published line and records around given means.
func table(t *testing.T, published, sd, ours []float64, spread float64) (*Spec, []Record) {
	t.Helper()
	row := PublishedRow{Data: "d"}
	p := PublishedTable{Title: "t", Score: "s", Better: "low", Judged: true, Unit: 0.01}
	var records []Record
	for k := range published {
		name := fmt.Sprint("m", k)
		p.Methods = append(p.Methods, name)
		row.Mean = append(row.Mean, &published[k])
		if sd != nil {
			row.SD = append(row.SD, &sd[k])
		}
		for repeat, sign := range []float64{-1, 1, -1, 1} {
			records = append(records, Record{Data: "d", Method: name, Repeat: repeat, Scores: map[string]Number{"s": Number(ours[k] + sign*spread)}})
		}
	}
	p.Rows = []PublishedRow{row}
	return &Spec{ID: "x", Published: &Published{Tables: []PublishedTable{p}}}, records
}

func TestRule(t *testing.T) {
	published := []float64{1, 2, 3, 4}
	for name, c := range map[string]struct {
		sd, ours []float64
		spread   float64
		want     Outcome
		agree    int
	}{
		"within the printed deviation":        {[]float64{.1, .1, .1, .1}, []float64{1.09, 1.91, 3, 4}, 0, Reproduced, 4},
		"own standard error is allowed for":   {[]float64{.1, .1, .1, .1}, []float64{1.19, 2, 3, 4}, 0.1, Reproduced, 4},
		"beyond both, order kept":             {[]float64{.1, .1, .1, .1}, []float64{2, 3, 4, 5}, 0, RankingOnly, 0},
		"beyond both, order lost":             {[]float64{.1, .1, .1, .1}, []float64{5, 4, 2, 1}, 0, NotReproduced, 0},
		"no deviation printed: our spread":    {nil, []float64{1.5, 2.5, 3.5, 4.5}, 0.5, Reproduced, 4},
		"no deviation printed, spread narrow": {nil, []float64{1.5, 2.5, 3.5, 4.5}, 0.1, RankingOnly, 0},
		"rounding of the printed digit":       {[]float64{0, 0, 0, 0}, []float64{1.004, 2.004, 3.004, 4.004}, 0, Reproduced, 4},
	} {
		spec, records := table(t, published, c.sd, c.ours, c.spread)
		v := Judge(spec, records, nil)
		if v.Outcome != c.want || v.Agree != c.agree {
			t.Errorf("%s: %s with %d cells (%s), want %s with %d", name, v.Outcome, v.Agree, v.Reason, c.want, c.agree)
		}
	}
	spec, records := table(t, published, nil, published, 0)
	spec.Substitute = "other data"
	if v := Judge(spec, records, nil); v.Outcome != NoData {
		t.Errorf("substitute data: %s", v.Outcome)
	}
	spec.Substitute = ""
	if v := Judge(spec, records[:8], nil); v.Agree != 2 || v.Judged != 4 {
		t.Errorf("methods without records count as agreeing: %d of %d", v.Agree, v.Judged)
	}
}

func TestClaims(t *testing.T) {
	limit := 1.5
	_, records := table(t, []float64{1, 2, 3}, nil, []float64{1, 2, 3}, 0.1)
	for _, c := range []struct {
		claim Claim
		want  Outcome
	}{
		{Claim{Method: "m0", Score: "s", Max: &limit}, Reproduced},
		{Claim{Method: "m1", Score: "s", Max: &limit}, NotReproduced},
		{Claim{Method: "m0", Score: "s", Better: "low", Than: []string{"m1", "m2"}}, RankingOnly},
		{Claim{Method: "m1", Score: "s", Better: "low", Than: []string{"m0", "m2"}}, NotReproduced},
		{Claim{Method: "m1", Score: "s", Better: "low", Than: []string{"m0", "m2"}, Share: 0.5}, RankingOnly},
		{Claim{Method: "m0", Score: "s", Max: &limit, Data: []string{"e*"}}, NotReproduced}, // nothing to compare
	} {
		spec := &Spec{Published: &Published{Claims: []Claim{c.claim}}}
		if v := Judge(spec, records, nil); v.Outcome != c.want {
			t.Errorf("%+v: %s (%s), want %s", c.claim, v.Outcome, v.Reason, c.want)
		}
	}
}

func TestPublishedFilesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		`{"tables":[{"better":"large"}]}`: "neither low nor high",
		`{"tables":[{"better":"low","methods":["a","b"],"rows":[{"data":"x","mean":[1]}]}]}`: "one cell for each",
		`{"claims":[{"text":"c"}]}`: "neither an order nor a bound",
		`{`:                         "unexpected end",
	} {
		_, err := LoadPublished(fstest.MapFS{"p.json": {Data: []byte(text)}}, "p.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
