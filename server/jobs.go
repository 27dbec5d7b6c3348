package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

func (s *Server) routeJobs(mux *http.ServeMux) {
	asked := func(path, id, summary string) huma.Operation {
		return huma.Operation{Method: http.MethodPost, Path: path, OperationID: id, Summary: summary, DefaultStatus: http.StatusAccepted, MaxBodyBytes: mostChecked + 1, BodyReadTimeout: -1}
	}
	huma.Register(s.api, asked("/api/v1/checks", "check", "Find what is wrong in an upload"), func(ctx context.Context, in *body[CheckRequest]) (*body[Job], error) {
		r := in.Body
		u, err := s.state.upload(r.Upload)
		if err == nil {
			err = s.checkable(r)
		}
		if err == nil && tolerant.Need(ctx, []string{s.state.uploadPath(u)}, tolerant.Options{}) < 0 { // else it is done in blocks where it must
			err = affords(u, perByte*u.Bytes)
		}
		return s.enqueue("check", u, r.command, r, err)
	})
	huma.Register(s.api, asked("/api/v1/fits", "fit", "Fit a model to an upload"), func(ctx context.Context, in *body[FitRequest]) (*body[Job], error) {
		r := in.Body
		u, err := s.state.upload(r.Data.Upload)
		if err == nil {
			err = r.job("data").Check()
		}
		if err == nil && r.Data.Tolerant { // else it is read in blocks where it must
			if err = s.holds(ctx, u); err != nil {
				err = fmt.Errorf("%w, or without tolerant, which is read in blocks", err)
			}
		}
		return s.enqueue("fit", u, r.command, r, err)
	})
	huma.Register(s.api, asked("/api/v1/comparisons", "compare", "Set methods side by side on an upload"), func(ctx context.Context, in *body[CompareRequest]) (*body[Job], error) {
		r := in.Body
		u, err := s.state.upload(r.Data.Upload)
		if err == nil {
			err = s.holds(ctx, u)
		}
		return s.enqueue("compare", u, r.command, r, err)
	})
	huma.Get(s.api, "/api/v1/jobs", func(context.Context, *struct{}) (*body[[]Job], error) {
		list := s.state.jobList()
		for k := range list {
			list[k] = list[k].told()
		}
		return &body[[]Job]{list}, nil
	})
	one := func(do func(id string) (Job, error)) func(context.Context, *named) (*body[Job], error) {
		return func(_ context.Context, in *named) (*body[Job], error) {
			j, err := do(in.ID)
			if err != nil {
				return nil, s.failure(err)
			}
			return &body[Job]{j}, nil
		}
	}
	huma.Get(s.api, "/api/v1/jobs/{id}", one(s.job))
	huma.Post(s.api, "/api/v1/jobs/{id}/cancel", one(s.queue.cancel))
	huma.Post(s.api, "/api/v1/jobs/{id}/again", one(s.again))
	huma.Delete(s.api, "/api/v1/jobs/{id}", func(_ context.Context, in *named) (*struct{}, error) {
		return nil, s.failure(s.forget(in.ID))
	})
	s.raw(mux, http.MethodGet, "/api/v1/jobs/{id}/points/{column}", "points", "A column of what pictures of a check or fit draw", "4-byte numbers, little end first, one per row; result.json says what the columns are.", s.column, nil)
	s.raw(mux, http.MethodGet, "/api/v1/jobs/{id}/rows", "rows", "The verdict on some rows of a check", "", s.verdicts, map[string]string{"rows": "Their numbers, such as 3,17"})
	s.raw(mux, http.MethodPost, "/api/v1/jobs/{id}/selected", "selected", "Some rows of the file of a check", "The body are their numbers, such as [3, 17]. They come as they stand in the file, or up to 200 with Accept: application/json as {\"columns\": [...], \"rows\": [[...]]}, of 200 columns.", s.selected, nil, "application/json")
	s.raw(mux, http.MethodGet, "/api/v1/jobs/{id}/files/{name}", "file", "A file that a job has made", "result.json, report.html, rows.csv, ... as the job lists them.", s.file, map[string]string{"download": "There at all: to be kept, not to be shown"})
}

// checkable refuses a check that cannot be made.
func (s *Server) checkable(r CheckRequest) error {
	if r.Against != "" {
		j, err := s.job(r.Against)
		if err != nil {
			return err
		}
		if j.Kind != "check" || j.State != Done {
			return &inlier.Error{Parameter: "against", Problem: "job " + r.Against + " is no check that has ended well"}
		}
	}
	return r.job("data", "").Check()
}

// enqueue lets a job wait, unless something speaks against it.
func (s *Server) enqueue(kind string, u *Upload, command func(name string) string, request any, err error) (*body[Job], error) {
	if err != nil {
		return nil, s.failure(err)
	}
	j, err := s.queue.add(kind, u.Name, command(u.Name), request)
	if err != nil {
		return nil, s.failure(err)
	}
	return &body[Job]{j}, nil
}

// again asks for the same once more.
func (s *Server) again(id string) (Job, error) {
	j, err := s.job(id)
	if err == nil {
		_, _, err = s.source(&j)
	}
	if err != nil {
		return Job{}, err
	}
	if j.Kind == "check" && j.State == Done {
		err = performed(&j, func(r CheckRequest) error {
			s.inherit(&r, id)
			j, err = s.queue.add(j.Kind, j.Name, r.command(j.Name), r)
			return err
		})
		return j, err
	}
	return s.queue.add(j.Kind, j.Name, j.Command, json.RawMessage(j.Request))
}

// forget removes a job that has ended, and its files.
func (s *Server) forget(id string) error {
	j, err := s.job(id)
	if err != nil {
		return err
	}
	if !j.State.Ended() {
		return &inlier.Error{Problem: "the job has not ended", Hint: "cancel it first"}
	}
	if err := s.state.remove(id, s.state.jobFolder(id)); err != nil {
		return err
	}
	s.events.forget(id)
	return nil
}

// pagePolicy is that of pages that jobs have made: they hold pictures with styles of their own; they may run no script and reach nothing.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'"

// file hands out what a job has made: only names that the job lists.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	id, name := r.PathValue("id"), r.PathValue("name")
	j, err := s.job(id)
	if err == nil && !slices.Contains(j.Files, name) {
		err = fmt.Errorf("file %q of job %s: %w", printable(name), id, errUnknown)
	}
	if err != nil {
		s.refuseError(w, err)
		return
	}
	s.hand(w, r, filepath.Join(s.state.jobFolder(id), name), calledAs(j.Name, name))
}

// hand answers with a file of the folder.
func (s *Server) hand(w http.ResponseWriter, r *http.Request, path, name string) {
	f, err := os.Open(path)
	if err != nil {
		s.refuseError(w, err)
		return
	}
	defer f.Close()
	kinds := map[string]string{".csv": "text/csv; charset=utf-8", ".html": "text/html; charset=utf-8", ".json": "application/json"}
	w.Header().Set("Content-Type", cmp.Or(kinds[filepath.Ext(path)], "application/octet-stream"))
	if filepath.Ext(path) == ".html" {
		w.Header().Set("Content-Security-Policy", pagePolicy)
	}
	how := "attachment"
	if !r.URL.Query().Has("download") && filepath.Ext(path) != ".npz" {
		how = "inline"
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": name}))
	http.ServeContent(w, r, "", time.Time{}, f)
}
