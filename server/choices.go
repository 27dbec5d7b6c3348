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

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
)

// mostChoices bounds what is chosen about one check.
const mostChoices = 100000

// A person's choices about the rows and cells of a check are kept in the journal one by one, so that each can be taken back
// and none is lost. Carrying them out is a check of its own, with the choices in its request: the file that was sent never
// changes, and the command line does the same with choices.csv.

func (s *Server) routeChoices() {
	huma.Get(s.api, "/api/v1/jobs/{id}/choices", func(_ context.Context, in *named) (*body[[]inlier.Choice], error) {
		if _, err := s.job(in.ID); err != nil {
			return nil, s.failure(err)
		}
		return &body[[]inlier.Choice]{s.choices(in.ID)}, nil
	})
	huma.Post(s.api, "/api/v1/jobs/{id}/choices", func(_ context.Context, in *struct {
		ID   string `path:"id" pattern:"^[0-9a-f]{16}$"`
		Body struct {
			Row    int    `json:"row,omitempty" minimum:"0"`
			Rows   []int  `json:"rows,omitempty" maxItems:"10000" doc:"Several rows, in place of one"`
			Column string `json:"column,omitempty" maxLength:"10000"`
			Choice string `json:"choice" enum:"keep,drop,repair,empty," doc:"Nothing takes the choice back"`
		}
	}) (*body[[]inlier.Choice], error) {
		j, err := s.job(in.ID)
		switch {
		case err != nil:
		case j.Kind != "check" || j.State != Done:
			err = &inlier.Error{Problem: "choices are about checks that have ended well"}
		case in.Body.Choice != "" && len(s.choices(in.ID))+max(1, len(in.Body.Rows)) > mostChoices:
			err = &inlier.Error{Problem: fmt.Sprintf("%d choices were made about this check, and no more may be", mostChoices)}
		default:
			err = s.chose(j, in.Body.Rows, in.Body.Row, in.Body.Column, in.Body.Choice)
		}
		if err != nil {
			return nil, s.failure(err)
		}
		return &body[[]inlier.Choice]{s.choices(in.ID)}, nil
	})
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
		lines[k].Chosen = &Chosen{j.ID, inlier.Choice{Row: row, Column: column, Choice: choice}}
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
