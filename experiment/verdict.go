package experiment

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// Outcome is the word of a verdict.
type Outcome string

// The outcomes. Unjudged is for studies that no paper has published, NotRun for want of records.
const (
	Reproduced    Outcome = "reproduced"
	RankingOnly   Outcome = "ranking only"
	NotReproduced Outcome = "not reproduced"
	NoData        Outcome = "data not available"
	Unjudged      Outcome = "beyond the papers"
	NotRun        Outcome = "not run"
)

// The constants of the rule.
const (
	cellShare  = 0.9 // of the cells that must agree for "reproduced"
	rankLeast  = 0.6 // mean rank correlation for "ranking only"
	claimShare = 0.9 // of the comparisons that must hold for a claim
)

// Rule states in words how verdicts are computed.
const Rule = `A **cell** is a printed number. It is reproduced when our mean differs from it by no more than the printed standard deviation plus two standard errors of our own mean; where no deviation is printed, by no more than the standard deviation of our own repeats; and never less than half a unit of the last printed digit.

- **reproduced**: at least 90 % of the judged cells are.
- **ranking only**: they are not, but Kendall's rank correlation between our order of the methods and the printed one is at least 0.6, averaged over the data sets. Also, where a paper prints only an order in words or in a figure, and at least 90 % of the comparisons come out so.
- **not reproduced**: neither.
- **data not available**: the paper's data cannot be had; what a substitute shows stands on the page but does not count.

Claims without numbers (a bound, a property) are reproduced when all of them hold.`

// Verdict is the judgement of one experiment.
type Verdict struct {
	Outcome Outcome        `json:"verdict"`
	Reason  string         `json:"reason"`
	Cells   []CellVerdict  `json:"-"`
	Agree   int            `json:"cells_reproduced"`
	Judged  int            `json:"cells"`
	Rank    float64        `json:"-"` // mean rank correlation; NaN: none
	Claims  []ClaimVerdict `json:"claims,omitempty"`
}

// CellVerdict compares one printed number with ours.
type CellVerdict struct {
	Table, Row      int
	Data, Method    string
	Ours, Published Stat
	Tolerance       float64
	Agrees          bool
}

// ClaimVerdict tells whether a claim holds.
type ClaimVerdict struct {
	Text  string `json:"text"`
	Holds int    `json:"holds"`
	Of    int    `json:"of"`
	True  bool   `json:"true"`
	order bool
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
	for k, t := range p.Tables {
		v.judgeTable(r, k, t)
	}
	v.Rank = rankAgreement(p.Tables, r)
	for _, c := range p.Claims {
		v.Claims = append(v.Claims, judgeClaim(c, r))
	}
	v.decide(spec)
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
			c := CellVerdict{Table: number, Row: line, Data: row.Data, Method: method, Ours: r.stat(row.Data, method, t.score(row)), Published: Stat{Mean: mean, SD: sd, N: 1}}
			c.Tolerance = c.Ours.SD
			if !math.IsNaN(sd) {
				c.Tolerance = sd
				if c.Ours.N > 1 {
					c.Tolerance += 2 * c.Ours.SD / math.Sqrt(float64(c.Ours.N))
				}
			}
			c.Tolerance = math.Max(c.Tolerance, t.Unit/2)
			c.Agrees = c.Ours.N > 0 && math.Abs(c.Ours.Mean-mean) <= c.Tolerance
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

// judgeClaim counts the comparisons that a claim makes and those that hold.
func judgeClaim(c Claim, r *results) ClaimVerdict {
	out := ClaimVerdict{Text: c.Text, order: len(c.Than) > 0}
	for _, data := range r.data {
		if !c.covers(data) {
			continue
		}
		for _, name := range r.scores(data, c.Method, c.Score) {
			holds, of := c.compare(r, data, name)
			out.Holds, out.Of = out.Holds+holds, out.Of+of
		}
	}
	share := cmp.Or(c.Share, claimShare)
	out.True = out.Of > 0 && float64(out.Holds) >= share*float64(out.Of)
	return out
}

// compare counts the comparisons on one data set by one score.
func (c Claim) compare(r *results, data, name string) (holds, of int) {
	own := r.stat(data, c.Method, name)
	if len(c.Than) == 0 {
		if (c.Min == nil || own.Mean >= *c.Min) && (c.Max == nil || own.Mean <= *c.Max) {
			holds++
		}
		return holds, 1
	}
	for _, other := range c.Than {
		theirs := r.stat(data, other, name)
		if theirs.N == 0 {
			continue
		}
		of++
		if c.Better == "low" && own.Mean <= theirs.Mean || c.Better == "high" && own.Mean >= theirs.Mean {
			holds++
		}
	}
	return holds, of
}

// rank is the rank correlation with two digits, never "-0.00".
func (v *Verdict) rank() string { return fmt.Sprintf("%.2f", math.Round(100*v.Rank)/100+0) }

// decide applies the rule.
func (v *Verdict) decide(spec *Spec) {
	claims, orders := 0, 0
	for _, c := range v.Claims {
		if c.True {
			claims++
		}
		if c.order {
			orders++
		}
	}
	words := []string{}
	if v.Judged > 0 {
		words = append(words, fmt.Sprintf("%d of %d cells agree", v.Agree, v.Judged))
	}
	if !math.IsNaN(v.Rank) {
		words = append(words, "rank correlation "+v.rank())
	}
	if len(v.Claims) > 0 {
		words = append(words, fmt.Sprintf("%d of %d claims hold", claims, len(v.Claims)))
	}
	v.Reason = strings.Join(words, ", ")
	switch {
	case spec.Substitute != "":
		v.Outcome = NoData
		v.Reason = fmt.Sprintf("%s in place of the paper's data; there %s", spec.Substitute, v.Reason)
	case v.Judged > 0 && float64(v.Agree) >= cellShare*float64(v.Judged):
		v.Outcome = Reproduced
	case v.Judged > 0 && v.Rank >= rankLeast:
		v.Outcome = RankingOnly
	case v.Judged > 0 || len(v.Claims) == 0 || claims < len(v.Claims):
		v.Outcome = NotReproduced
	case orders > 0:
		v.Outcome = RankingOnly
	default:
		v.Outcome = Reproduced
	}
}
