package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/report"
)

// Origin tells where results come from; it stands at the foot of every page.
type Origin struct {
	Machine string `json:"machine"` // processor and cores
	Version string `json:"version"` // of the program that ran last; records have their own
	Seed    uint64 `json:"seed"`
}

// line names the versions that made the records: one, unless runs of one folder were made
// at different times.
func (o Origin) line(records []Record) string {
	if versions := o.versions(records); len(versions) > 1 {
		return fmt.Sprintf("Made by several versions of Inlier (runs by version: %s) on %s; seed %d.", count(versions), o.Machine, o.Seed)
	}
	return fmt.Sprintf("Made by Inlier %s on %s; seed %d.", o.of(records).Version, o.Machine, o.Seed)
}

// versions counts the runs by the version that made them.
func (o Origin) versions(records []Record) map[string]int {
	out := map[string]int{}
	for _, r := range records {
		out[cmp.Or(r.Version, o.Version)]++
	}
	return out
}

// of is the origin with the version of the records where they have one in common: they may
// have been made elsewhere, or since the pages were last written.
func (o Origin) of(records []Record) Origin {
	if versions := o.versions(records); len(versions) == 1 {
		for version := range versions {
			o.Version = version
		}
	}
	return o
}

// form names how many repeats the records have: those of the full or of the quick form, more
// than the quick one's, or fewer.
func (v *View) form() string {
	switch n := v.repeats(); {
	case n == 0:
		return "not run"
	case n >= v.Spec.Full.Repeats:
		return "full"
	case n == v.Spec.Quick.Repeats:
		return "quick"
	case n > v.Spec.Quick.Repeats:
		return "longer than quick"
	}
	return "shorter than quick"
}

// spent is the time of all fits together, in words, and the number of runs that failed.
func (v *View) spent() (words string, failed int) {
	seconds := 0.0
	for _, r := range v.Records {
		seconds += r.Seconds
		if r.Failure != "" {
			failed++
		}
	}
	switch {
	case seconds < 1:
		return "below 1 s", failed
	case seconds < 90:
		return fmt.Sprintf("%.0f s", seconds), failed
	}
	return fmt.Sprintf("%.0f min", seconds/60), failed
}

// build makes the page of one experiment.
func (v *View) build(ctx context.Context, o Origin) (*report.Page, error) {
	s, p := v.Spec, v.Page
	p.Title = s.Item + ": " + s.Title
	p.Lead = s.About
	p.Facts = append(p.Facts, report.Fact{Name: "numbers", Value: string(v.Verdict.Outcome)})
	if v.Verdict.Conclusion != "" {
		p.Facts = append(p.Facts, report.Fact{Name: "conclusions", Value: string(v.Verdict.Conclusion)})
	}
	if v.Verdict.Judged > 0 {
		p.Facts = append(p.Facts, report.Fact{Name: "cells that agree", Value: fmt.Sprintf("%d of %d", v.Verdict.Agree, v.Verdict.Judged)})
	}
	if !math.IsNaN(v.Verdict.Rank) {
		p.Facts = append(p.Facts, report.Fact{Name: "rank correlation", Value: v.Verdict.rank()})
	}
	if len(v.Records) > 0 {
		spent, failed := v.spent()
		p.Facts = append(p.Facts, report.Fact{Name: "runs", Value: fmt.Sprint(len(v.Records))}, report.Fact{Name: "repeats", Value: fmt.Sprintf("%d (%s)", v.repeats(), v.form())}, report.Fact{Name: "time of all fits", Value: spent})
		if failed > 0 {
			p.Facts = append(p.Facts, report.Fact{Name: "failed runs", Value: fmt.Sprint(failed)})
		}
	}
	p.Add("Verdict", "", v.callout())
	v.claims()
	if len(v.Records) > 0 {
		if err := v.show(ctx); err != nil {
			return nil, fmt.Errorf("experiment: page of %s: %w", s.ID, err)
		}
	}
	p.Add("Protocol", numbered(s.Protocol))
	if len(s.Choices) > 0 {
		p.Add("Choices made here", bullets(s.Choices))
	}
	v.failures()
	p.Add("Run it", "", report.Code(fmt.Sprintf("inlier replicate %s --data DATA --out site\ninlier replicate %s --data DATA --out site --full", s.ID, s.ID)))
	p.Footer = fmt.Sprintf("%s From: %s. [All experiments](index.html) · [records](%srecords/%s.jsonl)", o.line(v.Records), PaperTitle(s.Paper), v.top, s.ID)
	return p, nil
}

