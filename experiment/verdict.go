package experiment

import (
	"fmt"
	"math"
	"strings"
)

// Outcome is the word of a verdict on numbers.
type Outcome string

// The outcomes. Unjudged is for studies that no paper has published, NotRun for want of records.
const (
	Reproduced    Outcome = "reproduced"
	RankingOnly   Outcome = "ranking only"
	NotReproduced Outcome = "not reproduced"
	CannotTell    Outcome = "cannot tell"
	NoData        Outcome = "data not available"
	Unjudged      Outcome = "beyond the papers"
	NotRun        Outcome = "not run"
)

const rankLeast = 0.6 // mean rank correlation for "ranking only"

// Rule states in words how verdicts are computed.
const Rule = `There are two verdicts: one on the numbers that a paper prints, one on what it concludes from them.

**Numbers.** A cell is a printed number. It agrees when it lies where 95 of 100 perfect replications have it. Where a deviation is printed, that is within the joint standard error of both means (theirs over the repeats that the paper names, or over 10, the fewest that any of the five papers names, where it names none; ours over our repeats), times the 97.5 % point of Student's t with Welch's degrees of freedom. A number without a deviation counts as one draw, or as the mean of as many as the paper says: it must lie in the 95 % prediction interval of our own draws. Half a unit of the last printed digit is always allowed.

- **reproduced**: as many of the judged cells agree as in 85 of 100 perfect replications (about nine tenths of them; all of three), and answers that know nothing of the methods do not pass: neither one number for every cell of a table, chosen with hindsight, nor the results of one method in place of every method's.
- **cannot tell**: the cells agree, but they would with such an answer too. Also, where a paper prints no numbers, and its claims are neither confirmed nor contradicted.
- **ranking only**: the cells do not agree, but Kendall's rank correlation between our order of the methods and the printed one is at least 0.6, averaged over the data sets. Also, where a paper prints only an order in words or in a figure, and it is confirmed at least partly.
- **not reproduced**: neither.
- **data not available**: the paper's data cannot be had, so its numbers are not compared; what a substitute shows of its conclusions stands beside.

**Conclusions.** A claim that one method is better than another makes a comparison for each data set, score and rival. Each is a paired t-test over the draws that both methods met, widened as Nadeau and Bengio propose where draws are divisions of one table; p values are adjusted for all comparisons of the experiment (Holm), and count below 0.05. Claims without a rival (a bound, a property) compare a mean with the bound.

- **confirmed**: at least 90 % of the claim's comparisons come out so beyond chance (where a paper says "usually" or "generally": half of them).
- **contradicted**: more than the remaining share come out the other way, beyond chance.
- **partly confirmed**: neither, but more than half come out so beyond chance.
- **not beyond chance**: none of these.

The conclusions of an experiment are confirmed when all its claims are, partly when some are at least partly, contradicted when none are and some claim is contradicted.`

// Verdict is the judgement of one experiment.
type Verdict struct {
	Outcome    Outcome        `json:"verdict"`
	Conclusion Conclusion     `json:"conclusions,omitempty"`
	Reason     string         `json:"reason"`
	Cells      []CellVerdict  `json:"-"`
	Agree      int            `json:"cells_reproduced"`
	Judged     int            `json:"cells"`
	Power      *Power         `json:"power,omitempty"`
	Rank       float64        `json:"-"` // mean rank correlation; NaN: none
	Claims     []ClaimVerdict `json:"claims,omitempty"`
}

// Judge computes the verdict of an experiment from its records.
func Judge(spec *Spec, records []Record, missing []string) Verdict {
	v := Verdict{Rank: math.NaN()}
	if len(missing) > 0 && len(records) == 0 {
		v.Outcome, v.Reason = NoData, "not there: "+strings.Join(missing, ", ")
		return v
	}
	if len(records) == 0 {
		v.Outcome, v.Reason = NotRun, "no records"
		return v
	}
	p := spec.Published
	if p == nil {
		v.Outcome, v.Reason = Unjudged, "no published numbers to compare with"
		return v
	}
	r := newResults(records)
	if spec.Substitute == "" {
		for k, t := range p.Tables {
			v.judgeTable(r, k, t)
		}
		v.Rank = rankAgreement(p.Tables, r)
		if v.Judged > 0 {
			v.Power = v.power(p.Tables, r)
		}
	}
	v.Claims = judgeClaims(spec, r)
	v.Conclusion = conclude(v.Claims)
	v.decide(spec)
	v.explain(spec)
	return v
}

