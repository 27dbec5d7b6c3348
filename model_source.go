package inlier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/model"
)

// Model is a request for a model: from a file, from a stream, or one that a program
// already holds, such as [FitResult.Fitted].
type Model struct {
	// Path is a model file; "-" is the Reader.
	Path string `json:"path,omitempty"`
	// Reader is read instead of a file.
	Reader io.Reader `json:"-"`
	// Value is a model in memory, and Input how the columns of its training data were read.
	Value catalog.Model `json:"-"`
	Input model.Input   `json:"-"`
}

// Opened is a model that was read.
type Opened struct {
	Name  string // the file
	Model catalog.Model
	About catalog.Description
	Input model.Input
}

// Contents reads and checks a model file without making a model of it.
func (m Model) Contents() (*model.Contents, error) {
	if m.Value != nil {
		var file bytes.Buffer
		if err := model.Write(&file, m.Value, m.Input); err != nil {
			return nil, err
		}
		return model.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), "memory")
	}
	if m.Reader == nil && m.Path == "" {
		return nil, about("model", usage("name a model file", "no model is named"))
	}
	if m.Reader == nil {
		return model.Inspect(m.Path)
	}
	const most = 1 << 31
	b, err := io.ReadAll(io.LimitReader(m.Reader, most+1))
	if err != nil {
		return nil, err
	}
	if len(b) > most {
		return nil, about("model", usage("give the name of the file instead", "standard input: a model of more than %s is refused", words.Size(most)))
	}
	return model.Read(bytes.NewReader(b), int64(len(b)), "standard input")
}

// Open reads the model that a request names.
func (m Model) Open() (*Opened, error) {
	if m.Value != nil {
		about := m.Value.Describe()
		return &Opened{Name: about.Method, Model: m.Value, About: about, Input: m.Input}, nil
	}
	c, err := m.Contents()
	if err != nil {
		return nil, err
	}
	made, err := c.Model()
	if err != nil {
		return nil, err
	}
	return &Opened{Name: m.Path, Model: made, About: made.Describe(), Input: c.Input}, nil
}

// Read reads a table for the model: its columns by name, coded as its training rows were.
// With truth, a model that has learned a target reads that as well.
func (m *Opened) Read(ctx context.Context, d Data, truth bool, o Observer) (*dataset.Set, error) {
	return m.read(ctx, d, truth, newReporter("read", o))
}

func (m *Opened) read(ctx context.Context, d Data, truth bool, r *reporter) (*dataset.Set, error) {
	t, err := m.table(ctx, d, truth, needs{}, r)
	if err != nil {
		return nil, err
	}
	return t.set, nil
}

// table reads a table for the model, or opens one that does not fit into memory where the job can do with blocks.
func (m *Opened) table(ctx context.Context, d Data, truth bool, n needs, r *reporter) (*asked, error) {
	about, in := m.About, m.Input
	if d.Columns == nil && !in.Unnamed && len(about.ColumnNames) > 0 {
		d.Columns, d.columnsOfModel = in.Coder.Raw(about.ColumnNames), true
	}
	supervised := about.Task == catalog.Regress || about.Task == catalog.Classify
	ofModel := false // the target is not the user's choice
	if supervised && d.Target == "" {
		switch {
		case truth:
			d.Target, d.ifThere, ofModel = about.Target, true, true
		case in.Unnamed && about.Shape == nil && d.Set == nil && d.Source == nil && d.Columns == nil && d.Drop == nil && d.ID == "":
			// Rows without names may come with what is to be predicted: it is no input.
			d.Target, d.ifThere, d.without = about.Target, true, about.Columns
		}
	}
	if d.Task == "" && d.Target != "" && d.Target != "none" { // few rows do not tell what numbers are
		switch about.Task {
		case catalog.Classify:
			d.Task = string(dataset.TaskClass)
		case catalog.Regress:
			d.Task = string(dataset.TaskRegression)
		}
	}
	d.coder, d.written = in.Coder, in.Written
	d.Tolerant = d.Tolerant || in.Dressed() && d.tolerable(ctx)
	fills := about.Parameters["missing"] == "fit"
	n.Words = n.Words && in.Coder != nil
	gaps := (n.Missing || n.Words) && !fills
	n.Bare = n.Missing && !fills && truth // whose verdict is taken back
	n.Missing = n.Missing || fills
	set, parts, err := d.table(ctx, n, r)
	if err != nil {
		var input *dataset.InputError
		if ofModel && errors.As(err, &input) && input.Column == "" && strings.HasPrefix(input.Problem, fmt.Sprintf("there is no column %q", d.Target)) {
			input.Hint = "the model has learned to tell it; {target} names the column that holds it here"
			if of, known := catalog.Lookup(about.Method); known == nil && slices.Equal(of.Tasks, []catalog.Task{catalog.Classify}) { // which judge rows without it too
				input.Hint += ", {target} none reads the rows without"
			}
		}
		return nil, err
	}
	if program := d.Set != nil || d.Source != nil; program && !set.Unnamed && !in.Unnamed && len(about.ColumnNames) > 0 {
		if set, err = set.SelectByName(about.ColumnNames); err != nil {
			return nil, err
		}
	}
	t := &asked{set: set, parts: parts, data: d, needs: n, gaps: gaps, strange: words.Runs{Most: mostOutside}}
	if _, columns := t.dims(); columns != about.Columns {
		t.close()
		return nil, usage("--columns and --drop choose columns", "%s has %s, but the model was fitted to %d", t.name(), words.Plural(columns, "column"), about.Columns)
	}
	return t, nil
}
