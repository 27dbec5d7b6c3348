package server

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostModel bounds a model that is sent.
const mostModel = 1 << 30

func (s *Server) routeModels(mux *http.ServeMux) {
	huma.Get(s.api, "/api/v1/models", func(context.Context, *struct{}) (*body[[]StoredModel], error) {
		return &body[[]StoredModel]{newest(s.state, s.state.models, func(m *StoredModel) time.Time { return m.Created })}, nil
	})
	huma.Get(s.api, "/api/v1/models/{id}", func(ctx context.Context, in *named) (*body[ModelInfo], error) {
		m, err := s.state.model(in.ID)
		if err != nil {
			return nil, s.failure(err)
		}
		done, err := s.opening(ctx, "the model", m.Bytes)
		if err != nil {
			return nil, s.failure(err)
		}
		defer done()
		found, err := inlier.Inspect{Model: inlier.Model{Path: s.state.modelPath(in.ID)}}.Run(ctx, nil)
		if err != nil {
			return nil, s.failure(s.state.unread(in.ID, err))
		}
		maps.DeleteFunc(found.Description.Numbers, func(name string, _ any) bool { return strings.HasSuffix(name, "_rows") }) // places among the rows learned from, which are not their numbers in the file
		return &body[ModelInfo]{ModelInfo{*m, found.Meta}}, nil
	})
	s.api.OpenAPI().Components.Schemas.Map()["Meta"].Properties["parameters"].AdditionalProperties = true // numbers are written as such
	huma.Delete(s.api, "/api/v1/models/{id}", func(_ context.Context, in *named) (*struct{}, error) {
		if _, err := s.state.model(in.ID); err != nil {
			return nil, s.failure(err)
		}
		err := s.state.remove(in.ID, s.state.modelPath(in.ID))
		s.loaded.drop(in.ID)
		return nil, s.failure(err)
	})
	s.raw(mux, http.MethodPost, "/api/v1/models", "sendModel", "Send a model file", "The body is the file itself.", s.receiveModel, map[string]string{"name": "What it is to be called"}, "application/octet-stream")
	s.raw(mux, http.MethodGet, "/api/v1/models/{id}/file", "modelFile", "The model as a file", "", func(w http.ResponseWriter, r *http.Request) {
		m, err := s.state.model(r.PathValue("id"))
		if err != nil {
			s.refuseError(w, err)
			return
		}
		s.hand(w, r, s.state.modelPath(m.ID), strings.Map(plainRune, m.Name)+".npz")
	}, nil)
}

// plainRune keeps what names of files may hold everywhere.
func plainRune(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
		return '-'
	}
	return r
}

// ModelInfo is a model and what its file says of it.
type ModelInfo struct {
	StoredModel
	Contents archive.Meta `json:"contents"`
}

// receiveModel keeps a model that was fitted elsewhere, if it is one.
func (s *Server) receiveModel(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > mostModel {
		s.refuseError(w, fmt.Errorf("a model of %s; at most %s: %w", words.Size(r.ContentLength), words.Size(mostModel), errLimit))
		return
	}
	m := StoredModel{ID: newIdentity(), Name: printable(r.URL.Query().Get("name")), Created: time.Now().UTC()}
	path := s.state.modelPath(m.ID)
	err := atomicfile.Write(path, func(to io.Writer) error {
		var err error
		m.Bytes, err = s.copyBody(to, w, r, mostModel)
		return err
	})
	if err == nil {
		err = s.learnOf(r.Context(), &m)
	}
	if m.Name == "" {
		m.Name = m.Method
	}
	if err == nil {
		err = s.state.add(entry{Model: &m})
	}
	if err != nil {
		if gone := os.Remove(path); gone != nil && !errors.Is(gone, os.ErrNotExist) {
			s.Log.Error("a file could not be removed", "path", filepath.Base(path), "error", gone)
		}
		s.refuseError(w, err)
		return
	}
	answerJSON(w, http.StatusCreated, m)
}

