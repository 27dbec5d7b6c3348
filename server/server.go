package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/inlier-ml/inlier/internal/version"
)

// Options say what a server may do. The zero value of a number means the usual.
type Options struct {
	Folder string   // where the state is kept
	Token  string   // that requests must carry; empty: none is asked for
	Hosts  []string // names under which the server answers, without ports; localhost and addresses of this machine's loopback always count
	Log    *slog.Logger
	Limits
}

// Limits bound what requests may ask for.
type Limits struct {
	Body    int64         // bytes of an upload; 0: 2 GiB
	Rows    int64         // bytes of rows that are sent to a model; 0: 2 GiB
	Memory  int64         // bytes within which rows that are sent to a model are read; 0: 64 MiB
	Waiting int           // jobs that wait; 0: 100
	Time    time.Duration // of a job; 0: an hour
	Models  int           // that are held in memory; 0: 16
	Held    int64         // bytes of their files, of which the one that was asked last may take more; 0: 1 GiB
	Silence time.Duration // of a client in the midst of a body; 0: 30 s
}

func (l Limits) filled() Limits {
	fill := func(v *int64, usual int64) {
		if *v == 0 {
			*v = usual
		}
	}
	fill(&l.Body, 2<<30)
	fill(&l.Rows, 2<<30)
	fill(&l.Memory, 64<<20)
	fill(&l.Held, 1<<30)
	if l.Waiting == 0 {
		l.Waiting = 100
	}
	if l.Time == 0 {
		l.Time = time.Hour
	}
	if l.Silence == 0 {
		l.Silence = 30 * time.Second
	}
	if l.Models == 0 {
		l.Models = 16
	}
	return l
}

// Server answers requests. It is an http.Handler.
type Server struct {
	Options
	state   *state
	queue   *queue
	events  *broker
	loaded  *loaded
	counts  counts
	open    answers
	looks   turns // previews
	tables  turns // that models are asked about
	sides   turns // pairs of models that are compared
	large   turns // those that are held in memory as a whole: rows as JSON, files that are read tolerantly
	handler http.Handler
	api     huma.API
}

// New opens the folder, or makes it, and takes it for itself.
func New(o Options) (*Server, error) {
	if o.Folder == "" {
		return nil, errors.New("server: no folder is named")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.filled()
	kept, err := open(o.Folder)
	if err != nil {
		return nil, err
	}
	s := &Server{Options: o, state: kept, events: newBroker(kept.jobList()), looks: make(turns, mostPreviews), tables: make(turns, mostTables), sides: make(turns, mostPairs), large: make(turns, mostLarge)}
	s.loaded = newLoaded(s)
	s.queue = newQueue(s)
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Inlier", version.String())
	config.Info.Description = "Find what is wrong in a table, fit robust models, and use them. Uploads, jobs and models are named by 16 hexadecimal digits."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "/api/v1/openapi", "", ""
	config.CreateHooks = nil // no links to schemas in answers
	config.Formats = formats
	config.Transformers = append(config.Transformers, worded)
	s.api = humago.New(bodies{mux, s}, config)
	s.routes(mux)
	s.handler = s.guard(s.asked(mux))
	return s, nil
}

// routes registers what is answered.
func (s *Server) routes(mux *http.ServeMux) {
	s.routeService(mux)
	s.routeUploads(mux)
	s.routeJobs(mux)
	s.routeChoices()
	s.routeModels(mux)
	s.routeBeside()
	s.routeRows(mux)
	s.routePage(mux)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close takes no more jobs and lets the one under way end, until the context does; then it is cancelled, and shown as
// interrupted. The folder is given back.
func (s *Server) Close(ctx context.Context) error {
	s.queue.close(ctx)
	s.events.close()
	return s.state.close()
}
