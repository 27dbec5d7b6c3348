// Package peers times Inlier beside other programs: scikit-learn, NumPy, pyarrow and polars by a script for Python, rrcov, robustbase
// and cellWise by one for R. Every task of every program is a process of its own, Inlier's too; programs take turns and the best of the
// rounds counts; all have the same number of threads. Of a fit the time is its own, without reading the data; of a reading or a check it
// is that of the work from the file on, without the start of the interpreter and its libraries. A program that is not installed is a line
// that says so.
package peers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/tempfile"
	"github.com/inlier-ml/inlier/report"
)

// Config is what to run and by which programs. Empty fields mean the usual.
type Config struct {
	Rounds  int           // of which the best counts; 0: 3
	Only    []string      // names of tasks; none: all
	Quick   bool          // small data, to try it out
	Threads int           // of every program; 0: as many as there are processors
	Seed    uint64        // of the data
	Program string        // Inlier itself; "": the running program
	Python  string        // "": INLIER_PYTHON, or python3
	R       string        // "": INLIER_RSCRIPT, or Rscript
	Digits  string        // folder of MNIST; "": mnist in INLIER_DATA
	Limit   time.Duration // after which a program is ended; 0: ten minutes

	// Progress is told what runs; nil: nobody.
	Progress func(task, program string, done, total int)
}

// Result is all lines of a run, and where it ran.
type Result struct {
	Machine Machine `json:"machine"`
	Lines   []Line  `json:"lines"`
	Growth  []Line  `json:"growth"` // those with an axis
}

// Line is what one program did in one task.
type Line struct {
	Task      string        `json:"task"`
	Work      string        `json:"work"` // the task in words, with the size of its data
	Program   string        `json:"program"`
	Ours      bool          `json:"ours"`
	Axis      string        `json:"axis,omitempty"` // what grows
	At        int           `json:"at,omitempty"`   // and how far it has
	Threads   int           `json:"threads"`
	Seconds   report.Number `json:"seconds"`           // best of the rounds
	Processor report.Number `json:"processor_seconds"` // least of the rounds
	Runs      []float64     `json:"runs,omitempty"`    // seconds of each round
	Steps     int           `json:"steps,omitempty"`
	Peak      int64         `json:"peak_memory_bytes,omitempty"` // least of the rounds; the whole process, data included
	Measure   string        `json:"measure,omitempty"`           // what Accuracy is
	Accuracy  report.Number `json:"accuracy"`
	Missing   string        `json:"missing,omitempty"` // why there are no figures: not installed, failed, ended
}

// Names are the tasks that there are.
func Names() []string {
	var list []string
	for _, d := range catalog.Duels() {
		list = append(list, d.Name)
	}
	return list
}

// run is a Config at work.
type run struct {
	Config
	ctx         context.Context
	folder      string
	done, total int
}

// Run makes the data in a temporary folder, which is removed however it ends, and times every program.
func Run(ctx context.Context, c Config) (*Result, error) {
	r := &run{Config: c, ctx: ctx}
	if err := r.usual(); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "inlier-peers-*")
	if err != nil {
		return nil, err
	}
	tempfile.Track(folder)
	defer tempfile.Remove(folder)
	r.folder = folder
	for name, text := range map[string]string{"peers.py": scriptPython, "peers.R": scriptR} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	result := &Result{Machine: r.machine()}
	tasks := r.tasks()
	for _, t := range tasks {
		r.total += r.Rounds * (len(t.Ours) + len(t.Peers))
	}
	for _, t := range tasks {
		lines, err := r.task(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if t.Axis == "" {
			result.Lines = append(result.Lines, lines...)
		} else {
			result.Growth = append(result.Growth, lines...)
		}
	}
	result.Machine.LoadAfter = load()
	return result, nil
}

// usual fills in what was left out.
func (r *run) usual() (err error) {
	r.Rounds = cmp.Or(r.Rounds, 3)
	r.Threads = cmp.Or(r.Threads, runtime.NumCPU())
	r.Python = cmp.Or(r.Python, os.Getenv("INLIER_PYTHON"), "python3")
	r.R = cmp.Or(r.R, os.Getenv("INLIER_RSCRIPT"), "Rscript")
	r.Limit = cmp.Or(r.Limit, 10*time.Minute)
	if folder := os.Getenv("INLIER_DATA"); r.Digits == "" && folder != "" {
		r.Digits = filepath.Join(folder, "mnist")
	}
	if r.Program == "" {
		r.Program, err = os.Executable()
	}
	return err
}

