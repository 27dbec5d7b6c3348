package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// named is a request about one thing.
type named struct {
	ID string `path:"id" pattern:"^[0-9a-f]{16}$"`
}

// body is an answer.
type body[T any] struct{ Body T }

func (s *Server) routeUploads(mux *http.ServeMux) {
	s.raw(mux, http.MethodPost, "/api/v1/uploads", "upload", "Send a file", "The body is the file itself.", s.receive, map[string]string{"name": "How the sender calls it"}, "application/octet-stream")
	huma.Get(s.api, "/api/v1/uploads", func(context.Context, *struct{}) (*body[[]Upload], error) {
		return &body[[]Upload]{newest(s.state, s.state.uploads, func(u *Upload) time.Time { return u.Created })}, nil
	})
	huma.Get(s.api, "/api/v1/uploads/{id}", func(_ context.Context, in *named) (*body[Upload], error) {
		u, err := s.state.upload(in.ID)
		if err != nil {
			return nil, s.failure(err)
		}
		return &body[Upload]{*u}, nil
	})
	huma.Get(s.api, "/api/v1/uploads/{id}/preview", s.preview)
	huma.Delete(s.api, "/api/v1/uploads/{id}", func(_ context.Context, in *named) (*struct{}, error) {
		if _, err := s.state.upload(in.ID); err != nil {
			return nil, s.failure(err)
		}
		return nil, s.failure(s.state.remove(in.ID, filepath.Join(s.state.folder, "uploads", in.ID)))
	})
}

// receive streams a body into the folder. It is kept only when it came whole.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(strings.ReplaceAll(r.URL.Query().Get("name"), "\\", "/"))
	kind := extension(name)
	name = printable(strings.TrimSuffix(name, kind)) + kind
	if name == "." || name == "/" || name == "" {
		name = "data"
	}
	if r.ContentLength > s.Body {
		s.refuseError(w, fmt.Errorf("a file of %s; at most %s: %w", words.Size(r.ContentLength), words.Size(s.Body), errLimit))
		return
	}
	u := Upload{ID: newIdentity(), Name: name, Created: time.Now().UTC()}
	folder := filepath.Join(s.state.folder, "uploads", u.ID)
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		err = s.store(w, r, &u)
	}
	if err == nil {
		err = s.state.add(entry{Upload: &u})
	}
	if err != nil {
		os.RemoveAll(folder)
		s.refuseError(w, err)
		return
	}
	s.counts.received(u.Bytes)
	answerJSON(w, http.StatusCreated, u)
}

func (s *Server) store(w http.ResponseWriter, r *http.Request, u *Upload) error {
	f, err := os.OpenFile(s.state.uploadPath(u), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	u.Bytes, err = s.copyBody(io.MultiWriter(f, sum), w, r, s.Body)
	if err != nil {
		return err
	}
	if u.Bytes == 0 {
		return &inlier.Error{Problem: "the file is empty"}
	}
	u.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if err := f.Sync(); err != nil {
		return err
	}
	folder := filepath.Dir(f.Name())
	atomicfile.SyncFolder(folder)
	atomicfile.SyncFolder(filepath.Dir(folder))
	return f.Close()
}

// copyBody reads a body, which may take long as a whole, but not between two pieces.
func (s *Server) copyBody(to io.Writer, w http.ResponseWriter, r *http.Request, most int64) (int64, error) {
	out, ok := w.(*answer)
	if !ok {
		out = &answer{control: http.NewResponseController(w)}
		out.silence.Store(int64(s.Silence))
	}
	if kind := r.Header.Get("Content-Type"); strings.HasPrefix(strings.ToLower(kind), "multipart/") || r.Header.Get("Content-Range") != "" {
		return 0, errWrapped
	}
	out.reading.Store(true)
	defer out.reading.Store(false)
	return io.Copy(to, &patient{r: http.MaxBytesReader(w, r.Body, most), of: out})
}

// mostRequest bounds a request for a job or a choice, mostChecked one for a check with choices, which says how long it is.
const (
	mostRequest = 1 << 20
	mostChecked = 8 << 20
	smallBody   = 64 << 10 // larger ones take turns
)

// bodies registers handlers whose body is JSON that is held in memory. It is read here, so that one that breaks off, stands still or is too
// long is the sender's mistake, as it is elsewhere.
type bodies struct {
	*http.ServeMux
	s *Server
}

// HandleFunc registers a handler.
func (b bodies) HandleFunc(pattern string, handle func(http.ResponseWriter, *http.Request)) {
	b.ServeMux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			var text bytes.Buffer
			most := int64(mostRequest)
			if r.ContentLength > most && strings.HasSuffix(pattern, "/checks") {
				most = mostChecked
			}
			read, err := b.s.gather(&text, w, r, most, mostRequest)
			read()
			if err == nil && text.Len() > smallBody {
				var turn func()
				if turn, err = b.s.large.take(r.Context(), b.s.Silence); err == nil {
					defer turn()
					defer release()
				}
			}
			if err != nil {
				b.s.refuseError(w, err)
				return
			}
			plain, err := tidied(text.Bytes())
			if errors.Is(err, errLimit) {
				b.s.refuseError(w, err)
				return
			}
			if err != nil {
				b.s.refuseError(w, &bodyError{fmt.Errorf("%w: %w", errNotJSON, err)})
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(plain))
		}
		handle(w, r)
	})
}

