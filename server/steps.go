package server

import "github.com/inlier-ml/inlier"

// Chosen is a choice that a person has made about a row or cell of a check, or taken back.
type Chosen struct {
	Job string `json:"job"`
	inlier.Choice
	With bool `json:"with,omitempty"` // it belongs to the step of the line before
}

// Turned is a step about a check that was undone, or made again.
type Turned struct {
	Job     string `json:"job"`
	Forward bool   `json:"forward,omitempty"`
}

// chosen are the choices about a check that stand, and the steps that led to them.
type chosen struct {
	made  int // how many were made
	at    map[inlier.Choice]standing
	steps [][]change // the latest last; those behind now were undone
	now   int
	held  int // changes in all steps
}

// standing is what was chosen for a row or cell, and as which one; the zero value: nothing.
type standing struct {
	choice string
	number int
}

type change struct {
	cell          inlier.Choice
	before, after standing
}

func (s *state) chosen(job string) *chosen {
	if s.choices[job] == nil {
		s.choices[job] = &chosen{at: map[inlier.Choice]standing{}}
	}
	return s.choices[job]
}

func (c *chosen) choose(line *Chosen) {
	c.made++
	cell := inlier.Choice{Row: line.Row, Column: line.Column}
	made := change{cell, c.at[cell], standing{line.Choice.Choice, c.made}}
	c.set(cell, made.after)
	if !line.With || c.now == 0 {
		for _, undone := range c.steps[c.now:] {
			c.held -= len(undone)
		}
		c.steps = append(c.steps[:c.now], nil)
		c.now++
	}
	c.steps[c.now-1] = append(c.steps[c.now-1], made)
	for c.held++; c.held > 2*mostChoices && c.now > 1; c.now-- { // the oldest stand for good
		c.held -= len(c.steps[0])
		c.steps = c.steps[1:]
	}
}

// turn takes the latest step back, or makes the next one again.
func (c *chosen) turn(forward bool) {
	switch {
	case forward && c.now < len(c.steps):
		for _, made := range c.steps[c.now] {
			c.set(made.cell, made.after)
		}
		c.now++
	case !forward && c.now > 0:
		c.now--
		for k := len(c.steps[c.now]) - 1; k >= 0; k-- { // a cell may be in it twice
			c.set(c.steps[c.now][k].cell, c.steps[c.now][k].before)
		}
	}
}

func (c *chosen) set(cell inlier.Choice, to standing) {
	if to.choice == "" {
		delete(c.at, cell)
	} else {
		c.at[cell] = to
	}
}
