package cluster

import (
	"io"
	"math"
	"strconv"

	"github.com/inlier-ml/inlier/archive"
)

// Describe tells what was found and how the search ended.
func (m *Model) Describe(archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	columns, k := m.dims()
	d := archive.Description{
		Method: "kmeans", Family: "cluster", Task: archive.Cluster, Rows: m.Rows(), Columns: columns, Parameters: archive.Parameters{"clusters": strconv.Itoa(k)},
		Status: m.status.String(), Effective: m.effective(), Warnings: m.Warnings(),
	}
	if m.seen != nil {
		d.Outliers = m.seen.Flagged
	} else {
		d.Outliers = m.training.Count()
	}
	for c := range k {
		d.Classes = append(d.Classes, strconv.Itoa(c+1))
	}
	if m.loss != nil {
		d.Method, d.Loss = "kmeans-robust", m.loss.String()
	}
	d.EndedWith(m.steps)
	d.Numbers = map[string]any{"inertia": m.inertia, "sizes": m.Sizes()}
	return d
}

// Describe adds the decision graph.
func (m *PeakModel) Describe(names archive.Names) archive.Description {
	d := m.Model.Describe(names)
	if _, ok := m.kept.Description(); ok {
		return d
	}
	d.Method, d.Objective = "density-peaks", m.inertia/float64(len(m.labels))
	d.Parameters["dc"] = archive.FormatNumber(m.graph.Reach)
	halo := 0
	for _, h := range m.halo {
		if h {
			halo++
		}
	}
	peaks := m.Peaks()
	for c := range peaks {
		peaks[c]++
	}
	d.Numbers["suggested_clusters"], d.Numbers["halo"], d.Numbers["peak_rows"] = m.graph.Suggested(), halo, peaks
	return d
}

// State is everything a model file holds. Labels are counted from 0.
func (m *Model) State() archive.State {
	p := m.parts()
	arrays := map[string]archive.Array{
		"centers": archive.Matrix(p.Centers), "labels": archive.Integers(p.Labels), "cutoffs": archive.Vector(p.Cutoffs), "weights": archive.Vector(p.Weights),
	}
	if len(p.Objective) > 0 { // density peaks do not iterate
		arrays["objective"] = archive.Vector(p.Objective)
	}
	return m.kept.State(m.Describe(archive.Names{}), arrays, map[string]any{"loss_at": p.Loss, "largest_log_weight": p.LargestLogWeight, "trim_radius": p.Radius})
}

// State adds the decision graph and the training rows, which new rows follow.
func (m *PeakModel) State() archive.State {
	p := m.parts()
	s := m.Model.State()
	s.Description = m.Describe(archive.Names{})
	s.Arrays["support"], s.Arrays["rho"], s.Arrays["delta"] = archive.Matrix(p.Rows), archive.Vector(p.Density), archive.Vector(p.Distance)
	s.Extra["dc"] = p.Reach
	return s
}

func readParts(s archive.State) (parts, error) {
	if err := s.Of("cluster"); err != nil {
		return parts{}, err
	}
	r := s.Reader()
	p := parts{
		Centers: r.Matrix("centers"), Labels: r.Integers("labels"), Cutoffs: r.Vector("cutoffs"), Weights: r.Vector("weights"), Loss: r.Text("loss_at"),
		LargestLogWeight: r.Number("largest_log_weight"), Radius: r.Number("trim_radius"), Status: r.Status(),
	}
	if r.Has("objective") {
		p.Objective = r.Vector("objective")
	}
	if p.Inertia, _ = s.Description.Numbers["inertia"].(float64); math.IsNaN(p.Inertia) {
		p.Inertia = 0
	}
	return p, r.Err()
}

// Restore makes a k-means model again from its state.
func Restore(s archive.State) (*Model, error) {
	p, err := readParts(s)
	if err != nil {
		return nil, err
	}
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	m.kept, m.warnings = archive.Keep(s), s.Description.Warnings
	return m, nil
}

// RestorePeaks makes a clustering by density peaks again from its state.
func RestorePeaks(s archive.State) (*PeakModel, error) {
	base, err := readParts(s)
	if err != nil {
		return nil, err
	}
	r := s.Reader()
	p := peakParts{parts: base, Rows: r.Matrix("support"), Density: r.Vector("rho"), Distance: r.Vector("delta"), Reach: r.Number("dc")}
	if r.Err() != nil {
		return nil, r.Err()
	}
	m, err := peaksFromParts(p)
	if err != nil {
		return nil, err
	}
	m.kept, m.warnings = archive.Keep(s), s.Description.Warnings
	return m, nil
}

// WriteTo writes the model as the bytes of a model file, which the inlier command and package
// model read as well.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return archive.Save(path, m.State()) }

// WriteTo writes the model as the bytes of a model file.
func (m *PeakModel) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *PeakModel) Save(path string) error { return archive.Save(path, m.State()) }

// Read reads a k-means model from r, to its end.
func Read(r io.Reader) (*Model, error) { return archive.Read(r, Restore) }

// Load reads the k-means model in the file at path.
func Load(path string) (*Model, error) { return archive.Load(path, Restore) }

// ReadPeaks reads a clustering by density peaks from r, to its end.
func ReadPeaks(r io.Reader) (*PeakModel, error) { return archive.Read(r, RestorePeaks) }

// LoadPeaks reads the clustering by density peaks in the file at path.
func LoadPeaks(path string) (*PeakModel, error) { return archive.Load(path, RestorePeaks) }
