package papers

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/experiment/papers"
)

var update = flag.Bool("update", false, "write README's parts anew from the committed records")

// README's numbers on the papers are what the committed records say.
func TestReadmeFollowsFromRecords(t *testing.T) {
	needRecords(t)
	const path = "../../../../README.md"
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	made, err := papers.Readme(string(written), &experiment.Site{Dir: committed, Env: &experiment.Env{}})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(made), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if d := cmp.Diff(made, string(written)); d != "" {
		t.Errorf("README is not what the records say; go test -C trials ./of/experiment/papers -run Readme -update writes it (-records +written):\n%s", d)
	}
	if _, err := papers.Readme("no parts", &experiment.Site{Dir: committed, Env: &experiment.Env{}}); err == nil {
		t.Error("a README without the parts is accepted")
	}
}
