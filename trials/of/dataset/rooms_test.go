package dataset

import (
	"os/exec"
	"strings"
	"testing"
)

// Who names a set or fits a model in a program of his own links no file format: neither
// Parquet nor the compression it brings.
func TestMethodsLinkNoFormats(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not there")
	}
	out, err := exec.Command("go", "list", "-deps", "github.com/inlier-ml/inlier/catalog", "github.com/inlier-ml/inlier/pca").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 50 {
		t.Fatalf("only %d packages are known", len(packages))
	}
	for _, p := range packages {
		if strings.Contains(p, "parquet") || strings.Contains(p, "klauspost") || strings.HasSuffix(p, "/dataset/file") {
			t.Errorf("catalog or pca links %s", p)
		}
	}
}
