package file

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// toyTable is all that a simple format needs to be read: it keeps its rows in memory.
type toyTable struct {
	columns []field
	x       []float64
}

func (t *toyTable) fields() []field                    { return t.columns }
func (t *toyTable) named() bool                        { return true }
func (t *toyTable) label() *field                      { return nil }
func (t *toyTable) shape() []int                       { return nil }
func (t *toyTable) rows() (int, bool)                  { return len(t.x) / len(t.columns), true }
func (t *toyTable) bound(context.Context) (int, error) { return len(t.x) / len(t.columns), nil }
func (t *toyTable) close() error                       { return nil }

func (t *toyTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	d := len(t.columns)
	for first := 0; first < len(t.x)/d; first++ {
		c, row := newChunk(), t.x[first*d:(first+1)*d]
		c.first = first
		c.room(job, first, 1)
		for p, f := range job.features {
			c.x[p] = row[f]
		}
		if job.target >= 0 {
			c.y = []float64{row[job.target]}
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}

// toy is a format of names and hexadecimal numbers, one row per line, after the word TOY1.
var toy = driver{
	name: "toy", endings: []string{".toy"}, magic: []string{"TOY1\n"}, named: true,
	open: func(f *content, _ *Options) (table, error) {
		in, err := f.open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		lines := bufio.NewScanner(in)
		t := &toyTable{}
		for number := 1; lines.Scan(); number++ {
			for _, word := range strings.Fields(lines.Text()) {
				if number < 3 {
					if number == 2 {
						t.columns = append(t.columns, field{name: word, kind: dataset.Number})
					}
					continue
				}
				v, err := strconv.ParseFloat(word, 64)
				if err != nil {
					return nil, &dataset.InputError{File: f.name, Line: number, Problem: quote([]byte(word)) + " is not a number"}
				}
				t.x = append(t.x, v)
			}
		}
		return t, lines.Err()
	},
	write: func(w io.Writer, _ string, s *dataset.Set) error { return writeToy(w, setColumns(s)) },
	table: writeToy,
}

func writeToy(w io.Writer, columns []Column) error {
	fmt.Fprint(w, "TOY1\n")
	for _, c := range columns {
		fmt.Fprint(w, c.Name, " ")
	}
	for i := range columns[0].Len() {
		fmt.Fprintln(w)
		for _, c := range columns {
			fmt.Fprintf(w, "%x ", c.Numbers[i])
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// A new format is one driver and its line in the table: everything else follows.
func TestAFormatIsOneDriver(t *testing.T) {
	before := known.Load()
	more := append(slices.Clone(*before), &toy)
	known.Store(&more)
	defer known.Store(before)
	ctx, folder := context.Background(), t.TempDir()
	set := &dataset.Set{X: mat.NewDense(300, 2, nil), Columns: []string{"a", "b"}, Target: &dataset.Target{Name: "y", Values: make([]float64, 300)}}
	for i := range 300 {
		set.X.SetRow(i, []float64{float64(i) / 3, -float64(i)})
		set.Target.Values[i] = float64(i * i)
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, step := range [][2]string{{"a.csv", "b.toy"}, {"b.toy", "c.toy.gz"}, {"c.toy.gz", "d.parquet"}} { // converts both ways
		if step[0] == "a.csv" {
			if err := Write(at(step[0]), set, WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Read(ctx, at(step[0]), Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.X, set.X) || !slices.Equal(got.Target.Values, set.Target.Values) || !slices.Equal(got.Columns, set.Columns) {
			t.Errorf("%s reads as something else", step[0])
		}
		if err := Write(at(step[1]), got, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	os.Rename(at("b.toy"), at("anything")) // told by its content
	info, again, err := Inspect(ctx, at("anything"), Options{})
	if err != nil || info.Format != "toy" || info.Rows != 300 || info.Columns[2].Max != 299*299 || again.Dim() != 3 {
		t.Errorf("inspected: %+v, %v", info, err)
	}
	if err := os.WriteFile(at("bad.toy"), []byte("TOY1\na b\n0x1p+1 nine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(ctx, at("bad.toy"), Options{}); err == nil || !strings.Contains(err.Error(), `bad.toy:3: "nine" is not a number`) {
		t.Errorf("a wrong file: %v", err)
	}
	// Lists and tables of results know it too.
	if !slices.Contains(Formats(), "toy") || !slices.Contains(TableEndings(), ".toy") || FormatOf("x.toy") != "toy" || !Format("toy").NamesRows() {
		t.Error("some list does not know the format")
	}
	if err := WriteTableFile(t.Context(), at("r.toy"), setColumns(set)); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(at("r.toy"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got := TableColumns(at("r.toy"), in, 1<<20); !slices.Equal(got, []string{"a", "b", "y"}) || !MayBeTable(at("r.toy"), []byte("TOY1\n")) || MayBeTable(at("r.toy"), []byte("a,b\n")) {
		t.Errorf("columns of a table of results: %q", got)
	}
	if _, _, err := writerOf("x.nothing", ""); err == nil || !strings.Contains(err.(*dataset.InputError).Advice(flags), ".libsvm .toy;") {
		t.Errorf("the hint does not list it: %v", err)
	}
}

// No two formats claim the same ending, and what a format writes is told as that format.
func TestDriversAreApart(t *testing.T) {
	seen := map[string]Format{}
	for _, d := range drivers() {
		for _, e := range d.endings {
			if other, ok := seen[e]; ok {
				t.Errorf("%s and %s both claim %s", other, d.name, e)
			}
			seen[e] = d.name
		}
		if d.open == nil || d.write == nil || d.name.driver() != d {
			t.Errorf("%s cannot be read or written", d.name)
		}
		if d.writeFolder != nil || d.lined {
			continue
		}
		var b strings.Builder
		set := &dataset.Set{X: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Columns: []string{"a", "b"}}
		if err := d.write(&b, "x", set); err != nil {
			t.Fatal(err)
		}
		if got, err := detect(&content{head: []byte(b.String()), whole: true}); err != nil || got != d {
			t.Errorf("what %s writes is told as %v: %v", d.name, got, err)
		}
	}
}