type patient struct {
	r  io.Reader
	of *answer
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.of.control.SetReadDeadline(time.Now().Add(time.Duration(p.of.silence.Load())))
	n, err := p.r.Read(b)
	if err != nil && err != io.EOF {
		err = &bodyError{err}
	}
	return n, err
}

// bodyError is a body that did not come as it should.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

// errNotJSON is a body of another form than is expected.
var errNotJSON = errors.New("the body is not the JSON that is expected")

// told words it, with the status of the answer.
func (e *bodyError) told() (status int, detail string) {
	var large *http.MaxBytesError
	switch {
	case errors.As(e.err, &large):
		return http.StatusRequestEntityTooLarge, "the body is larger than " + words.Size(large.Limit)
	case errors.Is(e.err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout, "the rest of the body did not come in time"
	case errors.Is(e.err, errNotJSON):
		return http.StatusBadRequest, printable(e.err.Error())
	}
	return http.StatusBadRequest, "the body broke off or is malformed"
}

// errWrapped is a file within something else, or a part of one, which would be taken for the file.
var errWrapped = &inlier.Error{Problem: "the body is to be the whole file itself, not a form or a part of it", Hint: "curl --data-binary @FILE sends it so"}

// Preview is what the columns of an upload were taken for, and its first rows.
type Preview struct {
	Rows    int               `json:"rows" doc:"That were read for it"`
	Whole   bool              `json:"whole" doc:"These are all rows"`
	Shape   string            `json:"shape,omitempty" doc:"Of each row, where the file is a stack of images or tensors"`
	Columns []PreviewColumn   `json:"columns"`
	Head    [][]string        `json:"head"`
	Remarks []tolerant.Remark `json:"remarks"`
}

// PreviewColumn is what a column was taken for.
type PreviewColumn struct {
	Name    string   `json:"name"`
	ReadAs  string   `json:"read_as"`
	Unit    string   `json:"unit,omitempty"`
	Missing int      `json:"missing"`
	Misfits int      `json:"misfits"`
	Sure    float64  `json:"sure"`
	Remarks []string `json:"remarks"`
	Classes bool     `json:"classes,omitempty" doc:"Its numbers are taken for classes where it is to be predicted and nothing else is said"`
}

// previewRows are read before it is said what columns are: a guess from fewer fails on the first odd cell further down.
const previewRows = 20000

func (s *Server) preview(ctx context.Context, in *struct {
	ID        string `path:"id" pattern:"^[0-9a-f]{16}$"`
	Sheet     string `query:"sheet"`
	Header    string `query:"header" enum:"yes,no,"`
	Delimiter string `query:"delimiter"`
	Decimal   string `query:"decimal" enum:"comma,point,"`
	Encoding  string `query:"encoding"`
	As        string `query:"as" doc:"What columns are, as JSON: {\"code\": \"id\"}"`
}) (*body[Preview], error) {
	u, path, err := s.path(in.ID)
	if err != nil {
		return nil, s.failure(err)
	}
	options := tolerant.Options{Sheet: in.Sheet, Header: in.Header, Delimiter: in.Delimiter, Decimal: in.Decimal, Encoding: in.Encoding, Limit: previewRows + 1}
	if in.As != "" {
		var as map[string]string
		if json.Unmarshal([]byte(in.As), &as) != nil {
			return nil, s.failure(&inlier.Error{Parameter: "as", Problem: `as is JSON such as {"code": "id"}`})
		}
		options.As = map[string]tolerant.Kind{}
		for name, kind := range as {
			if options.As[name], err = tolerant.ParseKind(kind); err != nil {
				return nil, s.failure(err)
			}
		}
	}
	turn, err := s.looks.take(ctx, s.Silence)
	if err != nil {
		return nil, s.failure(err)
	}
	defer turn()
	defer release() // before the next one has its turn
	part, err := newBeginning(path)
	if errors.Is(err, os.ErrNotExist) { // removed meanwhile
		err = fmt.Errorf("upload %q: %w", in.ID, errUnknown)
	}
	if err != nil {
		return nil, s.failure(err)
	}
	if part != nil {
		options.FS, path = part, part.name()
	}
	if need := tolerant.Need(ctx, []string{path}, options); need >= 0 {
		err = affords(u, need)
	} else {
		err = affords(u, perByte*u.Bytes)
	}
	if err != nil {
		return nil, s.failure(err)
	}
	t, err := tolerant.Open(ctx, []string{path}, options)
	if err != nil {
		return nil, s.failure(renamed(err, u, path))
	}
	out := Preview{Rows: min(t.Rows, previewRows), Whole: t.Rows <= previewRows && part == nil, Columns: []PreviewColumn{}, Head: [][]string{}, Remarks: t.Remarks}
	if t.Shape != nil {
		out.Shape = words.Shape(t.Shape)
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, PreviewColumn{c.Name, c.Kind.String(), c.Unit, c.Missing, len(c.Misfits), c.Sure, append([]string{}, c.Remarks...), classes(&c)})
	}
	for i := range min(t.Rows, 12) {
		row := make([]string, len(t.Columns))
		for j := range row {
			row[j] = words.Glimpse(t.Text(i, j))
		}
		out.Head = append(out.Head, row)
	}
	return &body[Preview]{out}, nil
}

