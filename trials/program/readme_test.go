package program

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// knownNames are what the snippets of README may use without saying where it comes from.
var knownNames = map[string]string{
	"ctx": "context.Context", "x": "*mat.Dense", "y": "[]float64", "rows": "[][]float64", "row": "[]float64", "w": "io.Writer", "r": "io.Reader",
}

// What README shows in Go compiles.
func TestReadmeSnippetsCompile(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	snippets := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(snippets) == 0 {
		t.Fatal("README shows no Go")
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	folder := t.TempDir()
	for i, s := range snippets {
		file := s[1]
		if !strings.Contains(file, "package ") {
			if file, err = wholeFile(file); err != nil {
				t.Fatalf("snippet %d: %v\n%s", i+1, err, s[1])
			}
		}
		name := fmt.Sprintf("snippet%d.go", i+1)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(root, "internal", fmt.Sprintf("readme%d", i+1), name)] = filepath.Join(folder, name)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "overlay.json"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-overlay", filepath.Join(folder, "overlay.json")}
	for i := range snippets {
		args = append(args, fmt.Sprintf("./internal/readme%d", i+1))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// wholeFile makes a file of statements: what they declare counts as used, and the packages
// that they name are imported.
func wholeFile(statements string) (string, error) {
	const head = "package readme\nfunc _() {\n"
	parsed, err := parser.ParseFile(token.NewFileSet(), "", head+statements+"\n}", 0)
	if err != nil {
		return "", err
	}
	var declared, packages, free []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name != "_" {
					declared = append(declared, id.Name)
				}
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				packages = append(packages, id.Name)
			}
		case *ast.Ident:
			if knownNames[n.Name] != "" {
				free = append(free, n.Name)
			}
		}
		return true
	})
	var file strings.Builder
	file.WriteString("package readme\nimport (\n")
	for _, p := range []string{"context", "io", "gonum.org/v1/gonum/mat"} {
		fmt.Fprintf(&file, "%q\n", p)
	}
	imported := []string{"context", "io", "mat"}
	for _, name := range packages {
		path := "github.com/inlier-ml/inlier/" + name
		if slices.Contains(imported, name) || slices.Contains(declared, name) || knownNames[name] != "" {
			continue
		}
		switch _, err := os.Stat(name); {
		case name == "inlier":
			path = "github.com/inlier-ml/inlier"
		case name == "file":
			path = "github.com/inlier-ml/inlier/dataset/file"
		case err != nil:
			path = name // of the standard library
		}
		imported = append(imported, name)
		fmt.Fprintf(&file, "%q\n", path)
	}
	file.WriteString(")\nvar (\n_ context.Context\n_ io.Reader\n_ mat.Matrix\n)\nfunc _(")
	slices.Sort(free)
	for _, name := range slices.Compact(free) {
		if !slices.Contains(declared, name) {
			fmt.Fprintf(&file, "%s %s, ", name, knownNames[name])
		}
	}
	file.WriteString(") {\n" + statements + "\n")
	for _, name := range declared {
		fmt.Fprintf(&file, "_ = %s\n", name)
	}
	file.WriteString("}\n")
	return file.String(), nil
}
