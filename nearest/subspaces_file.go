package nearest

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/step"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
)

// stored is a subspace that a file can hold.
type stored interface{ State() archive.State }

// Columns is how many numbers a row has.
func (s *Subspaces) Columns() int { return s.columns }

// Rows is the number of training rows.
func (s *Subspaces) Rows() int { return s.rows }

// Status is converged: a fit that was cancelled gives an error. A model of a file has the file's.
func (s *Subspaces) Status() irls.Status { return s.kept.Status(irls.Converged) }

// Steps is empty: each class has its own.
func (s *Subspaces) Steps() []irls.Step { return nil }

// Loss is nil: each class has its own.
func (s *Subspaces) Loss() loss.Scaled { return nil }

// Training is the verdict on the training rows; nil for models read from a file.
func (s *Subspaces) Training() *verdict.Rows { return s.training }

// Weights are those that the subspaces of their classes gave the training rows, 1 where these
// tell none; nil for models read from a file.
func (s *Subspaces) Weights() []float64 {
	if s.labels == nil {
		return nil
	}
	given := make([][]float64, len(s.Classes))
	for k, c := range s.Classes {
		if w, ok := c.(interface{ Weights() []float64 }); ok {
			given[k] = w.Weights()
		}
	}
	out := make([]float64, s.rows)
	for i, k := range s.labels {
		out[i] = 1
		if len(given[k]) > 0 {
			out[i], given[k] = given[k][0], given[k][1:]
		}
	}
	return out
}

// Warnings are those of the subspaces of the classes.
func (s *Subspaces) Warnings() []string {
	var out []string
	for k, c := range s.Classes {
		if w, ok := c.(interface{ Warnings() []string }); ok {
			for _, text := range w.Warnings() {
				out = append(out, fmt.Sprintf("class %d: %s", k+1, text))
			}
		}
	}
	return out
}

// Describe tells what was fitted.
func (s *Subspaces) Describe(names archive.Names) archive.Description {
	if d, ok := s.kept.Description(); ok {
		return d
	}
	d := archive.Description{
		Method: "nearest-subspace", Family: "chain", Task: archive.Classify, Rows: s.rows, Columns: s.columns, Status: irls.Converged.String(),
		Warnings: s.Warnings(),
	}
	if s.training != nil {
		d.Outliers, d.Numbers = s.training.Count(), numbers(s.training, s.labels)
	}
	for k, c := range s.Classes {
		d.Classes = append(d.Classes, names.Class(k))
		if one, ok := c.(stored); ok {
			about := one.State().Description
			d.Effective += about.Effective
			d.Objective += about.Objective * float64(about.Rows) / float64(max(s.rows, 1))
			d.Parameters = archive.Parameters{"reduce": about.Method}
		}
	}
	return d
}

// State is everything a model file holds: the arrays of class k under classK_NAME, K from 1.
// Of a class whose subspace has no State there is nothing.
func (s *Subspaces) State() archive.State {
	arrays, extra := map[string]archive.Array{"cutoffs": archive.Vector(s.Cutoffs)}, map[string]any{}
	s.inputs.store(arrays)
	for k, c := range s.Classes {
		if one, ok := c.(stored); ok {
			state, prefix := one.State(), classPrefix(k)
			for name, a := range state.Arrays {
				arrays[prefix+name] = a
			}
			extra[strings.TrimSuffix(prefix, "_")] = step.Pack(state)
		}
	}
	return s.kept.State(s.Describe(archive.Names{}), arrays, extra)
}

func classPrefix(k int) string { return fmt.Sprintf("class%d_", k+1) }

// RestoreSubspaces makes the model again from its state. The subspaces are models of packages
// pca and tensor.
func RestoreSubspaces(s archive.State) (*Subspaces, error) {
	if err := s.Of("chain"); err != nil {
		return nil, err
	}
	r := s.Reader()
	out := &Subspaces{Cutoffs: r.Vector("cutoffs"), rows: s.Description.Rows, columns: s.Description.Columns, kept: archive.Keep(s)}
	if out.inputs = restoreInputs(r, out.columns); r.Err() != nil {
		return nil, r.Err()
	}
	if k := len(out.Cutoffs); k != len(s.Description.Classes) || k < 1 {
		return nil, errors.New("the cut-offs and the classes differ in number")
	}
	for k := range out.Cutoffs {
		prefix := classPrefix(k)
		one, err := step.Unpack(s.Extra[strings.TrimSuffix(prefix, "_")])
		if err != nil {
			return nil, err
		}
		for name, a := range s.Arrays {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				one.Arrays[rest] = a
			}
		}
		class, err := restoreSubspace(one)
		if err != nil {
			return nil, fmt.Errorf("reduction %s: %w", one.Description.Method, err)
		}
		out.Classes = append(out.Classes, class)
	}
	return out, nil
}

func restoreSubspace(s archive.State) (Subspace, error) {
	if s.Description.Family == "tensor" {
		return tensor.Restore(s)
	}
	return pca.Restore(s)
}

// WriteTo writes the model as the bytes of a model file, which the inlier command and package
// model read as well.
func (s *Subspaces) WriteTo(w io.Writer) (int64, error) {
	if err := s.storable(); err != nil {
		return 0, err
	}
	return archive.WriteTo(w, s.State())
}

// Save writes the model to a file, whole or not at all.
func (s *Subspaces) Save(path string) error {
	if err := s.storable(); err != nil {
		return err
	}
	return archive.Save(path, s.State())
}

// storable refuses subspaces of a program's own, which nobody could read again.
func (s *Subspaces) storable() error {
	for k, c := range s.Classes {
		switch c.(type) {
		case *pca.Model, *tensor.Model:
		default:
			return fmt.Errorf("nearest: the subspace of class %d is a %T; files hold those of packages pca and tensor", k+1, c)
		}
	}
	return nil
}

// ReadSubspaces reads a model from r, to its end.
func ReadSubspaces(r io.Reader) (*Subspaces, error) { return archive.Read(r, RestoreSubspaces) }

// LoadSubspaces reads the model file at path, written by [Subspaces.Save] or by the inlier command.
func LoadSubspaces(path string) (*Subspaces, error) { return archive.Load(path, RestoreSubspaces) }
