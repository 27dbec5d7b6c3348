package file

import (
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/npy"
)

// PartWriter writes a table one part of its rows after the other, so that it need not be in memory as a whole. The
// bytes are those of [WriteTable] or [Write].
type PartWriter struct {
	to     io.Writer
	zip    *gzip.Writer
	driver *driver
	rows   int
	shape  []int
	add    func([]Column) error
	end    func() error
}

// NewPartWriter writes to w in the format that the ending of the path tells, CSV for "-", a table of so many rows. A row that
// is an image has a shape.
func NewPartWriter(w io.Writer, path string, rows int, shape []int) (*PartWriter, error) {
	d, packed, err := writerOf(path, "")
	if err != nil {
		return nil, err
	}
	if d.parts == nil {
		var endings []string
		for _, d := range drivers() {
			if d.parts != nil {
				endings = append(endings, d.endings[0])
			}
		}
		return nil, problem(path, "%s files hold all rows in memory, and there are too many", d.name).WithHint("use %s", strings.Join(endings, ", "))
	}
	p := &PartWriter{to: w, driver: d, rows: rows, shape: shape}
	if packed {
		p.zip = gzip.NewWriter(w)
		p.to = p.zip
	}
	return p, nil
}

// WritesParts tells whether the format of a name is one that [NewPartWriter] writes.
func WritesParts(path string) bool {
	d, _, err := writerOf(path, "")
	return err == nil && d.parts != nil
}

// Write appends the rows of a part. All parts have the same columns.
func (p *PartWriter) Write(columns []Column) (err error) {
	if p.add == nil {
		if p.add, p.end, err = p.driver.parts(p.to, columns, p.rows, p.shape); err != nil {
			return err
		}
	}
	return p.add(columns)
}

// Close ends the table.
func (p *PartWriter) Close() error {
	if p.end != nil {
		if err := p.end(); err != nil {
			return err
		}
	}
	if p.zip != nil {
		return p.zip.Close()
	}
	return nil
}

// WriteSet appends the rows of a set: its numbers and, last, its target.
func (p *PartWriter) WriteSet(s *dataset.Set) error {
	if p.driver.numeric && s.Target != nil {
		return noTarget("")
	}
	return p.Write(setColumns(s))
}

// npyParts writes the numbers row by row.
func npyParts(w io.Writer, like []Column, rows int, shape []int) (add func([]Column) error, end func() error, err error) {
	for _, c := range like {
		if c.Numbers == nil {
			return nil, nil, problem("", "an NPY file has no place for the names of rows or classes").WithHint("write .csv or .parquet")
		}
	}
	if shape == nil {
		shape = []int{len(like)}
	}
	out, err := npy.NewWriter(w, npy.Header{Type: npy.Float64, Shape: append([]int{rows}, shape...)})
	if err != nil {
		return nil, nil, err
	}
	row := make([]float64, len(like))
	return func(columns []Column) error {
		for i := range columns[0].Len() {
			for j := range columns {
				row[j] = columns[j].Numbers[i]
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		return nil
	}, out.Close, nil
}
