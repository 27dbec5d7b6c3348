package output

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/report"
	"gonum.org/v1/gonum/mat"
)

func put(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// refused checks that an error says so; "" means that there is none.
func refused(t *testing.T, what string, err error, text string) {
	t.Helper()
	if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
		t.Errorf("%s: %v, want %q", what, err, text)
	}
}

// What is there is replaced only when its content shows the same kind, or by force.
func TestReplacing(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	archive := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, `{"format": "inlier-model"}`)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	columns := []file.Column{{Name: "row", Integers: []int{1}}, {Name: "weight", Numbers: []float64{0.5}}}
	if err := file.WriteTableFile(t.Context(), at("good.parquet"), columns); err != nil {
		t.Fatal(err)
	}
	parquet, err := os.ReadFile(at("good.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	set := &dataset.Set{X: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Columns: []string{"a", "b"}}
	named := *set
	named.IDs = []string{"one", "two"}
	rows := []string{"row", "weight"}
	const no = "there is already a file, and it is not "
	for _, c := range []struct {
		name, content string
		kind          func(path string) output.Kind
		want          string
	}{
		{"m.npz", archive("mean.npy", "meta.json"), func(string) output.Kind { return output.ModelFile }, ""},
		{"other.npz", archive("mean.npy"), func(string) output.Kind { return output.ModelFile }, no + "a model"},
		{"text.npz", "a,b\n", func(string) output.Kind { return output.ModelFile }, no + "a model"},
		{"empty.npz", "", func(string) output.Kind { return output.ModelFile }, ""},
		{"notes.svg", "<svg></svg>", output.PictureFile, no + "a picture"},
		{"t.csv", "row,weight\n1,2\n", func(p string) output.Kind { return output.TableFile(p, rows) }, ""},
		{"id.csv", "id,row,weight,why\n", func(p string) output.Kind { return output.TableFile(p, rows) }, ""},
		{"other.csv", "row,price\n1,2\n", func(p string) output.Kind { return output.TableFile(p, rows) }, no + "a table of these columns"},
		{"t.tsv", "row\tweight\n1\t2\n", func(p string) output.Kind { return output.TableFile(p, rows) }, ""},
		{"commas.tsv", "row,weight\n", func(p string) output.Kind { return output.TableFile(p, rows) }, no},
		{"t.npz", archive("row.npy", "weight.npy"), func(p string) output.Kind { return output.TableFile(p, rows) }, ""},
		{"t.parquet", string(parquet), func(p string) output.Kind { return output.TableFile(p, rows) }, ""},
		{"other.parquet", string(parquet), func(p string) output.Kind { return output.TableFile(p, []string{"price"}) }, no},
		{"broken.parquet", "PAR1 and nothing", func(p string) output.Kind { return output.TableFile(p, rows) }, no},
		{"p.parquet", "PAR1", output.PerhapsTable, ""},
		{"q.parquet", "a,b", output.PerhapsTable, no + "a table"},
		{"p.json", " [1]", output.PerhapsTable, ""},
		{"q.json", "hello", output.PerhapsTable, no},
		{"p.csv", "\x00\x01", output.PerhapsTable, no},
		{"same.csv", "a,b\n1,2\n3,4\n", func(p string) output.Kind { return output.DataFile(p, set) }, ""},
		{"more.csv", "a,b\n1,2\n3,4\n5,6\n", func(p string) output.Kind { return output.DataFile(p, set) }, no + "what would be written"},
		{"less.csv", "a,b\n1,2\n", func(p string) output.Kind { return output.DataFile(p, set) }, no},
		{"names.csv", "a,b\n1,2\n3,4\n", func(p string) output.Kind { return output.DataFile(p, &named) }, no},
		{"scores.csv", "a,b\n9,9\n", func(p string) output.Kind { return output.ScoresFile(p, set) }, ""},
		{"labels.idx", "x", func(string) output.Kind { return output.LabelsFile }, no + "a file of labels"},
		{"r.json", `{"method": "pca", "rows": 3, "more": {}}`, func(string) output.Kind { return output.JSONFile(map[string]any{"method": "kmeans", "rows": 9}) }, ""},
		{"s.json", `{"name": "mine", "rows": 3}`, func(string) output.Kind { return output.JSONFile(map[string]any{"method": "kmeans", "rows": 9}) }, no},
		{"l.json", `[{"row": 1, "weight": 2}]`, func(string) output.Kind { return output.JSONFile([]map[string]any{{"row": 5, "weight": 1}}) }, ""},
	} {
		path := put(t, at(c.name), c.content)
		refused(t, c.name, (&output.Guard{}).MayReplace(path, c.kind(path)), c.want)
		refused(t, c.name+" by force", (&output.Guard{Force: true}).MayReplace(path, c.kind(path)), "")
	}
	// Compressed data are compared by what they unpack to.
	packed := at("same.csv.gz")
	if err := file.Write(packed, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	refused(t, "packed", (&output.Guard{}).MayReplace(packed, output.DataFile(packed, set)), "")
	refused(t, "packed", (&output.Guard{}).MayReplace(packed, output.DataFile(packed, set.Subset([]int{0}))), no)
}

// Columns of results are of one kind each, and one length, whatever stands in the table.
func TestTableColumns(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Name: "n"}, {Name: "x"}, {Name: "flag"}, {Name: "mixed"}}}
	for _, c := range output.TableColumns(table) {
		if c.Texts == nil || c.Len() != 0 {
			t.Errorf("a column without rows: %+v", c)
		}
	}
	table.Rows = [][]any{{1, 2, true, "a"}, {2, 2.5, false, 3}, {3, 1, true, 1.5}}
	want := []file.Column{
		{Name: "n", Integers: []int{1, 2, 3}}, {Name: "x", Numbers: []float64{2, 2.5, 1}}, {Name: "flag", Flags: []bool{true, false, true}}, {Name: "mixed", Texts: []string{"a", "3", "1.5"}},
	}
	if got := output.TableColumns(table); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if err := file.WriteTable(io.Discard, file.CSV, output.TableColumns(table)); err != nil {
		t.Error(err)
	}
}

