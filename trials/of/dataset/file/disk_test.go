package file

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// endless is a stream that never ends.
type endless struct{ text string }

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[i%len(e.text)]
	}
	return len(b), nil
}

// A stream without an end is refused: at once when it cannot be data, else at a limit that the
// message names; and a cancelled context ends it.
func TestEndlessStreams(t *testing.T) {
	ctx := context.Background()
	var input *dataset.InputError
	if _, err := file.OpenReader(ctx, "zeros", endless{"\x00"}, file.Options{}); !errors.As(err, &input) || input.Message() != "zeros: this looks like a binary file of an unknown kind" {
		t.Errorf("zeros: %v", err)
	}
	_, err := file.OpenReader(ctx, "lines", endless{"1,2\n"}, file.Options{MaxBytes: 3 << 20})
	if !errors.As(err, &input) || !strings.Contains(input.Problem, "has not ended after 3.0 MiB") || !strings.Contains(input.Advice(flags), "write the data to a file first") {
		t.Errorf("lines: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	r, w := io.Pipe()
	go func() {
		io.WriteString(w, strings.Repeat("1,2\n", 1<<19)) // more than the head
		cancel()
		io.Copy(w, endless{"1,2\n"})
	}()
	if _, err := file.OpenReader(ended, "pipe", r, file.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r.Close()
}
