package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// savedWidth is the width of PNG files in pixels: twice the nominal width, sharp
// on today's screens.
const savedWidth = 1440

// Save writes the chart to a file; the extension decides between .svg, .png and
// .pdf. The file appears whole or not at all.
func (c *Chart) Save(path string) error {
	var data []byte
	var err error
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".svg":
		data, err = c.SVG()
	case ".png":
		data, err = c.PNG(savedWidth)
	case ".pdf":
		data, err = c.PDF()
	default:
		return fmt.Errorf("report: %s: charts are written as .svg, .png or .pdf, not %q", path, extension)
	}
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

// writeFile writes beside the target and renames, so that a reader never meets
// half a file and a failure leaves an old file as it was.
func writeFile(path string, data []byte) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
