package output

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/report"
)

// Kind tells whether a file may be replaced without being asked: whether it is an output
// of Inlier of the same kind.
type Kind struct {
	Name string // what the file there is not: "a model"
	Is   func(file *os.File, size int64) bool
}

// At tells whether the file at a path is there and of this kind.
func (k Kind) At(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would wait
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return k.Is(file, info.Size())
}

// ONNXFile begins with the version of the format and the name of who made it.
var ONNXFile = Kind{"an ONNX model that inlier has made", func(file *os.File, _ int64) bool {
	head := make([]byte, 10)
	_, err := io.ReadFull(file, head)
	return err == nil && string(head) == "\x08\x08\x12\x06inlier"
}}

// ModelFile is an archive whose meta.json says so.
var ModelFile = Kind{"a model that inlier has made", func(file *os.File, size int64) bool {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return false
	}
	meta, err := archive.Open("meta.json")
	if err != nil {
		return false
	}
	defer meta.Close()
	head := make([]byte, 1<<12)
	n, _ := io.ReadFull(meta, head)
	return bytes.Contains(head[:n], []byte(`"inlier-model"`))
}}

// PictureFile is a picture or page, of any of their formats, that says who made it.
func PictureFile(string) Kind {
	return Kind{"a picture or page that inlier has made", func(file *os.File, size int64) bool { return report.Made(file, size) != "" }}
}

// PerhapsTable is what could be a table of results in the format that the name tells; the
// columns are compared when they are known.
func PerhapsTable(path string) Kind {
	return Kind{"a table", func(there *os.File, _ int64) bool {
		head := make([]byte, 512)
		n, _ := io.ReadFull(there, head)
		head = head[:n]
		if HasEnding(path, ".json") {
			head = bytes.TrimSpace(head)
			return len(head) > 0 && (head[0] == '{' || head[0] == '[')
		}
		return file.MayBeTable(path, head)
	}}
}

// optionalColumns may be there or not in tables of one kind.
var optionalColumns = []string{"id", "given", "suggested", "why"}

// TableFile is a table of the same columns in the format that the name tells.
func TableFile(path string, columns []string) Kind {
	return Kind{"a table of these columns", func(there *os.File, size int64) bool {
		return sameKind(columns, file.TableColumns(path, there, size))
	}}
}

func sameKind(ours, theirs []string) bool {
	essential := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(optionalColumns, n) })
	}
	return len(theirs) > 0 && slices.Equal(essential(ours), essential(theirs))
}
