package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
)

// mostChoices bounds what is chosen about one check.
const mostChoices = 100000

// A person's choices about the rows and cells of a check are kept in the journal one by one, so that each can be taken back
// and none is lost; those of one request are one step, to be undone and made again together. Carrying them out is a check of its own, with the choices in its request: the file that was sent never
// changes, and the command line does the same with choices.csv.

func (s *Server) routeChoices() {
	huma.Get(s.api, "/api/v1/jobs/{id}/choices", func(_ context.Context, in *named) (*choicesNow, error) {
		_, err := s.job(in.ID)
		return s.choicesNow(in.ID, err)
	})
	choose := huma.Operation{Method: http.MethodPost, Path: "/api/v1/jobs/{id}/choices", OperationID: "choose", Summary: "Say what is to become of rows or cells", Description: "What one request asks for is one step, which can be undone as a whole."}
	huma.Register(s.api, choose, func(_ context.Context, in *struct {
		ID   string `path:"id" pattern:"^[0-9a-f]{16}$"`
		Body struct {
			Row    int    `json:"row,omitempty" minimum:"0"`
			Rows   []int  `json:"rows,omitempty" maxItems:"100000" doc:"Several rows, in place of one"`
			Column string `json:"column,omitempty" maxLength:"10000"`
			Choice string `json:"choice" enum:"keep,drop,repair,empty," doc:"Nothing takes the choice back"`
		}
	}) (*choicesNow, error) {
		j, err := s.job(in.ID)
		switch {
		case err != nil:
		case j.Kind != "check" || j.State != Done:
			err = &inlier.Error{Problem: "choices are about checks that have ended well"}
		case in.Body.Choice != "" && s.besides(in.ID, in.Body.Rows, in.Body.Column)+max(1, len(in.Body.Rows)) > mostChoices:
			err = &inlier.Error{Problem: fmt.Sprintf("%d choices were made about this check, and %d may be", len(s.choices(in.ID)), mostChoices)}
		default:
			err = s.chose(j, in.Body.Rows, in.Body.Row, in.Body.Column, in.Body.Choice)
		}
		return s.choicesNow(in.ID, err)
	})
	huma.Delete(s.api, "/api/v1/jobs/{id}/choices", func(_ context.Context, in *named) (*choicesNow, error) {
		_, err := s.job(in.ID)
		if err == nil {
			err = s.takeBack(in.ID)
		}
		return s.choicesNow(in.ID, err)
	}, func(o *huma.Operation) {
		o.Summary, o.DefaultStatus = "Take all choices back, which can be undone", http.StatusOK
	})
	for name, forward := range map[string]bool{"undo": false, "redo": true} {
		huma.Register(s.api, huma.Operation{Method: http.MethodPost, Path: "/api/v1/jobs/{id}/choices/" + name, OperationID: name, Summary: map[bool]string{false: "Take the latest step back", true: "Make the step again that was undone last"}[forward]},
			func(_ context.Context, in *named) (*choicesNow, error) {
				_, err := s.job(in.ID)
				if back, again := s.steps(in.ID); err == nil && (forward && again == 0 || !forward && back == 0) {
					err = &inlier.Error{Problem: "there is nothing to " + name}
				}
				if err == nil {
					err = s.state.add(entry{Turned: &Turned{in.ID, forward}})
				}
				return s.choicesNow(in.ID, err)
			})
	}
	carry := huma.Operation{Method: http.MethodPost, Path: "/api/v1/jobs/{id}/carry-out", OperationID: "carryOut", Summary: "Make the file that the choices ask for", DefaultStatus: http.StatusAccepted}
	huma.Register(s.api, carry, func(_ context.Context, in *named) (*body[Job], error) {
		j, err := s.carryOut(in.ID)
		if err != nil {
			return nil, s.failure(err)
		}
		return &body[Job]{j}, nil
	})
}

// chose writes a choice down for each of the rows.
func (s *Server) chose(j Job, rows []int, row int, column, choice string) error {
	if len(rows) == 0 {
		rows = []int{row}
	}
	if choice == inlier.Drop && column != "" || choice == inlier.Empty && column == "" {
		return &inlier.Error{Parameter: "choice", Problem: "rows can be dropped and cells emptied"}
	}
	for _, row := range rows {
		if row < 1 || row > j.Rows {
			return &inlier.Error{Parameter: "row", Problem: fmt.Sprintf("there is no row %d", row)}
		}
	}
	if column != "" {
		names, err := checkedColumns(filepath.Join(s.state.jobFolder(j.ID), "result.json"))
		if err != nil {
			return err
		}
		if !slices.Contains(names, column) {
			return &inlier.Error{Parameter: "column", Problem: fmt.Sprintf("there is no column %q", printable(column))}
		}
	}
	lines := make([]entry, len(rows))
	for k, row := range rows {
		lines[k].Chosen = &Chosen{j.ID, inlier.Choice{Row: row, Column: column, Choice: choice}, k > 0}
	}
	return s.state.add(lines...)
}