// incomplete is what a page says when its figures could not be drawn.
const incomplete = "The records are not complete, so some tables and figures are left out. The command below goes on where the run was."

// show adds tables, figures and what was learned. An interrupted run may lack what they are
// drawn from; the page then says so.
func (v *View) show(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if os.Getenv("INLIER_TRACE") != "" {
				panic(p)
			}
			v.Page.Add("Incomplete", "", report.Callout{Kind: "warn", Text: incomplete})
		}
	}()
	if v.Spec.Present != nil {
		if err := v.Spec.Present(ctx, v); err != nil {
			return err
		}
	}
	v.comparison()
	if v.Spec.Learned != nil {
		v.Page.Add("What we learned", bullets(v.Spec.Learned(v)))
	}
	return nil
}

// repeats is the largest number of repeats of any case.
func (v *View) repeats() int {
	most := 0
	for _, r := range v.Records {
		most = max(most, r.Repeat+1)
	}
	return most
}

// outcomeKinds and conclusionKinds colour the words of verdicts.
var (
	outcomeKinds    = map[Outcome]string{Reproduced: "good", RankingOnly: "warn", CannotTell: "warn", NotReproduced: "bad"}
	conclusionKinds = map[Conclusion]string{Confirmed: "good", Partly: "warn", Undecided: "warn", Contradicted: "bad"}
)

func (v *View) callout() report.Block {
	text := fmt.Sprintf("**%s**: %s.", v.Verdict.Outcome, v.Verdict.Reason)
	if v.Verdict.Conclusion != "" {
		text += fmt.Sprintf(" The paper's conclusions: **%s**.", v.Verdict.Conclusion)
	}
	if power := v.Verdict.powerText(); power != "" {
		text += " " + power
	}
	return report.Callout{Kind: outcomeKinds[v.Verdict.Outcome], Text: text}
}

// claims lists what the paper says in words and whether it holds here.
func (v *View) claims() {
	if len(v.Verdict.Claims) == 0 {
		return
	}
	t := &report.Table{Columns: []report.Column{{Name: "claim"}, {Name: "comparisons"}, {Name: "for it"}, {Name: "against it"}, {Name: "so"}}}
	for _, c := range v.Verdict.Claims {
		t.Add(c.Text, c.Of, c.Holds, c.Against, report.Badge{Kind: conclusionKinds[c.Verdict], Text: string(c.Verdict)})
	}
	t.Notes = []string{"For and against: comparisons that come out so, or the other way, beyond chance: paired tests over the same draws, adjusted for all comparisons of the page."}
	v.Page.Add("The paper's claims", "", t)
}

// failures names runs that ended in an error.
func (v *View) failures() {
	seen := map[string]int{}
	var order []string
	for _, r := range v.Records {
		if r.Failure != "" {
			line := fmt.Sprintf("%s on %s: %s", r.Method, r.Data, strings.SplitN(r.Failure, "\n", 2)[0])
			if seen[line]++; seen[line] == 1 {
				order = append(order, line)
			}
		}
	}
	if len(order) == 0 {
		return
	}
	for i, line := range order {
		order[i] = fmt.Sprintf("%s (%d times)", line, seen[line])
	}
	v.Page.Add("Runs that failed", bullets(order[:min(len(order), 20)]))
}

func bullets(lines []string) string {
	var out strings.Builder
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			out.WriteString("- " + strings.ReplaceAll(l, "\n", " ") + "\n")
		}
	}
	return out.String()
}

func numbered(lines []string) string {
	var out strings.Builder
	for i, l := range slices.All(lines) {
		fmt.Fprintf(&out, "%d. %s\n", i+1, l)
	}
	return out.String()
}
