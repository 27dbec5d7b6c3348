package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// perform does the work of a job and writes its files; the job is told what became of it.
func (s *Server) perform(ctx context.Context, j *Job, o inlier.Observer) error {
	if err := os.MkdirAll(s.state.jobFolder(j.ID), 0o700); err != nil {
		return err
	}
	atomicfile.SyncFolder(filepath.Join(s.state.folder, "jobs"))
	switch j.Kind {
	case "check":
		return performed(j, func(r CheckRequest) error { return s.check(ctx, j, r, o) })
	case "fit":
		return performed(j, func(r FitRequest) error { return s.fit(ctx, j, r, o) })
	case "compare":
		return performed(j, func(r CompareRequest) error { return s.compare(ctx, j, r, o) })
	}
	return fmt.Errorf("job %s: no such kind %q", j.ID, j.Kind)
}

func performed[R any](j *Job, do func(R) error) error {
	var r R
	if err := json.Unmarshal(j.Request, &r); err != nil {
		return err
	}
	return do(r)
}

// source is where the file of a job lies.
func (s *Server) source(j *Job) (*Upload, string, error) {
	u, path, err := s.path(j.Upload)
	if err != nil {
		return nil, "", fmt.Errorf("the file %s was removed: %w", j.Name, errGone)
	}
	return u, path, nil
}

// path is where an upload lies.
func (s *Server) path(id string) (*Upload, string, error) {
	u, err := s.state.upload(id)
	if err != nil {
		return nil, "", err
	}
	return u, s.state.uploadPath(u), nil
}

// keep writes a file of a job, whole or not at all, and not once the job has ended.
func (s *Server) keep(ctx context.Context, j *Job, name string, write func(io.Writer) error) error {
	if err := atomicfile.Write(filepath.Join(s.state.jobFolder(j.ID), name), func(w io.Writer) error { return write(given.Writer{Context: ctx, Writer: w}) }); err != nil {
		return err
	}
	j.Files = append(j.Files, name)
	return nil
}

func (s *Server) keepJSON(ctx context.Context, j *Job, result any) error {
	body, err := report.JSON(result)
	if err != nil {
		return err
	}
	return s.keep(ctx, j, "result.json", bytesOf(body))
}

func bytesOf(body []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(body); return err }
}

func (s *Server) check(ctx context.Context, j *Job, r CheckRequest, o inlier.Observer) error {
	u, path, err := s.source(j)
	if err != nil {
		return err
	}
	against, learned := "", &Upload{}
	if r.Against != "" {
		earlier, err := s.job(r.Against)
		if err != nil {
			return err
		}
		learned.Name = "of " + earlier.Name
		against = filepath.Join(s.state.jobFolder(r.Against), "model.npz")
	}
	result, err := r.job(path, against).Run(ctx, o)
	if err != nil {
		return renamed(renamed(err, u, path), learned, against)
	}
	defer result.Close()                                             // of the temporary files of a table that does not fit into memory
	result.Table.Names, result.Against = []string{u.Name}, r.Against // not where they lie
	o(inlier.Event{Job: "check", Phase: "write", Total: 1, Label: "draw"})
	page, err := result.Page(ctx).HTML()
	if err != nil {
		return err
	}
	files := result.Folder(r.Repair || r.Choices != nil, page)
	if r.Choices != nil {
		files = append(files, inlier.CheckFile{Name: "choices.csv", Write: func(w io.Writer) error { return inlier.WriteChoices(w, r.Choices) }})
	}
	var drawn inlier.Points
	files = append(files, inlier.CheckFile{Name: pointsFile, Write: func(w io.Writer) (err error) { drawn, err = result.Points(ctx, w); return err }})
	for _, f := range files {
		if err := s.keep(ctx, j, f.Name, f.Write); err != nil {
			return err
		}
	}
	j.Summary, j.Rows, result.Files = result.Verdict, result.Rows, j.Files
	if err := s.keepJSON(ctx, j, struct {
		*inlier.CheckResult
		Worst  []worstRow      `json:"worst"`
		Cells  *inlier.CellMap `json:"cell_map"`
		Points inlier.Points   `json:"points"`
	}{result, worst(result, 200), result.CellMap(200), drawn}); err != nil {
		return err
	}
	return ctx.Err()
}

