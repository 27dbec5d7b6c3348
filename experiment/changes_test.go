package experiment

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder with verdicts of a run before has a page that says what changed; one without has
// none.
func TestChangesPage(t *testing.T) {
	Register(&Spec{ID: "kmpe-changing", Paper: "kmpe", Item: "Table 0", Title: "a test", Quick: Form{Repeats: 1}, Full: Form{Repeats: 1},
		Published: &Published{Claims: []Claim{{Text: "c", Method: "m", Score: "s", Max: new(float64)}}},
		Plan:      func(context.Context, *Env) ([]Case, error) { return nil, nil }})
	defer delete(registry, "kmpe-changing")
	RegisterReasons(map[string]string{"kmpe-changing": "the bound was misread"})
	defer delete(reasons, "kmpe-changing")
	spec := registry["kmpe-changing"]
	site := &Site{Dir: t.TempDir(), Env: &Env{}}
	if err := os.MkdirAll(filepath.Join(site.Dir, "records"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(site.RecordsPath(spec.ID), []Record{{Data: "d", Method: "m", Scores: map[string]Number{"s": 1}}}); err != nil {
		t.Fatal(err)
	}
	write := func() string {
		if _, err := site.Write(context.Background(), []*Spec{spec}); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(filepath.Join(site.Dir, "changes.html"))
		return string(text)
	}
	if write() != "" {
		t.Error("a page of changes without verdicts of a run before")
	}
	old, err := json.Marshal(map[string]any{"version": "0.0.7", "experiments": []Line{{ID: spec.ID, Verdict: Verdict{Outcome: Reproduced}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site.Dir, BeforeFile), old, 0o600); err != nil {
		t.Fatal(err)
	}
	if page := write(); !strings.Contains(page, "the bound was misread") || !strings.Contains(page, "not reproduced") {
		t.Error("the page does not say what changed and why")
	}
	readme, err := os.ReadFile(filepath.Join(site.Dir, "README.md"))
	if err != nil || !strings.Contains(string(readme), "1 of 1 verdicts differ from those of the run before (version 0.0.7)") {
		t.Errorf("README.md does not tell: %v", err)
	}
	if err := os.WriteFile(filepath.Join(site.Dir, BeforeFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Write(context.Background(), []*Spec{spec}); err == nil || !strings.Contains(err.Error(), BeforeFile) {
		t.Errorf("a damaged %s: %v", BeforeFile, err)
	}
}
