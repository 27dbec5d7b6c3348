package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/inlier-ml/inlier/refusal"
)

// Only what a family wrote itself about data and parameters is the user's to mend.
func TestOnlyRefusalsAreUsageErrors(t *testing.T) {
	own := refusal.Data("all rows are equal")
	var usage *UsageError
	if err := explain(own, "file.csv", nil, nil, ""); !errors.As(err, &usage) || usage.Problem != "file.csv: all rows are equal" || !errors.Is(err, own) {
		t.Errorf("a refusal becomes %v", err)
	}
	for _, other := range []error{
		nil, context.Canceled, context.DeadlineExceeded, fmt.Errorf("pca: a pass: %w", context.Canceled), io.ErrUnexpectedEOF,
		fmt.Errorf("pca: reading: %w", io.ErrUnexpectedEOF), errors.New("pca: a fault of ours"), errors.New("linalg: the eigenvalue iteration did not converge"),
	} {
		if err := explain(other, "file.csv", nil, nil, ""); err != other {
			t.Errorf("%v becomes %v", other, err)
		}
	}
}