// worstRow is one of the most suspicious rows, with its cells as the file writes them.
type worstRow struct {
	Row   int      `json:"row"`
	ID    string   `json:"id,omitempty"`
	Kind  string   `json:"kind"`
	Why   string   `json:"why"`
	Cells []string `json:"cells"`
}

func worst(r *inlier.CheckResult, most int) []worstRow {
	out := []worstRow{}
	for _, row := range r.Worst(most) {
		w := worstRow{Row: row, ID: words.Glimpse(r.Name(row - 1)), Kind: r.Found.Part[row-1].String(), Why: r.Why(row - 1)}
		for k := range min(len(r.Table.Columns), 40) {
			w.Cells = append(w.Cells, words.Glimpse(r.Table.Text(row-1, k)))
		}
		out = append(out, w)
	}
	return out
}

func (s *Server) fit(ctx context.Context, j *Job, r FitRequest, o inlier.Observer) error {
	u, path, err := s.source(j)
	if err != nil {
		return err
	}
	f := r.job(path)
	f.Checkpoint = checkpointOf(path, j.Request)
	result, err := s.monitored(ctx, j, f, r.Along, o)
	if refused := (*inlier.Error)(nil); errors.As(err, &refused) && refused.Parameter == "checkpoint" {
		os.Remove(f.Checkpoint) // of another version, damaged or unwritable: the fit does without
		f.Checkpoint = ""
		result, err = s.monitored(ctx, j, f, r.Along, o)
	}
	if err != nil {
		if ctx.Err() == nil {
			os.Remove(f.Checkpoint)
		}
		return renamed(err, u, path)
	}
	result.Data = u.Name
	m := StoredModel{ID: newIdentity(), Name: r.Name, Method: result.Method, Job: j.ID, Created: time.Now().UTC()}
	if m.Name == "" {
		m.Name = result.Method + " of " + u.Name
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := result.Fitted().Save(s.state.modelPath(m.ID)); err != nil {
		return err
	}
	if info, err := os.Stat(s.state.modelPath(m.ID)); err == nil {
		m.Bytes = info.Size()
	}
	result.Model = m.ID
	if err := s.keepJSON(ctx, j, result); err != nil {
		os.Remove(s.state.modelPath(m.ID))
		return err
	}
	os.Remove(f.Checkpoint)
	j.Summary = fmt.Sprintf("%s, %s: %d of %d rows are outliers", result.Method, result.Status, result.Outliers, result.Rows)
	j.Model, j.made = m.ID, &m
	return nil
}

// checkpointOf is where a fit keeps what each reading of a table has found that does not fit into memory: beside the table, with which it goes. When
// the same is asked for again after a stop, a crash or a cancellation, the fit goes on from there, to the same model.
func checkpointOf(path string, request []byte) string {
	digest := sha256.Sum256(request)
	return filepath.Join(filepath.Dir(path), hex.EncodeToString(digest[:8])+".checkpoint")
}

func (s *Server) compare(ctx context.Context, j *Job, r CompareRequest, o inlier.Observer) error {
	u, path, err := s.source(j)
	if err != nil {
		return err
	}
	result, err := r.job(path).Run(ctx, o)
	if err != nil {
		return renamed(err, u, path)
	}
	if result.Standing != nil {
		result.Standing.Data = u.Name
	} else {
		result.Reduced.Data = u.Name
	}
	page, err := result.Page(ctx)
	if err != nil {
		return err
	}
	html, err := page.HTML()
	if err != nil {
		return err
	}
	if err := s.keep(ctx, j, "report.html", bytesOf(html)); err != nil {
		return err
	}
	j.Summary = "methods side by side on " + u.Name
	return s.keepJSON(ctx, j, result)
}
