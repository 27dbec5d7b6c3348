package papers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/experiment"
)

// lines reads the verdicts of a committed file.
func committedLines(t *testing.T, name string) []experiment.Line {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(committed, name))
	if os.IsNotExist(err) {
		t.Skip(name + " is not here: nothing to compare with")
	}
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Experiments []experiment.Line }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Experiments
}

// Every verdict that is not the one of the run before has a reason.
func TestEveryChangeHasAReason(t *testing.T) {
	changed := 0
	for _, c := range experiment.Compare(committedLines(t, experiment.BeforeFile), committedLines(t, "verdicts.json")) {
		if c.Differs() {
			changed++
			if c.Reason == "" {
				t.Errorf("%s was %s and is %s: nobody says why", c.Now.ID, c.Before.Outcome, c.Now.Outcome)
			}
		}
	}
	if changed == 0 {
		t.Error("nothing has changed: drop the verdicts of the run before")
	}
}

// What README and guide say of the start is what the catalog has.
func TestWhichMethodsHaveTheStart(t *testing.T) {
	for _, name := range []string{"r1-pca", "hq-pca", "pca-gm", "pca-kmpe", "pca-robust", "corr-2dsvd", "corr-tensor", "tensor-robust", "r1-2dsvd"} {
		m, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := m.Param("start"); !ok || p.Default != "auto" {
			t.Errorf("%s does not start as the documents say", name)
		}
	}
	for _, name := range []string{"pca", "pca-l1", "correntropy-pca"} {
		m, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		// That of pca-l1 is of the centre alone.
		if p, ok := m.Param("start"); ok && !strings.HasPrefix(p.Meaning, "centre") {
			t.Errorf("%s starts as the documents say that it does not", name)
		}
	}
}
