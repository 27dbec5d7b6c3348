package papers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/experiment/papers"
)

// committed is the folder with the results that the documents show.
const committed = "../../../../docs/replication"

// needRecords skips a test of the committed verdicts and records where they are not: a module
// that was downloaded comes without them. In the repository they must be there.
func needRecords(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(committed, "records")); err == nil {
		return
	}
	if _, err := os.Stat("../../../../.git"); err == nil {
		t.Fatal("docs/replication/records is missing from the repository")
	}
	t.Skip("docs is not here: it is a module of its own, which the repository has")
}

// committedLine is what verdicts.json says of one experiment.
type committedLine struct {
	ID      string
	Verdict string
	Agree   int `json:"cells_reproduced"`
	Cells   int
	Reason  string
	Runs    int
	Records string `json:"records_sha256"`
	Claims  []experiment.ClaimVerdict
	Power   *experiment.Power

	Conclusion string `json:"conclusions"`
}

// contradictions tells where a committed line and a file of records do not go together.
func contradictions(line committedLine, text []byte) []string {
	specs, err := experiment.Find([]string{line.ID})
	if err != nil {
		return []string{err.Error()}
	}
	records, err := experiment.ReadRecords(bytes.NewReader(text))
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	v := experiment.Judge(specs[0], records, nil)
	if string(v.Outcome) != line.Verdict || v.Agree != line.Agree || v.Judged != line.Cells || v.Reason != line.Reason || len(records) != line.Runs {
		out = append(out, fmt.Sprintf("the records say %s (%s, %d runs), the committed verdict %s (%s, %d runs)", v.Outcome, v.Reason, len(records), line.Verdict, line.Reason, line.Runs))
	}
	if string(v.Conclusion) != line.Conclusion || !reflect.DeepEqual(v.Power, line.Power) {
		out = append(out, fmt.Sprintf("the records say that the conclusions are %s (%+v), the committed verdict %s (%+v)", v.Conclusion, v.Power, line.Conclusion, line.Power))
	}
	for i, c := range v.Claims {
		if i >= len(line.Claims) || c.Text != line.Claims[i].Text || c.Holds != line.Claims[i].Holds || c.Against != line.Claims[i].Against || c.Of != line.Claims[i].Of || c.Verdict != line.Claims[i].Verdict {
			out = append(out, fmt.Sprintf("claim %q holds in %d of %d", c.Text, c.Holds, c.Of))
		}
	}
	if line.Records != fmt.Sprintf("%x", sha256.Sum256(text)) {
		out = append(out, "the records are not those that the verdict was computed from")
	}
	return out
}

