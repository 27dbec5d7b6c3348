package experiment

import (
	"cmp"

	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/tune"
)

// Conclusion is the word on what a paper concludes.
type Conclusion string

// The conclusions; the empty word is for experiments without claims.
const (
	Confirmed    Conclusion = "confirmed"
	Partly       Conclusion = "partly confirmed"
	Undecided    Conclusion = "not beyond chance"
	Contradicted Conclusion = "contradicted"
)

const (
	claimShare = 0.9  // of the comparisons that must come out so for a claim
	claimLevel = 0.05 // of the tests, all comparisons of an experiment together
	testRuns   = 3    // fewest common runs for a test
)

// ClaimVerdict tells what the records say of a claim.
type ClaimVerdict struct {
	Text    string     `json:"text"`
	Holds   int        `json:"holds"`   // comparisons that come out so, beyond chance
	Against int        `json:"against"` // those that come out the other way, beyond chance
	Of      int        `json:"of"`
	True    bool       `json:"true"` // confirmed
	Verdict Conclusion `json:"verdict"`
	order   bool
}

// comparison is one of the comparisons that a claim makes.
type comparison struct {
	claim int
	p     float64 // that there is no difference
	good  bool    // the difference is as claimed
	sure  bool    // a bound, which is not tested
}

// judgeClaims tests all claims together. Orders are tested in pairs over the draws that both
// methods met; p values are adjusted for the number of comparisons (Holm).
func judgeClaims(spec *Spec, r *results) []ClaimVerdict {
	var out []ClaimVerdict
	var all []comparison
	var p []float64
	for k, c := range spec.Published.Claims {
		out = append(out, ClaimVerdict{Text: c.Text, order: len(c.Than) > 0})
		for _, one := range c.comparisons(spec, r) {
			one.claim = k
			all = append(all, one)
			if !one.sure {
				p = append(p, one.p)
			}
		}
	}
	p = score.Holm(p)
	for _, one := range all {
		v := &out[one.claim]
		v.Of++
		if !one.sure {
			one.p, p = p[0], p[1:]
		}
		switch {
		case !one.sure && one.p >= claimLevel:
		case one.good:
			v.Holds++
		default:
			v.Against++
		}
	}
	for k, c := range spec.Published.Claims {
		out[k].decide(cmp.Or(c.Share, claimShare))
	}
	return out
}

// decide says what the comparisons make of a claim that wants a share of them.
func (v *ClaimVerdict) decide(share float64) {
	switch of := float64(v.Of); {
	case v.Of == 0:
		v.Verdict = Undecided
	case float64(v.Holds) >= share*of:
		v.Verdict = Confirmed
	case float64(v.Against) > (1-share)*of:
		v.Verdict = Contradicted
	case 2*v.Holds > v.Of:
		v.Verdict = Partly
	default:
		v.Verdict = Undecided
	}
	v.True = v.Verdict == Confirmed
}

// comparisons lists what a claim compares, data set by data set.
func (c Claim) comparisons(spec *Spec, r *results) []comparison {
	var out []comparison
	for _, data := range r.data {
		if !c.covers(data) {
			continue
		}
		for _, name := range r.scores(data, c.Method, c.Score) {
			if len(c.Than) == 0 {
				mean := r.stat(data, c.Method, name).Mean
				out = append(out, comparison{sure: true, good: (c.Min == nil || mean >= *c.Min) && (c.Max == nil || mean <= *c.Max)})
				continue
			}
			for _, other := range c.Than {
				if r.stat(data, other, name).N > 0 {
					out = append(out, c.test(spec, r, data, other, name))
				}
			}
		}
	}
	return out
}

// test compares two methods on one data set. Without runs enough for a test nothing is
// beyond chance.
func (c Claim) test(spec *Spec, r *results, data, other, name string) comparison {
	x, y := r.pairs(data, c.Method, other, name)
	if len(x) < testRuns {
		return comparison{p: 1}
	}
	t, err := score.PairedT(x, y)
	if err == nil && spec.Overlap != nil && t.Low < t.High {
		t, err = tune.Resampled(x, y, spec.Overlap(data))
	}
	if err != nil {
		return comparison{p: 1}
	}
	return comparison{p: t.P, good: (c.Better == "high") == (t.Difference > 0)}
}

// conclude sums the claims up.
func conclude(claims []ClaimVerdict) Conclusion {
	count := map[Conclusion]int{}
	for _, c := range claims {
		count[c.Verdict]++
	}
	switch {
	case len(claims) == 0:
		return ""
	case count[Confirmed] == len(claims):
		return Confirmed
	case count[Confirmed]+count[Partly] > 0:
		return Partly
	case count[Contradicted] > 0:
		return Contradicted
	}
	return Undecided
}
