package experiment

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Limits by scipy 1.17.1, for ours o = 3 5 4 8 6 4 5 7 and a printed deviation of 2:
//
//	a = 4/R; b = var(o, ddof=1)/8; df = (a+b)**2/(a*a/(R-1) + b*b/7)
//	t.ppf(.975, df)*sqrt(a+b)                       # R = 20, then 10
//	t.ppf(.975, 7)*std(o, ddof=1)*sqrt(1/R + 1/8)   # no deviation printed, R = 1, then 5
func TestExpectedAgainstSciPy(t *testing.T) {
	ours := []float64{3, 5, 4, 8, 6, 4, 5, 7}
	for _, c := range []struct {
		printed Stat
		reach   float64
	}{
		{Stat{SD: 2, N: 20}, 1.5739909157496492},
		{Stat{SD: 2, N: 10}, 1.8341762496396397},
		{Stat{SD: 2}, 1.8341762496396397}, // not told: the fewest usual
		{Stat{SD: math.NaN(), N: 1}, 4.186071926829919},
		{Stat{SD: math.NaN()}, 4.186071926829919},
		{Stat{SD: math.NaN(), N: 5}, 2.249946055134637},
	} {
		low, high := expected(c.printed, ours, 0.01)
		if math.Abs(high-5.25-c.reach) > 1e-8 || math.Abs(5.25-low-c.reach) > 1e-8 {
			t.Errorf("%+v: %g to %g, want 5.25 +- %g", c.printed, low, high, c.reach)
		}
	}
	// scipy.stats.binom.ppf(.85, n, .05)
	for n, misses := range map[int]int{1: 0, 2: 0, 3: 0, 8: 1, 28: 3, 32: 3, 36: 3, 60: 5, 80: 6} {
		if needed(n) != n-misses {
			t.Errorf("%d cells: %d must agree, want %d", n, needed(n), n-misses)
		}
	}
}

// A paper that measured what we measure: about 5 % of its cells do not agree with ours,
// whatever is printed.
func TestPerfectReplicationMissesFivePercent(t *testing.T) {
	normal := func(r *rand.Rand) float64 { return 68 + 6*r.NormFloat64() }
	skew := func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }
	for name, c := range map[string]struct {
		draw          func(*rand.Rand) float64
		theirs, ours  int
		told          int // repeats that the paper names
		deviation     bool
		least, most   float64
		oldRuleMisses float64 // what the deviation as a limit would have made of it
	}{
		"deviation over 20 draws":                {normal, 20, 50, 20, true, 0.04, 0.06, 0},
		"deviation over 100 draws, few of ours":  {normal, 100, 10, 100, true, 0.04, 0.06, 0},
		"deviation, repeats not told, 10":        {normal, 10, 50, 0, true, 0.04, 0.06, 0},
		"deviation, repeats not told, 50":        {normal, 50, 50, 0, true, 0, 0.06, 0},
		"one draw":                               {normal, 1, 50, 1, false, 0.04, 0.06, 0.32},
		"one draw, few of ours":                  {normal, 1, 5, 1, false, 0.04, 0.06, 0.32},
		"one draw of a skew score, many of ours": {skew, 1, 200, 0, false, 0.04, 0.06, 0.10},
		"mean of five draws":                     {normal, 5, 20, 5, false, 0.04, 0.06, 0},
	} {
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		sample := func(n int) []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = c.draw(r)
			}
			return out
		}
		missed, old := 0.0, 0.0
		const cells = 3000
		for range cells {
			printed, ours := Summarise(sample(c.theirs)), sample(c.ours)
			printed.N = c.told
			if !c.deviation {
				printed.SD = math.NaN()
			}
			cell := newCell(printed, ours, 1e-6)
			if !cell.Agrees {
				missed += 1.0 / cells
			}
			if math.Abs(cell.Ours.Mean-printed.Mean) > cell.Ours.SD {
				old += 1.0 / cells
			}
		}
		if missed < c.least || missed > c.most {
			t.Errorf("%s: %.3f of the cells of a perfect replication do not agree", name, missed)
		}
		if old < c.oldRuleMisses-0.05 {
			t.Errorf("%s: one deviation as the limit misses %.3f, so the test shows little", name, old)
		}
	}
}

// digits is Table IX of the kmpe paper in miniature: methods across, sizes down, draws common
// to all; gap is how far the methods are apart in truth.
func digits(gap float64) (*Spec, []Record) {
	r := rand.New(rand.NewPCG(3, 9))
	t := PublishedTable{Title: "t", Score: "s", Better: "high", Judged: true, Unit: 0.01, Repeats: 50, Methods: []string{"a", "b", "c"}}
	var records []Record
	for _, data := range []string{"50", "100", "150", "200"} {
		row := PublishedRow{Data: data}
		for k, method := range t.Methods {
			draw := func() float64 { return 68 + gap*float64(k) + 6*r.NormFloat64() }
			var theirs []float64
			for repeat := range 50 {
				theirs = append(theirs, draw())
				records = append(records, Record{Data: data, Method: method, Repeat: repeat, Scores: map[string]Number{"s": Number(draw())}})
			}
			s := Summarise(theirs)
			row.Mean, row.SD = append(row.Mean, &s.Mean), append(row.SD, &s.SD)
		}
		t.Rows = append(t.Rows, row)
	}
	return &Spec{Published: &Published{Tables: []PublishedTable{t}}}, records
}

// give replaces every score.
func give(records []Record, score func(r Record) float64) []Record {
	var out []Record
	for _, r := range records {
		r.Scores = map[string]Number{"s": Number(score(r))}
		out = append(out, r)
	}
	return out
}

// Where methods differ, a constant guess and one method in place of all fail; where they do
// not, the verdict is that the table cannot tell.
func TestAnswersWithoutKnowledgeFail(t *testing.T) {
	spec, records := digits(10)
	right := Judge(spec, records, nil)
	if right.Outcome != Reproduced {
		t.Errorf("a true replication: %s (%s)", right.Outcome, right.Reason)
	}
	if p := right.Power; p.Constant >= needed(12) || p.Broken >= needed(12) {
		t.Errorf("a constant passes %d and one method %d of 12 cells", p.Constant, p.Broken)
	}
	for name, wrong := range map[string][]Record{
		"a constant":               give(records, func(Record) float64 { return 78 }),
		"a constant, with noise":   give(records, func(r Record) float64 { return 78 + 6*math.Sin(float64(r.Seed)+float64(7*r.Repeat)) }),
		"the first method for all": give(records, func(r Record) float64 { return float64(records[r.Repeat].Scores["s"]) }),
	} {
		if v := Judge(spec, wrong, nil); v.Outcome == Reproduced || v.Outcome == CannotTell {
			t.Errorf("%s: %s (%s)", name, v.Outcome, v.Reason)
		}
	}
	spec, records = digits(0)
	for name, made := range map[string][]Record{"methods that are alike": records, "and the constant": give(records, func(r Record) float64 { return 68 + 6*math.Sin(float64(7*r.Repeat)) })} {
		if v := Judge(spec, made, nil); v.Outcome != CannotTell || v.blind() == "" {
			t.Errorf("%s: %s (%s)", name, v.Outcome, v.Reason)
		}
	}
}