// readCommitted reads verdicts.json.
func readCommitted(t *testing.T) []committedLine {
	t.Helper()
	needRecords(t)
	text, err := os.ReadFile(filepath.Join(committed, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var site struct{ Experiments []committedLine }
	if err := json.Unmarshal(text, &site); err != nil {
		t.Fatal(err)
	}
	if len(site.Experiments) == 0 {
		t.Fatal("no verdicts")
	}
	return site.Experiments
}

// Every experiment has a committed verdict.
func TestEveryExperimentHasAVerdict(t *testing.T) {
	lines := readCommitted(t)
	for _, s := range experiment.Specs() {
		if !slices.ContainsFunc(lines, func(l committedLine) bool { return l.ID == s.ID }) {
			t.Errorf("%s is not among the committed results", s.ID)
		}
	}
}

// The committed verdicts follow from the committed records, and the records are those that
// they were computed from.
func TestVerdictsFollowFromRecords(t *testing.T) {
	needRecords(t)
	for _, line := range readCommitted(t) {
		text, err := os.ReadFile(filepath.Join(committed, "records", line.ID+".jsonl"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range contradictions(line, text) {
			t.Errorf("%s: %s", line.ID, c)
		}
	}
}

// The test above would notice a verdict, a count or a record that someone has edited.
func TestEditsAreNoticed(t *testing.T) {
	needRecords(t)
	for _, line := range readCommitted(t) {
		if line.ID != "kmpe-table-7" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(committed, "records", line.ID+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		line.Records = fmt.Sprintf("%x", sha256.Sum256(text))
		if c := contradictions(line, text); len(c) > 0 {
			t.Fatalf("before any edit: %v", c)
		}
		for name, edit := range map[string]func(l *committedLine){
			"verdict":    func(l *committedLine) { l.Verdict = string(experiment.NotReproduced) },
			"cells":      func(l *committedLine) { l.Agree-- },
			"conclusion": func(l *committedLine) { l.Conclusion = string(experiment.Confirmed) },
			"power":      func(l *committedLine) { l.Power = nil },
			"reason":     func(l *committedLine) { l.Reason += "!" },
			"runs":       func(l *committedLine) { l.Runs++ },
		} {
			edited := line
			edit(&edited)
			if len(contradictions(edited, text)) == 0 {
				t.Errorf("an edited %s is not noticed", name)
			}
		}
		// One digit of one score, too little to change the verdict.
		at := bytes.Index(text, []byte(`"test_rmse":0.`)) + len(`"test_rmse":0.`) + 5
		changed := bytes.Clone(text)
		changed[at] = '0' + (changed[at]-'0'+1)%10
		if len(contradictions(line, changed)) == 0 {
			t.Error("an edited score is not noticed")
		}
		if whole := bytes.IndexByte(text, '\n') + 1; len(contradictions(line, text[whole:])) == 0 {
			t.Error("a missing run is not noticed")
		}
		return
	}
	t.Fatal("kmpe-table-7 is not among the committed results")
}

// The findings of the earlier re-computation can all be checked, and the committed page
// shows what the records say of them.
func TestFindingsFollowFromRecords(t *testing.T) {
	needRecords(t)
	page, err := os.ReadFile(filepath.Join(committed, "pages", "findings.html"))
	if err != nil {
		t.Fatal(err)
	}
	site := &experiment.Site{Dir: committed, Env: &experiment.Env{}}
	views := map[string]*experiment.View{}
	for _, s := range experiment.Specs() {
		if views[s.ID], err = site.View(s); err != nil {
			t.Fatal(err)
		}
	}
	list := experiment.CheckFindings(func(id string) *experiment.View { return views[id] })
	if len(list) == 0 {
		t.Fatal("no findings")
	}
	for _, f := range list {
		so := "no"
		if f.Agrees {
			so = "yes"
		}
		switch {
		case f.Missing != "":
			t.Errorf("%s: the records of %s do not tell", f.What, f.Missing)
		case strings.Contains(f.Ours, "NaN"):
			t.Errorf("%s: %s", f.What, f.Ours)
		case !f.Agrees && f.Why == "":
			t.Errorf("%s: nobody says why ours differ", f.What)
		case !regexp.MustCompile(regexp.QuoteMeta(html.EscapeString(f.Ours)) + `</td><td[^>]*><span class="badge [a-z]+">` + so + "<").Match(page):
			t.Errorf("%s: the page does not say %q: %s", f.What, f.Ours, so)
		}
	}
}

// The guide is what the committed records make of its text.
func TestGuideFollowsFromRecords(t *testing.T) {
	needRecords(t)
	written, err := os.ReadFile("../../../../docs/choosing.md")
	if err != nil {
		t.Fatal(err)
	}
	// It is written beside the committed one's place, so that its links read alike.
	root := t.TempDir()
	site := &experiment.Site{Dir: filepath.Join(root, "docs", "replication"), Env: &experiment.Env{}}
	if err := os.CopyFS(filepath.Join(site.Dir, "records"), os.DirFS(filepath.Join(committed, "records"))); err != nil {
		t.Fatal(err)
	}
	apart(t, site.Dir)
	path := filepath.Join(root, "docs", "choosing.md")
	words, err := os.ReadFile(papers.WordsOf("../../../../docs/choosing.md"))
	if err == nil {
		err = os.WriteFile(papers.WordsOf(path), words, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := papers.WriteGuide(path, site); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(made), "\n"), strings.Split(string(written), "\n")); d != "" {
		t.Errorf("docs/choosing.md is not what the records say; inlier replicate --all --pages --out docs/replication --guide docs/choosing.md writes it (-records +written):\n%s", d)
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
	needRecords(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "records"), os.DirFS(filepath.Join(committed, "records"))); err != nil {
		t.Fatal(err)
	}
	var specs []*experiment.Spec
	for _, s := range experiment.Specs() {
		if (s.ID == "kmpe-figures-2-6" || s.ID == "pca-gm-figures-4-6") && os.Getenv("INLIER_CONFORMANCE") != "all" {
			continue // their galleries of faces take as long as all other pages
		}
		if _, err := os.Stat(filepath.Join(dir, "records", s.ID+".jsonl")); err == nil {
			specs = append(specs, s)
		}
	}
	site := &experiment.Site{Dir: dir, Env: &experiment.Env{}}
	lines, err := site.Write(context.Background(), specs)
	if err != nil || len(lines) != len(specs) {
		t.Fatal(err)
	}
	for _, s := range specs {
		page, err := os.ReadFile(filepath.Join(dir, s.ID+".html"))
		if err != nil || bytes.Contains(page, []byte("The records are not complete")) {
			t.Errorf("%s: the page could not be drawn in full (%v)", s.ID, err)
		}
	}
}
