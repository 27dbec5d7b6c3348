package experiment

import (
	"fmt"
	"math"
)

// Power tells what the judged cells of an experiment can tell apart: how many of them would
// agree with answers that know nothing of the methods. Cells that such answers pass prove
// nothing.
type Power struct {
	// Constant is how many cells agree with one number for each table, chosen with hindsight.
	Constant int `json:"constant"`
	// Broken is how many agree when the results of one method stand in every method's place:
	// Method is the one that passes the most.
	Broken int    `json:"broken"`
	Method string `json:"broken_method,omitempty"`
	// Strict is how many of our own cells agree if the paper had as many repeats as we have,
	// where it does not tell; without it the fewest usual are supposed.
	Strict int `json:"cells_if_repeated_as_ours"`
}

// power lets a constant and each method in place of all be judged by the rule for cells.
func (v *Verdict) power(tables []PublishedTable, r *results) *Power {
	out := &Power{}
	broken := map[string]int{}
	var order []string
	for number, t := range tables {
		if !t.Judged {
			continue
		}
		var cells []CellVerdict
		for _, c := range v.Cells {
			if c.Table != number {
				continue
			}
			cells = append(cells, c)
			score := t.score(t.Rows[c.Row])
			strict := c.Published
			if strict.N == 0 && !math.IsNaN(strict.SD) {
				strict.N = c.Ours.N
			}
			if newCell(strict, r.values(c.Data, c.Method, score), t.Unit).Agrees {
				out.Strict++
			}
			for _, method := range t.Methods {
				if _, known := broken[method]; !known {
					order = append(order, method)
				}
				broken[method] += 0
				if newCell(c.Published, r.values(c.Data, method, score), t.Unit).Agrees {
					broken[method]++
				}
			}
		}
		out.Constant += bestConstant(cells)
	}
	for _, method := range order {
		if out.Method == "" || broken[method] > out.Broken {
			out.Method, out.Broken = method, broken[method]
		}
	}
	return out
}

// bestConstant is how many cells agree with the number that most of them agree with: it
// takes the place of our mean, with our spread around it. Each cell allows an interval; the
// most are met at an end of one.
func bestConstant(cells []CellVerdict) int {
	most := 0
	for _, at := range cells {
		for _, guess := range []float64{at.Published.Mean - (at.High - at.Ours.Mean), at.Published.Mean + (at.Ours.Mean - at.Low)} {
			count := 0
			for _, c := range cells {
				slack := 1e-9 * (c.High - c.Low)
				if shift := guess - c.Ours.Mean; c.Published.Mean >= c.Low+shift-slack && c.Published.Mean <= c.High+shift+slack {
					count++
				}
			}
			most = max(most, count)
		}
	}
	return most
}

// blind names the answer without knowledge that the cells take for a replication; empty:
// none, so that agreement means something.
func (v *Verdict) blind() string {
	switch p := v.Power; {
	case p == nil:
		return ""
	case p.Constant >= needed(v.Judged):
		return fmt.Sprintf("one number for every cell would agree in %d", p.Constant)
	case p.Broken >= needed(v.Judged):
		return fmt.Sprintf("the results of %s in place of every method's would agree in %d", p.Method, p.Broken)
	}
	return ""
}

// powerText tells a reader what the judged cells can tell apart; empty where none is judged.
func (v *Verdict) powerText() string {
	p := v.Power
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("What the table can tell: %d of %d cells must agree; one number for each table, chosen with hindsight, agrees in %d", needed(v.Judged), v.Judged, p.Constant)
	if p.Method != "" {
		text += fmt.Sprintf(", the results of %s in place of every method's in %d", p.Method, p.Broken)
	}
	text += "."
	if p.Strict != v.Agree {
		text += fmt.Sprintf(" The paper does not say over how many repeats its deviations are; if over as many as ours, %d cells agree.", p.Strict)
	}
	return text
}