// checkedColumns are the names of the columns of a check, which stand near the beginning of its result.
func checkedColumns(path string) (names []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := json.NewDecoder(f)
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		if name != "columns" {
			if err := in.Decode(new(json.RawMessage)); err != nil {
				return nil, err
			}
			continue
		}
		var columns []inlier.CheckedColumn
		if err := in.Decode(&columns); err != nil {
			return nil, err
		}
		for _, c := range columns {
			names = append(names, c.Name)
		}
		break
	}
	return names, nil
}

// takeBack takes all choices about a check back, in one step.
func (s *Server) takeBack(id string) error {
	var lines []entry
	for k, c := range s.choices(id) {
		c.Choice = ""
		lines = append(lines, entry{Chosen: &Chosen{id, c, k > 0}})
	}
	if lines == nil {
		return nil
	}
	return s.state.add(lines...)
}

// choicesNow are the choices that stand, and how many steps led to them and were undone.
type choicesNow struct {
	Undo string `header:"Undo-Steps" doc:"How many steps can be undone"`
	Redo string `header:"Redo-Steps" doc:"How many can be made again"`
	Body []inlier.Choice
}

func (s *Server) choicesNow(id string, err error) (*choicesNow, error) {
	if err != nil {
		return nil, s.failure(err)
	}
	back, again := s.steps(id)
	return &choicesNow{strconv.Itoa(back), strconv.Itoa(again), s.choices(id)}, nil
}

// besides counts the choices that stand about other rows or cells than these.
func (s *Server) besides(id string, rows []int, column string) int {
	s.state.lock.RLock()
	defer s.state.lock.RUnlock()
	of, seen := s.state.choices[id], map[int]bool{}
	if of == nil {
		return 0
	}
	for _, row := range rows {
		if _, there := of.at[inlier.Choice{Row: row, Column: column}]; there {
			seen[row] = true
		}
	}
	return len(of.at) - len(seen)
}

func (s *Server) steps(id string) (back, again int) {
	s.state.lock.RLock()
	defer s.state.lock.RUnlock()
	if of := s.state.choices[id]; of != nil {
		back, again = of.now, len(of.steps)-of.now
	}
	return back, again
}

// choices are those that stand, in the order in which they were made.
func (s *Server) choices(id string) []inlier.Choice {
	s.state.lock.RLock()
	defer s.state.lock.RUnlock()
	of := s.state.choices[id]
	if of == nil || len(of.at) == 0 {
		return []inlier.Choice{} // never null, which is no list
	}
	out := slices.SortedFunc(maps.Keys(of.at), func(a, b inlier.Choice) int { return of.at[a].number - of.at[b].number })
	for k, cell := range out {
		out[k].Choice = of.at[cell].choice
	}
	return out
}

// carryOut asks for the same check with the choices that were made about it.
func (s *Server) carryOut(id string) (Job, error) {
	j, err := s.job(id)
	if err != nil {
		return Job{}, err
	}
	choices := s.choices(id)
	if j.Kind != "check" || len(choices) == 0 {
		return Job{}, &inlier.Error{Problem: "nothing was chosen about this job"}
	}
	if _, _, err := s.source(&j); err != nil {
		return Job{}, err
	}
	var made Job
	err = performed(&j, func(r CheckRequest) error {
		since := map[inlier.Choice]bool{}
		for _, c := range choices {
			since[inlier.Choice{Row: c.Row, Column: c.Column}] = true
		}
		for _, c := range r.Choices { // those that made this file stand, unless others were made since
			if !since[inlier.Choice{Row: c.Row, Column: c.Column}] {
				choices = append(choices, c)
			}
		}
		slices.SortStableFunc(choices, func(a, b inlier.Choice) int { return a.Row - b.Row })
		r.Choices = choices
		s.inherit(&r, id)
		made, err = s.queue.add("check", j.Name, r.command(j.Name), r)
		return err
	})
	return made, err
}

// inherit has a batch judged by what its check has kept of the earlier one where that is gone.
func (s *Server) inherit(r *CheckRequest, id string) {
	if _, gone := s.job(r.Against); r.Against != "" && gone != nil {
		r.Against = id
	}
}
