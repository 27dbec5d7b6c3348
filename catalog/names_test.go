package catalog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/loss"
)

// No method is known by name outside its family, the table of this package and the papers'
// experiments: contests, defaults and order follow from the table. Words that are also
// names of families, losses or columns mean those.
func TestMethodsAreNamedHereOnly(t *testing.T) {
	names := map[string]bool{}
	for _, m := range catalog.Methods() {
		names[m.Name] = true
	}
	for _, m := range catalog.Methods() {
		delete(names, m.Family)
	}
	for _, l := range loss.Losses() {
		delete(names, l.Name)
		for _, alias := range l.Aliases {
			delete(names, alias)
		}
	}
	for _, distinct := range []string{catalog.Default(), "hq-pca", "elm-kmpe", "corr-tensor", "kmeans"} {
		if !names[distinct] {
			t.Fatalf("%s is not looked for", distinct)
		}
	}
	allowed := []string{"catalog", "experiment", "pca", "elm", "linear", "classify", "tensor", "cluster", "nearest", "bench", "docs"}
	papers := []string{"dataset/corrupt/table.go"} // names a paper, not a method
	files := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.ToSlash(strings.TrimPrefix(path, "../"))
		if e.IsDir() {
			if slices.Contains(allowed, at) || strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2 || e.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(papers, at) {
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := field.Key.(*ast.Ident); ok && key.Name == "Paper" {
					return false // papers have the names of their methods
				}
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil && names[text] {
					t.Errorf("%s: method %q is named", set.Position(l.Pos()), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files read: %v", files, err)
	}
}
