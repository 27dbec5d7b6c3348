package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/experiment"
)

// committed is the folder with the results that the documents show.
const committed = "../../docs/replication"

// The committed verdicts follow from the committed records.
func TestVerdictsFollowFromRecords(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(committed, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var site struct {
		Experiments []struct {
			ID      string
			Verdict string
			Agree   int `json:"cells_reproduced"`
			Cells   int
			Reason  string
		}
	}
	if err := json.Unmarshal(text, &site); err != nil {
		t.Fatal(err)
	}
	if len(site.Experiments) == 0 {
		t.Fatal("no verdicts")
	}
	for _, line := range site.Experiments {
		specs, err := experiment.Find([]string{line.ID})
		if err != nil {
			t.Error(err)
			continue
		}
		text, err := os.ReadFile(filepath.Join(committed, "records", line.ID+".jsonl"))
		if err != nil {
			t.Error(err)
			continue
		}
		records, err := experiment.ReadRecords(bytes.NewReader(text))
		if err != nil {
			t.Error(line.ID, err)
			continue
		}
		v := experiment.Judge(specs[0], records, nil)
		if string(v.Outcome) != line.Verdict || v.Agree != line.Agree || v.Judged != line.Cells || v.Reason != line.Reason {
			t.Errorf("%s: the records say %s (%s), the committed verdict %s (%s)", line.ID, v.Outcome, v.Reason, line.Verdict, line.Reason)
		}
	}
}

// Every experiment whose files are there plans its cases. Those that need no files (with
// INLIER_TABLES set: all) run one repeat of their first case without a failure.
func TestEveryExperimentRuns(t *testing.T) {
	ctx := context.Background()
	env := &experiment.Env{Dir: os.Getenv("INLIER_DATA")}
	site := &experiment.Site{Dir: t.TempDir(), Env: env}
	for _, spec := range experiment.Specs() {
		t.Run(spec.ID, func(t *testing.T) {
			if spec.Item == "" || spec.Title == "" || spec.About == "" || len(spec.Protocol) == 0 {
				t.Error("item, title, about or protocol is missing")
			}
			if missing := env.Missing(spec.Needs); len(missing) > 0 {
				t.Skipf("INLIER_DATA has no %v", missing)
			}
			if len(spec.Needs) > 0 && os.Getenv("INLIER_TABLES") == "" {
				cases, err := spec.Plan(ctx, env)
				if err != nil || len(cases) == 0 {
					t.Errorf("%d cases planned, %v", len(cases), err)
				}
				return
			}
			first := *spec
			first.Present, first.Learned = nil, nil // they need all cases
			first.Plan = func(ctx context.Context, e *experiment.Env) ([]experiment.Case, error) {
				cases, err := spec.Plan(ctx, e)
				return cases[:min(1, len(cases))], err
			}
			records, err := experiment.Run(ctx, &first, experiment.Settings{Env: env, Seed: 1, Repeats: 1, Journal: site.RecordsPath(spec.ID)})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range records {
				if r.Failure != "" {
					t.Errorf("%s on %s: %s", r.Method, r.Data, r.Failure)
				}
			}
			if _, err := site.Write(ctx, []*experiment.Spec{&first}); err != nil {
				t.Error(err)
			}
		})
	}
}

// The committed pages can be made from the committed records alone.
func TestPagesFromRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all pages")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "records"), os.DirFS(filepath.Join(committed, "records"))); err != nil {
		t.Fatal(err)
	}
	var specs []*experiment.Spec
	for _, s := range experiment.Specs() {
		if _, err := os.Stat(filepath.Join(dir, "records", s.ID+".jsonl")); err == nil {
			specs = append(specs, s)
		}
	}
	site := &experiment.Site{Dir: dir, Env: &experiment.Env{}}
	lines, err := site.Write(context.Background(), specs)
	if err != nil || len(lines) != len(specs) {
		t.Fatal(err)
	}
}
