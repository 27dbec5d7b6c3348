package tolerant

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/given"
)

// What a table takes in memory that is read and judged: times its text, numbers included; times that of packed text; and bytes for each
// number and row of other formats.
const (
	needText, needPacked       = 4, 20
	needNumber, needRow        = 16, 160
	needUnknown          int64 = -1
)

// Need is about how many bytes of memory it takes to read files and judge their rows; -1 where that cannot be told before they are read.
func Need(ctx context.Context, paths []string, o Options) int64 {
	ctx = given.Context(ctx)
	paths, err := file.Expand(ctx, o.FS, paths...)
	if err != nil {
		return needUnknown // reading will say what is wrong
	}
	sum := int64(0)
	for _, name := range paths {
		if format := formatOf(ctx, name, &o); format != "" && format != file.CSV && format != file.TSV {
			source, err := file.OpenContext(ctx, name, file.Options{FS: o.FS, Categorical: file.Codes, Missing: file.MissingKeep, Limit: o.Limit, Target: "none"})
			if err != nil {
				return needUnknown
			}
			rows, columns := source.Dims()
			source.Close()
			if rows < 0 {
				return needUnknown
			}
			sum += int64(rows) * (needRow + needNumber*int64(columns))
			continue
		}
		info, err := file.StatFile(ctx, o.FS, name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			return needUnknown
		}
		need := needText * info.Size()
		if ending := packing(ctx, name, &o); ending != "" {
			if need = needPacked * info.Size(); o.FS == nil && ending != ".xlsx" { // a sheet is mostly marks between its cells
				need = max(need, needText*unpacked(name, ending))
			}
		}
		sum += need
	}
	return sum
}

// packing is how a file is packed, by what it begins with, whatever it is called; empty: it is not.
func packing(ctx context.Context, name string, o *Options) string {
	in, err := file.OpenFile(ctx, o.FS, name)
	if err != nil {
		return ""
	}
	defer in.Close()
	var head [4]byte
	_, _ = io.ReadFull(in, head[:])
	switch {
	case head[0] == 0x1f && head[1] == 0x8b:
		return ".gz"
	case string(head[:]) != "PK\x03\x04":
		return ""
	case strings.EqualFold(path.Ext(name), ".zip"):
		return ".zip"
	}
	return ".xlsx"
}
