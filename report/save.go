package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
func writeFile(path string, data []byte) (err error) {
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		return fmt.Errorf("report: %s: is a directory", path)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("report: %s: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			temporary.Close()
			os.Remove(temporary.Name())
			err = fmt.Errorf("report: %s: %w", path, cause(err))
		}
	}()
	if _, err = temporary.Write(data); err != nil {
		return err
	}
	if err = temporary.Chmod(0o644); err != nil {
		return err
	}
	if err = temporary.Sync(); err != nil {
		return err
	}
	if err = temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// cause strips the name of the temporary file, which means nothing to a reader.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
