package papers

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/experiment"
)

// apart gives the pages of a site a module of their own, as in the repository.
func apart(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pages", "go.mod"), []byte("module example.com/pages\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// linked are the targets of links and pictures in HTML and Markdown.
var linked = regexp.MustCompile(`(?:href|src)="([^"]*)"|\]\(([^)]*)\)`)

// deadLinks lists the links of the documents under a folder whose files are not there, and
// counts those to other files.
func deadLinks(t *testing.T, root string) (dead []string, count int) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		kind := filepath.Ext(path)
		if err != nil || e.IsDir() || kind != ".html" && kind != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range linked.FindAllSubmatch(text, -1) {
			if kind == ".html" && m[1] == nil { // brackets are no link there
				continue
			}
			link, _, _ := strings.Cut(string(m[1])+string(m[2]), "#")
			if link == "" || strings.Contains(link, ":") { // on the page itself, outside, inside as data
				continue
			}
			target := filepath.Join(filepath.Dir(path), filepath.FromSlash(link))
			count++
			if _, err := os.Stat(target); err != nil {
				dead = append(dead, path+" -> "+link)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dead, count
}

// Links between guide, index, pages, figures and records lead somewhere.
func TestCommittedLinks(t *testing.T) {
	needRecords(t)
	dead, count := deadLinks(t, filepath.Dir(committed))
	if len(dead) > 0 {
		t.Errorf("dead links:\n%s", strings.Join(dead, "\n"))
	}
	if count < 2 { // the guide's figures
		t.Errorf("%d links", count)
	}
}

// A site has its pages beside the index or in a module of their own; links fit, and pages
// written before are found again.
func TestSiteLinks(t *testing.T) {
	for name, folder := range map[string]string{"beside": "", "apart": "pages"} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			site := &experiment.Site{Dir: t.TempDir(), Env: &experiment.Env{}}
			if folder != "" {
				apart(t, site.Dir)
			}
			specs, err := experiment.Find([]string{"corr-tensor-figure-1", "kmpe-properties"})
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range specs {
				if _, err := experiment.Run(ctx, spec, experiment.Settings{Env: site.Env, Seed: 1, Repeats: 1, Journal: site.RecordsPath(spec.ID)}); err != nil {
					t.Fatal(err)
				}
				if _, err := site.Write(ctx, []*experiment.Spec{spec}); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{"corr-tensor-figure-1.html", "kmpe-properties.html", "findings.html"} {
				if _, err := os.Stat(filepath.Join(site.Dir, folder, file)); err != nil {
					t.Error(err)
				}
			}
			dead, count := deadLinks(t, site.Dir)
			if len(dead) > 0 {
				t.Errorf("dead links:\n%s", strings.Join(dead, "\n"))
			}
			// Index and README link both pages, the index the findings; all three pages link the
			// index, two their records.
			if count < 10 {
				t.Errorf("%d links", count)
			}
		})
	}
}
