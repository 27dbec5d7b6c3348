package inlier

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/peers"
)

// Peers is the job of timing Inlier beside other programs, each a process of its own; see package peers.
type Peers struct {
	Rounds  int      `json:"rounds,omitempty"`  // of which the best counts; 0: 3
	Only    []string `json:"only,omitempty"`    // names of tasks; none: all
	Quick   bool     `json:"quick,omitempty"`   // small data, to try it out
	Threads int      `json:"threads,omitempty"` // of every program; 0: as many as there are processors
	Seed    uint64   `json:"seed,omitempty"`
	Program string   `json:"program,omitempty"` // the inlier program; empty: the one that runs
	Python  string   `json:"python,omitempty"`  // empty: INLIER_PYTHON, or python3
	R       string   `json:"r,omitempty"`       // empty: INLIER_RSCRIPT, or Rscript
	Limit   float64  `json:"limit,omitempty"`   // seconds after which a program is ended; 0: 600
}

// PeersResult holds one line per program and task.
type PeersResult = peers.Result

// Check refuses what cannot be run.
func (p Peers) Check() error {
	if p.Rounds < 0 {
		return usage("it is a number of repeats", "--rounds %d is not allowed", p.Rounds)
	}
	for _, name := range p.Only {
		if !slices.Contains(peers.Names(), name) {
			return usage("there are "+strings.Join(peers.Names(), ", "), "--only %s: there is no such task", name)
		}
	}
	return nil
}

// Run makes the data in a temporary folder and times every program.
func (p Peers) Run(ctx context.Context, o Observer) (*PeersResult, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := newReporter("peers", o)
	return peers.Run(given.Context(ctx), peers.Config{Rounds: p.Rounds, Only: p.Only, Quick: p.Quick, Threads: p.Threads, Seed: p.Seed, Program: p.Program, Python: p.Python, R: p.R,
		Limit: time.Duration(p.Limit * float64(time.Second)), Progress: func(task, program string, done, total int) {
			r.send(Event{Phase: "measure", Label: task + ", " + program, Done: done, Total: total})
		}})
}
