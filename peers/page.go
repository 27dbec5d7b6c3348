package peers

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// near is the ratio up to which two figures count as level: runs on a quiet machine differ by as much.
const near = 1.05

// Behind is something in which another program does better than Inlier in the same task.
type Behind struct {
	Work, Ours, Peer, In string
	Mine, Theirs         float64
	Note                 string // of a program that is ahead in time: what it gives up for it
}

// Behind lists where Inlier loses, by tasks, time first: each of its methods beside each other program.
func (r *Result) Behind() []Behind {
	var list []Behind
	for _, lines := range r.byTask() {
		for _, mine := range lines {
			for _, other := range lines {
				if !mine.Ours || other.Ours || mine.Missing != "" || other.Missing != "" {
					continue
				}
				b := Behind{Work: mine.Work, Ours: mine.Program, Peer: other.Program}
				add := func(in string, m, o float64, note string) {
					b.In, b.Mine, b.Theirs, b.Note = in, m, o, note
					list = append(list, b)
				}
				accuracy := lead(mine, other)
				if m, o := float64(mine.Seconds), float64(other.Seconds); m > near*o {
					note := ""
					if accuracy > near {
						note = fmt.Sprintf("%.3g against %s", other.Accuracy, mine.outcome())
					}
					add("time (s)", m, o, note)
				}
				if accuracy < 1/near {
					add(mine.Measure, float64(mine.Accuracy), float64(other.Accuracy), "")
				}
				if m, o := float64(mine.Peak), float64(other.Peak); o > 0 && m > near*o {
					add("peak memory (MB)", m/1e6, o/1e6, "")
				}
			}
		}
	}
	return list
}

// lead is by what factor the first is more accurate than the second: of errors their ratio, of shares that of what they miss of 1.
func lead(a, b Line) float64 {
	x, y := float64(a.Accuracy), float64(b.Accuracy)
	if a.Measure == "" || a.Measure != b.Measure || math.IsNaN(x) || math.IsNaN(y) {
		return 1
	}
	if better(a.Measure) {
		x, y = 1-x, 1-y
	}
	const least = 1e-6 // below which differences are of rounding
	return max(y, least) / max(x, least)
}

// byTask groups the lines without an axis.
func (r *Result) byTask() [][]Line {
	var list [][]Line
	for _, l := range r.Lines {
		if n := len(list); n > 0 && list[n-1][0].Task == l.Task {
			list[n-1] = append(list[n-1], l)
		} else {
			list = append(list, []Line{l})
		}
	}
	return list
}

// Table lays all lines out, the work above the programs that did it.
func (r *Result) Table() *report.Table {
	t := empty(fmt.Sprintf("Inlier beside other programs, best of %d", r.Machine.Rounds))
	var first Line
	for _, l := range slices.Concat(r.Lines, r.Growth) {
		if l.Work != first.Work {
			first = l
			t.Add(l.Work, nil, nil, nil, nil, nil, nil)
		}
		t.Add(l.cells("  ", first)...)
	}
	t.Notes = []string{aboutTimes, aboutRatios, r.Machine.words()}
	return t
}

const (
	aboutTimes  = "time and processor time are those of a fit alone, of reading alone, of a check with its reading; the second adds up all threads"
	aboutRatios = "ratio: time over that of Inlier's first line; peak: of the whole process, its libraries and the data included"
)

func empty(title string) *report.Table {
	return &report.Table{Title: title, Columns: []report.Column{{Name: "program"}, {Name: "time", Unit: "s", Format: "%.4g"}, {Name: "ratio", Format: "%.2f"},
		{Name: "processor", Unit: "s", Format: "%.4g"}, {Name: "steps"}, {Name: "peak", Unit: "MB", Format: "%.0f"}, {Name: "what came out"}}}
}

// cells are a line of a table; the ratio is to the time of the first line of the task.
func (l Line) cells(indent string, first Line) []any {
	if l.Missing != "" {
		return []any{indent + l.Program, nil, nil, nil, nil, nil, l.Missing}
	}
	cells := []any{indent + l.Program, float64(l.Seconds), nil, float64(l.Processor), nil, float64(l.Peak) / 1e6, l.outcome()}
	if first.Missing == "" && first.Seconds > 0 {
		cells[2] = float64(l.Seconds / first.Seconds)
	}
	if l.Steps > 0 {
		cells[4] = l.Steps
	}
	return cells
}