// learnOf opens a model that was sent, to know that it is one and of which method.
func (s *Server) learnOf(ctx context.Context, m *StoredModel) error {
	done, err := s.opening(ctx, "the model", m.Bytes)
	if err != nil {
		return err
	}
	defer done()
	path := s.state.modelPath(m.ID)
	opened, err := inlier.Model{Path: path}.Open()
	if errors.Is(err, archive.ErrNotModel) {
		return &inlier.Error{Problem: "the file is not an Inlier model", Hint: "files with rows are sent as uploads, on the page under Files"}
	}
	if err != nil {
		return renamed(err, &Upload{Name: "the file"}, path)
	}
	m.Method = opened.About.Method
	return nil
}

// largeModel is from how many bytes of its file on reading a model takes turns and is held against the free memory, of which it takes twice as much.
const largeModel = 16 << 20

// opening waits until a model may be read; done tells that it is.
func (s *Server) opening(ctx context.Context, name string, bytes int64) (done func(), err error) {
	if bytes <= largeModel {
		return func() {}, nil
	}
	turn, err := s.large.take(ctx, s.Silence)
	if err != nil {
		return nil, err
	}
	if err := affords(&Upload{Name: name}, 2*bytes); err != nil {
		turn()
		return nil, err
	}
	return func() { release(); turn() }, nil
}

// loaded holds the models that were asked last, ready to answer.
type loaded struct {
	s     *Server
	bytes int64 // of the files of those that are open
	lock  sync.Mutex
	order *list.List // of *ready, the latest first
	found map[string]*list.Element
}

type ready struct {
	id    string
	bytes int64 // of its file
	once  sync.Once
	model inlier.Model
	about inlier.Opened
	err   error
}

func newLoaded(s *Server) *loaded {
	return &loaded{s: s, order: list.New(), found: map[string]*list.Element{}}
}

// get opens a model, or finds it open.
func (l *loaded) get(id string) (*ready, error) {
	stored, err := l.s.state.model(id)
	if err != nil {
		return nil, err
	}
	l.lock.Lock()
	at := l.found[id]
	if at == nil {
		at = l.order.PushFront(&ready{id: id, bytes: stored.Bytes})
		l.found[id] = at
		l.bytes += stored.Bytes
		for l.order.Len() > l.s.Models || l.bytes > l.s.Held && l.order.Len() > 1 {
			l.forget(l.order.Back())
		}
	} else {
		l.order.MoveToFront(at)
	}
	l.lock.Unlock()
	r := at.Value.(*ready)
	r.once.Do(func() {
		done, err := l.s.opening(context.Background(), "the model", r.bytes) // others wait for it too
		if err != nil {
			r.err = err
			return
		}
		defer done()
		r.err = errors.New("the model was not opened") // should it be cut short
		opened, err := inlier.Model{Path: l.s.state.modelPath(id)}.Open()
		if err != nil {
			r.err = l.s.state.unread(id, err)
			return
		}
		r.err, r.about, r.model = nil, *opened, inlier.Model{Value: opened.Model, Input: opened.Input}
	})
	if r.err != nil {
		l.drop(id)
	}
	return r, r.err
}

// unread words an error about the file of a model; one that is gone was removed meanwhile.
func (s *state) unread(id string, err error) error {
	path := s.modelPath(id)
	if _, gone := os.Stat(path); errors.Is(gone, os.ErrNotExist) {
		return fmt.Errorf("model %q: %w", id, errUnknown)
	}
	return renamed(err, &Upload{Name: "the model"}, path)
}

func (l *loaded) drop(id string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if at := l.found[id]; at != nil {
		l.forget(at)
	}
}

// forget lets a model go; whoever asks it now still has it.
func (l *loaded) forget(at *list.Element) {
	r := l.order.Remove(at).(*ready)
	delete(l.found, r.id)
	l.bytes -= r.bytes
}