func TestLeavings(t *testing.T) {
	var l output.Leavings
	for _, want := range []string{"nothing was written", "a.csv was written whole", "a.csv, b.csv were written whole"} {
		if got := l.Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if want == "nothing was written" {
			l.Add("a.csv")
			l.Add("a.csv")
		} else {
			l.Add("b.csv")
		}
	}
	l.Say("%d runs are kept", 3)
	if got := l.Text(); got != "3 runs are kept" {
		t.Errorf("%q", got)
	}
}

func TestInputsAreSpared(t *testing.T) {
	folder := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{folder}, names...)...) }
	data := put(t, at("data.csv"), "a\n1\n")
	os.Mkdir(at("faces"), 0o777)
	put(t, at("faces", "1.png"), "x")
	if err := os.Symlink(data, at("link.csv")); err != nil {
		t.Skip("no links here")
	}
	if err := os.Link(data, at("hard.csv")); err != nil {
		t.Skip("no links here")
	}
	g := &output.Guard{Force: true} // which does not allow it either
	g.Reads("", "-", data, at("faces"))
	for path, want := range map[string]string{
		data:                                "--out " + data + ": this is the input",
		at("link.csv"):                      "this is the input",
		at("hard.csv"):                      "this is the input",
		at("faces"):                         "this is the input",
		at("faces", "1.png"):                "this belongs to the input",
		at("faces", "..", "faces", "1.png"): "this belongs to the input",
		folder:                              "this belongs to the input", // would be replaced with all that is in it
		at("new.csv"):                       "",
		at("faces", "2.png"):                "this would stand in the input", // where it would be read next time
		at("faces", "new", "2.png"):         "this would stand in the input",
		"-":                                 "",
		"":                                  "",
	} {
		if path == folder {
			refused(t, path, g.SparesInputs("--out", path), want)
			continue
		}
		refused(t, path, g.Plans("--out", path, output.AnyFile), want)
	}
}

func TestTwoOutputsOfOneName(t *testing.T) {
	folder := t.TempDir()
	g := &output.Guard{}
	path := filepath.Join(folder, "a.csv")
	refused(t, "first", g.Plans("--out", path, output.AnyFile), "")
	refused(t, "again", g.Plans("--out", path, output.AnyFile), "")
	refused(t, "second", g.Plans("--truth", filepath.Join(folder, ".", "a.csv"), output.AnyFile), "--out and --truth both name")
	refused(t, "no folder", g.Plans("--plot", filepath.Join(folder, "none", "a.svg"), output.AnyFile), "folder")
}