// classes tells that the numbers of a column are taken for classes, as those of a target are.
func classes(c *tolerant.Column) bool {
	if c.Kind != tolerant.Number {
		return false
	}
	var known []float64
	for _, v := range spill.Each(c.Values) {
		if v == v {
			known = append(known, v)
		}
	}
	return len(known) > 0 && dataset.NumberTarget(c.Name, known, dataset.TaskAuto).Classes != nil
}

// perByte is the memory that a byte of text takes: numbers, texts and what is learned beside them.
const perByte = 6

// free is the memory that there is; tests have less.
var free = memory.Free

// affords refuses a table before it is read that would not fit into memory.
func affords(u *Upload, need int64) error {
	if free := free(); free > 0 && need > free {
		return fmt.Errorf("%s would take about %s of memory, and %s are free: %w", u.Name, words.Size(need), words.Size(free), errMemory)
	}
	return nil
}

// holds refuses an upload that would not fit into memory as a whole; one that is packed is measured unpacked.
func (s *Server) holds(ctx context.Context, u *Upload) error {
	return affords(u, max(perByte*u.Bytes, tolerant.Need(ctx, []string{s.state.uploadPath(u)}, tolerant.Options{})))
}

// renamed words an error about a file by the name that its sender knows.
func renamed(err error, u *Upload, path string) error {
	e, ok := inlier.AsError(err)
	if !ok || path == "" {
		return err
	}
	pairs := []string{path, u.Name}
	if base := filepath.Base(path); filepath.Ext(base) != "" { // else it is a word like others
		pairs = append(pairs, base, u.Name)
	}
	clean, own := strings.NewReplacer(pairs...), *e
	own.Problem, own.Hint = clean.Replace(e.Problem), clean.Replace(e.Hint)
	own.Err = errors.Unwrap(err)
	return &own
}