// task is a duel at one place of its axis.
type task struct {
	catalog.Duel
	at, threads int
}

// tasks are those that were asked for, a growth curve once for each value.
func (r *run) tasks() []task {
	var list []task
	for _, d := range catalog.Duels() {
		if len(r.Only) > 0 && !slices.Contains(r.Only, d.Name) {
			continue
		}
		d.Params = maps.Clone(d.Params)
		values := d.Values
		if r.Quick {
			values = d.Small
			maps.Copy(d.Params, d.Quick)
		}
		threads := cmp.Or(d.Threads, r.Threads)
		if d.Axis == "" {
			list = append(list, task{d, 0, threads})
		}
		for _, v := range values {
			t := task{d, v, threads}
			if d.Axis == catalog.AxisThreads {
				if t.threads = v; v > runtime.NumCPU() {
					continue
				}
			} else {
				t.Params = maps.Clone(d.Params)
				t.Params[d.Axis] = strconv.Itoa(v)
			}
			list = append(list, t)
		}
	}
	return list
}

// settings are what both sides are told: those of the duel, and what follows from its data.
func (t task) settings() map[string]string {
	all := maps.Clone(t.Settings)
	if all == nil {
		all = map[string]string{}
	}
	for parameter, setting := range map[string]string{"m": "components", "rank": "rank"} {
		if value := t.Params[parameter]; value != "" {
			all[setting] = value
		}
	}
	return all
}

// task makes the data of a task and runs every program in turn.
func (r *run) task(t task) ([]Line, error) {
	r.tell(t, "making the data")
	m, err := r.material(t)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(m.folder)
	var entrants []entrant
	for _, e := range t.Ours {
		entrants = append(entrants, r.ours(t, m, e))
	}
	for _, p := range t.Peers {
		entrants = append(entrants, r.peer(t, m, p))
	}
	lines := make([]Line, len(entrants))
	for k, e := range entrants {
		none := report.Number(math.NaN())
		lines[k] = Line{Seconds: none, Processor: none, Accuracy: none, Task: t.Name, Work: m.work, Program: e.label, Ours: k < len(t.Ours), Axis: t.Axis, At: t.at, Threads: t.threads, Missing: e.missing}
	}
	for round := range r.Rounds {
		for k, e := range entrants {
			if err := r.ctx.Err(); err != nil {
				return nil, err
			}
			line := &lines[k]
			r.tell(t, e.label)
			r.done++
			if line.Missing != "" {
				continue
			}
			said, err := r.execute(e)
			if ended := r.ctx.Err(); ended != nil {
				return nil, ended
			}
			switch {
			case err != nil:
				line.Missing = "failed: " + err.Error()
			case said.Missing != "":
				line.Missing = "not installed: " + said.Missing
			default:
				line.take(said)
			}
			if round == r.Rounds-1 && line.Missing == "" && t.Judged != "" {
				if line.Measure, line.Accuracy, err = m.judge(t, e.answer); err != nil {
					line.Accuracy = report.Number(math.NaN())
					line.Measure = "answer not understood: " + strings.SplitN(err.Error(), "\n", 2)[0]
				}
			}
		}
	}
	return lines, nil
}

// take keeps the best of the rounds.
func (l *Line) take(s *said) {
	if len(l.Runs) == 0 || s.Seconds < float64(l.Seconds) {
		l.Seconds, l.Steps = report.Number(s.Seconds), s.Steps
	}
	if len(l.Runs) == 0 || s.Processor < float64(l.Processor) {
		l.Processor = report.Number(s.Processor)
	}
	if len(l.Runs) == 0 || s.Peak < l.Peak {
		l.Peak = s.Peak
	}
	l.Runs = append(l.Runs, s.Seconds)
}

func (r *run) tell(t task, program string) {
	if r.Progress != nil {
		r.Progress(t.Name, program, r.done, r.total)
	}
}
