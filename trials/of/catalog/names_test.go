package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/loss"
)

// No method is known by name outside its family, the table of this package and the papers' experiments, not even within a
// longer text: contests, defaults and order follow from the table. Words that are also names of families,
// losses or columns mean those. Examples and papers have names, and so have the places of this list.
func TestMethodsAreNamedHereOnly(t *testing.T) {
	about := map[string]string{
		"dataset/corrupt/table.go":   "says which paper a kind of dirt is from",
		"dataset/synthetic/table.go": "says which paper a generator is from",
		"plot/loss_surface.go":       "says in which paper the picture stands",
	}
	used := map[string]bool{}
	homes := map[string]string{} // of the methods
	for _, m := range catalog.Methods() {
		homes[m.Name] = m.Family
		if home := map[string]string{"correntropy-pca": "pca", "chain": "nearest"}[m.Family]; home != "" {
			homes[m.Name] = home
		}
	}
	for _, m := range catalog.Methods() {
		delete(homes, m.Family)
	}
	for _, l := range loss.Losses() {
		for _, name := range append([]string{l.Name}, l.Aliases...) {
			delete(homes, name)
		}
	}
	for _, distinct := range []string{catalog.Default(), "hq-pca", "elm-kmpe", "corr-tensor", "kmeans"} {
		if homes[distinct] == "" {
			t.Fatalf("%s is not looked for", distinct)
		}
	}
	names := slices.SortedFunc(maps.Keys(homes), func(a, b string) int { return len(b) - len(a) })
	mentioned := regexp.MustCompile(`(?:^|[^\w-])(` + strings.Join(names, "|") + `)(?:$|[^\w+-])`)
	files := 0
	t.Chdir("../../../catalog")
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.ToSlash(strings.TrimPrefix(path, "../"))
		if e.IsDir() {
			if slices.Contains([]string{"catalog", "experiment", "bench", "docs"}, at) || strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2 || e.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		room, _, _ := strings.Cut(at, "/")
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := field.Key.(*ast.Ident); ok && (key.Name == "Paper" || key.Name == "Example") {
					return false
				}
			}
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(l.Value)
			if err != nil {
				return true
			}
			for _, found := range mentioned.FindAllStringSubmatch(text, -1) {
				if homes[found[1]] == room {
					continue
				}
				if about[at] != "" {
					used[at] = true
					continue
				}
				t.Errorf("%s: method %q is named", set.Position(l.Pos()), found[1])
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files read: %v", files, err)
	}
	for at, why := range about {
		if !used[at] {
			t.Errorf("%s, which %s, need not be excepted any more", at, why)
		}
	}
}

// Classes of other languages are called by names that these allow, each its own.
func TestClassesHaveNames(t *testing.T) {
	seen := map[string]string{}
	for _, m := range catalog.Methods() {
		name := m.Class()
		if !regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`).MatchString(name) || seen[name] != "" {
			t.Errorf("%s: class %s, also of %q", m.Name, name, seen[name])
		}
		seen[name] = m.Name
	}
}
