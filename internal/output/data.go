package output

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/report"
)

// LabelsFile is for labels, which stand beside images and cannot be told from others.
var LabelsFile = Kind{"a file of labels", func(*os.File, int64) bool { return false }}

// DataFile is a file of the same data in the same format.
func DataFile(path string, set *dataset.Set) Kind {
	return RowsFile(path, &inlier.RowsResult{Set: set})
}

// RowsFile is a file of the same rows in the same format.
func RowsFile(path string, rows *inlier.RowsResult) Kind {
	return SameContent(path, func(w io.Writer) error {
		if format := file.FormatOf(path); rows.Mixed() && format.NamesRows() {
			return file.WriteTable(w, format, TableColumns(rows.Table()))
		}
		return file.Write("-", rows.Set, file.WriteOptions{Output: w, Format: file.FormatOf(path)})
	})
}

// ScoresFile is a table of the same columns.
func ScoresFile(path string, set *dataset.Set) Kind {
	columns := set.Columns
	if set.Target != nil {
		columns = append(columns[:len(columns):len(columns)], set.Target.Name)
	}
	byContent, byColumns := DataFile(path, set), TableFile(path, columns)
	return Kind{byColumns.Name, func(file *os.File, size int64) bool {
		if byColumns.Is(file, size) {
			return true
		}
		_, err := file.Seek(0, io.SeekStart)
		return err == nil && byContent.Is(file, size)
	}}
}

// TableColumns turns a table into columns of one kind each: whole numbers beside others are
// numbers, and what is of several kinds is text.
func TableColumns(t *report.Table) []file.Column {
	columns := make([]file.Column, len(t.Columns))
	for j, c := range t.Columns {
		to := &columns[j]
		to.Name = c.Name
		var numbers, integers, flags int
		for _, row := range t.Rows {
			switch row[j].(type) {
			case float64:
				numbers++
			case int:
				integers++
			case bool:
				flags++
			}
		}
		n := len(t.Rows)
		switch {
		case n > 0 && integers == n:
			to.Integers = make([]int, n)
		case n > 0 && numbers+integers == n:
			to.Numbers = make([]float64, n)
		case n > 0 && flags == n:
			to.Flags = make([]bool, n)
		default:
			to.Texts = make([]string, n)
		}
		for i, row := range t.Rows {
			switch v := row[j]; {
			case to.Integers != nil:
				to.Integers[i] = v.(int)
			case to.Flags != nil:
				to.Flags[i] = v.(bool)
			case to.Texts != nil:
				to.Texts[i] = fmt.Sprint(v)
			default:
				if whole, ok := v.(int); ok {
					to.Numbers[i] = float64(whole)
				} else {
					to.Numbers[i] = v.(float64)
				}
			}
		}
	}
	return columns
}

// HasEnding tells whether a name ends in one of the given ways, whatever its case.
func HasEnding(path string, endings ...string) bool {
	path = strings.ToLower(path)
	for _, e := range endings {
		if strings.HasSuffix(path, e) {
			return true
		}
	}
	return false
}