// judgeTable compares every printed cell.
func (v *Verdict) judgeTable(r *results, number int, t PublishedTable) {
	for line, row := range t.Rows {
		for k, method := range t.Methods {
			mean, sd := row.at(k)
			if math.IsNaN(mean) {
				continue
			}
			c := newCell(Stat{Mean: mean, SD: sd, N: t.Repeats}, r.values(row.Data, method, t.score(row)), t.Unit)
			c.Table, c.Row, c.Data, c.Method = number, line, row.Data, method
			v.Cells = append(v.Cells, c)
			if t.Judged {
				v.Judged++
				if c.Agrees {
					v.Agree++
				}
			}
		}
	}
}

// rank is the rank correlation with two digits, never "-0.00".
func (v *Verdict) rank() string { return fmt.Sprintf("%.2f", math.Round(100*v.Rank)/100+0) }

// decide applies the rule.
func (v *Verdict) decide(spec *Spec) {
	orders := false
	for _, c := range v.Claims {
		orders = orders || c.order
	}
	switch {
	case spec.Substitute != "":
		v.Outcome = NoData
	case v.Judged > 0 && v.unrun(spec):
		v.Outcome = NotRun
	case v.Judged > 0 && v.Agree >= needed(v.Judged) && v.blind() != "":
		v.Outcome = CannotTell
	case v.Judged > 0 && v.Agree >= needed(v.Judged):
		v.Outcome = Reproduced
	case v.Judged > 0 && v.Rank >= rankLeast:
		v.Outcome = RankingOnly
	case v.Judged > 0 || v.Conclusion == "":
		v.Outcome = NotReproduced
	default:
		v.Outcome = inWords(v.Claims, orders)
	}
}

// unrun tells whether the records, of an earlier plan, have none of the numbers that are judged.
func (v *Verdict) unrun(spec *Spec) bool {
	for _, c := range v.Cells {
		if spec.Published.Tables[c.Table].Judged && c.Ours.N > 0 {
			return false
		}
	}
	return true
}

// inWords is the outcome of an experiment of which a paper prints no number: an order that is
// confirmed at least partly is a ranking, a property that is confirmed is reproduced.
func inWords(claims []ClaimVerdict, orders bool) Outcome {
	all, against := true, false
	for _, c := range claims {
		all, against = all && (c.True || c.order && c.Verdict == Partly), against || c.Verdict == Contradicted
	}
	switch {
	case all && orders:
		return RankingOnly
	case all:
		return Reproduced
	case against:
		return NotReproduced
	}
	return CannotTell
}

// explain gives the reason in numbers.
func (v *Verdict) explain(spec *Spec) {
	var words []string
	if spec.Substitute != "" {
		words = append(words, spec.Substitute+" in place of the paper's data")
	}
	if v.Judged > 0 {
		words = append(words, fmt.Sprintf("%d of %d cells agree", v.Agree, v.Judged))
		if v.Outcome == CannotTell {
			words = append(words, v.blind())
		}
	}
	if !math.IsNaN(v.Rank) {
		words = append(words, "rank correlation "+v.rank())
	}
	if n := len(v.Claims); n > 0 {
		count := map[Conclusion]int{}
		for _, c := range v.Claims {
			count[c.Verdict]++
		}
		words = append(words, fmt.Sprintf("%d of %d claims confirmed", count[Confirmed], n))
		for _, other := range []Conclusion{Partly, Contradicted} {
			if count[other] > 0 {
				words = append(words, fmt.Sprintf("%d %s", count[other], other))
			}
		}
	}
	v.Reason = strings.Join(words, ", ")
}
