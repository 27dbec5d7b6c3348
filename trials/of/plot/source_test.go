package plot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
)

// Pictures ask models what they can do, never which method they are of; and they know
// neither files nor flags nor the jobs above them.
func TestSourcesNameNoMethod(t *testing.T) {
	methods := map[string]bool{}
	for _, m := range catalog.Methods() {
		methods[m.Name] = true
	}
	above := map[string]bool{}
	for _, path := range []string{"", "/model", "/cmd/inlier", "/dataset/file", "/internal/progress", "/experiment"} {
		above["github.com/inlier-ml/inlier"+path] = true
	}
	for _, path := range []string{"os", "io/fs", "path/filepath", "flag", "net/http", "github.com/spf13/cobra"} {
		above[path] = true
	}
	t.Chdir("../../../plot")
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	literals := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		places := token.NewFileSet()
		source, err := parser.ParseFile(places, f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(source, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			literals++
			text, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			if methods[text] || above[text] {
				t.Errorf("%s: %q", places.Position(l.Pos()), text)
			}
			return true
		})
	}
	if len(methods) == 0 || literals < 100 {
		t.Errorf("%d methods, %d texts: nothing was looked at", len(methods), literals)
	}
}
