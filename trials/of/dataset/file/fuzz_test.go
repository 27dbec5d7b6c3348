package file

import (
	"errors"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

func complaint(t *testing.T, err error) {
	t.Helper()
	var input *dataset.InputError
	if !errors.As(err, &input) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("%q is no complaint in one line", err)
	}
}
