package server

import (
	"context"
	"io"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// fitResult is a fit with what its pictures draw; these are missing where the table does not fit into memory.
type fitResult struct {
	*inlier.FitResult
	Points    *inlier.Points        `json:"points,omitempty"`
	Parameter string                `json:"scale_parameter,omitempty"`
	Fits      []inlier.MonitoredFit `json:"fits,omitempty"`
	Settled   int                   `json:"settled"`
	Sampled   int                   `json:"sampled_rows,omitempty"`
	Read      []inlier.ReadColumn   `json:"read_columns,omitempty"` // where the table was read tolerantly
	Remarks   []tolerant.Remark     `json:"remarks,omitempty"`      // likewise, such as rows that were left out
}

// monitored fits, along the scale of the loss where that is asked for, and keeps what pictures draw.
func (s *Server) monitored(ctx context.Context, j *Job, f inlier.Fit, along bool, o inlier.Observer) (*fitResult, error) {
	fits := 1
	if along {
		fits = 0
	}
	var read []inlier.ReadColumn
	var remarks []tolerant.Remark
	f.Data.OnColumns = func(columns []inlier.ReadColumn, said []tolerant.Remark) { read, remarks = columns, said }
	m, err := inlier.Monitor{Fit: f, Fits: fits}.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	result := &fitResult{FitResult: m.FitResult, Parameter: m.Parameter, Fits: m.Fits, Settled: m.Settled, Sampled: m.Sampled, Read: read, Remarks: remarks}
	if err := s.keep(ctx, j, pointsFile, func(w io.Writer) error {
		drawn, err := m.Points(w)
		result.Points = &drawn
		return err
	}); err != nil {
		return nil, err
	}
	if len(m.Fits) > 0 {
		if err := s.keep(ctx, j, votesFile, m.WriteVotes); err != nil {
			return nil, err
		}
	}
	j.Rows = m.Rows
	return result, nil
}

// routeBeside answers how two models differ.
func (s *Server) routeBeside() {
	huma.Get(s.api, "/api/v1/models/{id}/beside/{other}", func(ctx context.Context, in *struct {
		ID    string `path:"id" pattern:"^[0-9a-f]{16}$"`
		Other string `path:"other" pattern:"^[0-9a-f]{16}$"`
	}) (*body[inlier.BesideResult], error) {
		var pair [2]inlier.Model
		var result *inlier.BesideResult
		bytes := int64(0)
		for k, id := range []string{in.ID, in.Other} {
			m, err := s.state.model(id)
			if err != nil {
				return nil, s.failure(err)
			}
			pair[k].Path = s.state.modelPath(id)
			bytes += m.Bytes
		}
		turn, err := s.sides.take(ctx, s.Silence) // which bounds what is held of models while they are compared
		if err != nil {
			return nil, s.failure(err)
		}
		defer turn()
		if err = s.openPair(ctx, &pair, bytes); err == nil {
			result, err = inlier.Beside{First: pair[0], Second: pair[1]}.Run(ctx, nil)
		}
		if err != nil {
			return nil, s.failure(s.state.unread(in.ID, s.state.unread(in.Other, err)))
		}
		return &body[inlier.BesideResult]{*result}, nil
	})
}

// openPair reads two models. Others that wait to read large ones do not wait until these are compared.
func (s *Server) openPair(ctx context.Context, pair *[2]inlier.Model, bytes int64) error {
	done, err := s.opening(ctx, "the models", bytes)
	if err != nil {
		return err
	}
	defer done()
	for k := range pair {
		opened, err := pair[k].Open()
		if err != nil {
			return err
		}
		pair[k].Value, pair[k].Input = opened.Model, opened.Input
	}
	return nil
}