// outcome is how good what came out is.
func (l Line) outcome() string {
	switch {
	case l.Measure == "" || math.IsNaN(float64(l.Accuracy)):
		return l.Measure
	case better(l.Measure):
		return fmt.Sprintf("%.4f %s", l.Accuracy, l.Measure)
	}
	return fmt.Sprintf("%.3g %s", l.Accuracy, l.Measure)
}

// words are the machine in one sentence.
func (m Machine) words() string {
	text := fmt.Sprintf("%s, %s, %d processors, %d threads for each program; Inlier %s, kernels %s", m.System, cmp.Or(m.Processor, "processor unknown"), m.Processors, m.Threads, m.Inlier, m.Kernel)
	if m.LoadBefore != "" {
		text += fmt.Sprintf("; load average %s before and %s after", m.LoadBefore, m.LoadAfter)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		text += "; " + name + " " + cmp.Or(m.Versions[name], "not installed")
	}
	return text
}

// Page puts a run on one page, what Inlier loses first.
func (r *Result) Page() *report.Page {
	behind := r.Behind()
	tasks := len(r.byTask())
	page := &report.Page{Title: "Inlier beside other programs", Lead: fmt.Sprintf("%d tasks, every program a process of its own, in turn, the best of %s. Ratios travel between machines, seconds do not.", tasks, words.Plural(r.Machine.Rounds, "round"))}
	if r.Machine.Quick {
		page.Lead += " **A quick run: its data are so small that it shows only that everything works.**"
	}
	lost := &report.Table{Columns: []report.Column{{Name: "work"}, {Name: "Inlier"}, {Name: "other program"}, {Name: "behind in"}, {Name: "Inlier's", Format: "%.4g"}, {Name: "the other's", Format: "%.4g"}, {Name: "but"}}}
	count := map[string]bool{}
	for _, b := range behind {
		lost.Add(b.Work, b.Ours, b.Peer, b.In, b.Mine, b.Theirs, b.Note)
		count[b.Work] = true
	}
	if len(behind) == 0 {
		page.Add("Where Inlier is behind", fmt.Sprintf("In none of the figures below by more than %.0f %%.", 100*(near-1)))
	} else {
		page.Add("Where Inlier is behind", fmt.Sprintf("In %d of %d tasks another program is ahead by more than %.0f %% in time, accuracy or memory. Where the faster one is also further from the truth, the last column says so.", len(count), tasks, 100*(near-1)), lost)
	}
	var side []report.Block
	for _, lines := range r.byTask() {
		t := empty(lines[0].Work)
		for _, l := range lines {
			t.Add(l.cells("", lines[0])...)
		}
		side = append(side, t)
	}
	page.Add("Side by side", "Inlier's times include its verdict on every row. Of the rest: "+aboutTimes+"; "+aboutRatios+".", side...)
	if charts := r.charts(); len(charts) > 0 {
		page.Add("How time grows", "Both axes are logarithmic: a straight line of slope one grows in proportion.", charts...)
	}
	facts := &report.Table{Columns: []report.Column{{Name: "machine and programs"}}}
	for _, fact := range strings.Split(r.Machine.words(), "; ") {
		facts.Add(fact)
	}
	page.Add("Where it ran", "Other work on the machine slows programs whose threads wait for each other by spinning more than the others: look at the load.", facts)
	return page
}

// charts draws time over what grows, a chart for each task.
func (r *Result) charts() []report.Block {
	var blocks []report.Block
	for at := 0; at < len(r.Growth); {
		first := r.Growth[at]
		var series []report.Series
		end := at
		for ; end < len(r.Growth) && r.Growth[end].Task == first.Task; end++ {
			l := r.Growth[end]
			if l.Missing != "" {
				continue
			}
			k := slices.IndexFunc(series, func(s report.Series) bool { return s.Name == l.Program })
			if k < 0 {
				k, series = len(series), append(series, report.Series{Name: l.Program})
			}
			series[k].X, series[k].Y = append(series[k].X, float64(l.At)), append(series[k].Y, float64(l.Seconds))
		}
		grows := map[string]string{"n": "rows", "d": "columns", "m": "components", "threads": "threads"}[first.Axis]
		if len(series) > 0 {
			blocks = append(blocks, report.Lines("Time over "+grows, report.Axis{Label: grows, Log: true}, report.Axis{Label: "seconds", Log: true}, series...))
		}
		at = end
	}
	return blocks
}
