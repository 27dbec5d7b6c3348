package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/journal"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/loss"
)

func (s *Server) routeService(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /metrics", s.metrics)
	s.raw(mux, http.MethodPost, "/api/v1/session", "session", "Exchange the token for a cookie", "", s.session, nil, "application/json")
	s.raw(mux, http.MethodGet, "/api/v1/events", "events", "What happens to jobs", "Server-sent events named job; the data are a job. One named removed has the id of a job that is no more. With Last-Event-ID the jobs come first that have changed since, those of before a restart too.", s.stream, nil)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			other := *r
			other.Method = method
			if _, pattern := mux.Handler(&other); pattern != "/api/" {
				w.Header().Add("Allow", method)
			}
		}
		if allowed := w.Header().Values("Allow"); len(allowed) > 0 {
			refuse(w, http.StatusMethodNotAllowed, "what is asked for here is done by "+strings.Join(allowed, " or "))
			return
		}
		refuse(w, http.StatusNotFound, "there is nothing here; /api/v1/openapi.json lists what there is")
	})
	huma.Get(s.api, "/api/v1/about", func(context.Context, *struct{}) (*body[About], error) {
		return &body[About]{About{Version: version.String(), Losses: lossNames(), Limits: map[string]int64{"body": s.Body, "rows": s.Rows, "waiting": int64(s.Waiting), "seconds": int64(s.Time.Seconds())}}}, nil
	})
	huma.Get(s.api, "/api/v1/methods", func(context.Context, *struct{}) (*body[[]inlier.MethodInfo], error) {
		return &body[[]inlier.MethodInfo]{inlier.Methods()}, nil
	})
}

// About is what there is to know of the server.
type About struct {
	Version string           `json:"version"`
	Losses  []string         `json:"losses"`
	Limits  map[string]int64 `json:"limits"`
}

func lossNames() []string {
	names := []string{}
	for _, l := range loss.Losses() {
		names = append(names, l.Name)
	}
	return names
}

// raw registers a handler whose body or answer is no JSON, and describes it: what its path names, the parameters behind that, and the media types that
// its body may have.
func (s *Server) raw(mux *http.ServeMux, method, path, id, summary, about string, handle http.HandlerFunc, query map[string]string, sent ...string) {
	mux.HandleFunc(method+" "+path, handle)
	o := &huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: about, Responses: map[string]*huma.Response{"default": {Description: "The answer, or a problem"}}}
	text := &huma.Schema{Type: huma.TypeString}
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			o.Parameters = append(o.Parameters, &huma.Param{Name: strings.TrimSuffix(name, "}"), In: "path", Required: true, Schema: text})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		o.Parameters = append(o.Parameters, &huma.Param{Name: name, In: "query", Description: query[name], Schema: text})
	}
	if sent != nil {
		o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{}}
		for _, kind := range sent {
			o.RequestBody.Content[kind] = &huma.MediaType{}
		}
	}
	s.api.OpenAPI().AddOperation(o)
}

// failure turns an error into an answer; nil stays nil.
func (s *Server) failure(err error) error {
	if err == nil {
		return nil
	}
	p, ours := problemOf(err)
	status := statusOf(err, ours)
	if ours {
		s.Log.Error("a request failed", "error", err)
	}
	detail := p.Detail
	if p.Hint != "" {
		detail += "; " + p.Hint
	}
	answer := &huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail}
	if p.Parameter != "" {
		answer.Errors = []*huma.ErrorDetail{{Message: p.Detail, Location: p.Parameter}}
	}
	if after := retryAfter(status); after != "" {
		return huma.ErrorWithHeaders(answer, http.Header{"Retry-After": {after}})
	}
	return answer
}

// retryAfter is when a refusal that passes may have passed, in seconds; empty: it does not.
func retryAfter(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "5"
	case http.StatusServiceUnavailable:
		return "15"
	}
	return ""
}

func statusOf(err error, ours bool) int {
	var sent *bodyError
	switch p, _ := problemOf(err); {
	case errors.As(err, &sent):
		status, _ := sent.told()
		return status
	case errors.Is(err, errUnknown), errors.Is(err, errGone):
		return http.StatusNotFound
	case errors.Is(err, errLimit):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errBusy):
		return http.StatusTooManyRequests
	case errors.Is(err, errStopping), errors.Is(err, errMemory), errors.Is(err, errPages), errors.Is(err, journal.ErrGone):
		return http.StatusServiceUnavailable
	case p.Detail == "the disk is full":
		return http.StatusInsufficientStorage
	case ours:
		return http.StatusInternalServerError
	}
	return http.StatusUnprocessableEntity
}

// refuseError answers a raw request with an error.
func (s *Server) refuseError(w http.ResponseWriter, err error) {
	var m *huma.ErrorModel
	errors.As(s.failure(err), &m)
	w.Header().Set("Content-Type", "application/problem+json")
	if after := retryAfter(m.Status); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.WriteHeader(m.Status)
	_ = json.NewEncoder(w).Encode(m)
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// counts are what /metrics tells.
type counts struct {
	lock     sync.Mutex
	answers  map[int]int64
	jobs     map[State]int64
	uploaded atomic.Int64
	rows     atomic.Int64
}

func (c *counts) answered(status int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.answers == nil {
		c.answers = map[int]int64{}
	}
	c.answers[status]++
}

func (c *counts) ended(s State) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.jobs == nil {
		c.jobs = map[State]int64{}
	}
	c.jobs[s]++
}

func (c *counts) received(bytes int64) { c.uploaded.Add(bytes) }

// metrics writes the counts in the text form that Prometheus reads.
func (s *Server) metrics(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w := new(bytes.Buffer)
	defer func() { _, _ = out.Write(w.Bytes()) }() // when nothing is locked any more
	running := s.queue.running()
	head := func(name, kind, help string) {
		fmt.Fprintf(w, "# HELP inlier_%s %s\n# TYPE inlier_%s %s\n", name, help, name, kind)
	}
	s.counts.lock.Lock()
	defer s.counts.lock.Unlock()
	head("http_answers_total", "counter", "Answers by status.")
	lines(s.counts.answers, func(status int, n int64) { fmt.Fprintf(w, "inlier_http_answers_total{status=\"%d\"} %d\n", status, n) })
	head("jobs_total", "counter", "Jobs by how they ended.")
	lines(s.counts.jobs, func(state State, n int64) { fmt.Fprintf(w, "inlier_jobs_total{state=%q} %d\n", state, n) })
	head("jobs", "gauge", "Jobs that wait or run.")
	lines(running, func(state State, n int) { fmt.Fprintf(w, "inlier_jobs{state=%q} %d\n", state, n) })
	head("uploaded_bytes_total", "counter", "Bytes of uploads.")
	fmt.Fprintf(w, "inlier_uploaded_bytes_total %d\n", s.counts.uploaded.Load())
	head("rows_total", "counter", "Rows that models were asked about.")
	fmt.Fprintf(w, "inlier_rows_total %d\n", s.counts.rows.Load())
	head("peak_memory_bytes", "gauge", "The most memory that the process has held.")
	fmt.Fprintf(w, "inlier_peak_memory_bytes %d\n", memory.Peak())
}

func lines[K int | State, V any](of map[K]V, write func(K, V)) {
	keys := make([]K, 0, len(of))
	for k := range of {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	for _, k := range keys {
		write(k, of[k])
	}
}
