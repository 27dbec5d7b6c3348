package file

import (
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
)

// writeLIBSVM writes the label and the entries that are not zero, counted from 1. A set
// without a target gets the label 0.
func writeLIBSVM(w io.Writer, path string, s *dataset.Set) error {
	if row, column, count := s.Missing(); count > 0 {
		return &dataset.InputError{File: path, Row: row + 1, Column: s.Columns[column], Problem: "LIBSVM files have no sign for a missing value"}
	}
	labels := make([]float64, s.Rows())
	if s.Target != nil {
		var err error
		if labels, err = targetNumbers(s.Target, path); err != nil {
			return err
		}
	}
	var line []byte
	d := s.Dim()
	for i := range s.Rows() {
		line = appendNumber(line[:0], labels[i])
		for j, v := range s.X.RawRowView(i) {
			// The last column is written once in any case, so that the number of columns survives.
			if v == 0 && !(i == 0 && j == d-1) {
				continue
			}
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(j+1), 10)
			line = append(line, ':')
			line = appendNumber(line, v)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
