package file

import (
	"errors"
	"fmt"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/npy"
)

// problem makes an InputError about a file.
func problem(file, format string, args ...any) *dataset.InputError {
	return dataset.Problem(file, format, args...)
}

// inFile turns an error of a lower layer that is about the content of a file into an
// InputError about that file, and leaves other errors alone.
func inFile(file string, err error) error {
	var content *npy.Error
	if errors.As(err, &content) {
		return &dataset.InputError{File: file, Problem: content.Problem, Err: err}
	}
	return err
}

// quote shows a cell in a message, shortened.
func quote(field []byte) string {
	const most = 40
	text := cell.Decode(field)
	if len(text) > most {
		runes := []rune(text)
		if len(runes) > most {
			text = string(runes[:most]) + "..."
		}
	}
	return fmt.Sprintf("%q", text)
}
