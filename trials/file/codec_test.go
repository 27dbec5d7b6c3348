package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// words is a format of names and numbers in words, one row per line.
var words = file.Codec{
	Name: "words", Endings: []string{".words"}, Magic: []string{"WORDS "},
	Read: func(in io.Reader) ([]string, iter.Seq2[[]float64, error], error) {
		lines := bufio.NewScanner(in)
		lines.Scan()
		names := strings.Fields(lines.Text())[1:]
		return names, func(yield func([]float64, error) bool) {
			for lines.Scan() {
				row := make([]float64, 0, len(names))
				for _, word := range strings.Fields(lines.Text()) {
					var v float64
					if _, err := fmt.Sscan(word, &v); err != nil {
						yield(nil, fmt.Errorf("%q is no number", word))
						return
					}
					row = append(row, v)
				}
				if !yield(row, lines.Err()) {
					return
				}
			}
		}, nil
	},
	Write: func(out io.Writer, columns []file.Column) error {
		names := []string{"WORDS"}
		for _, c := range columns {
			names = append(names, c.Name)
		}
		fmt.Fprintln(out, strings.Join(names, " "))
		for i := range columns[0].Len() {
			for _, c := range columns {
				fmt.Fprintf(out, "%v ", c.Numbers[i])
			}
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		return nil
	},
}

// A format is known until the program ends, so each is registered once.
var (
	registered = sync.OnceValue(func() error { return file.Register(words) })
	onlyRead   = sync.OnceValue(func() error {
		return file.Register(file.Codec{Name: "onlyread", Endings: []string{".onlyread"}, Read: words.Read})
	})
)

func registerWords(t *testing.T) {
	t.Helper()
	if err := registered(); err != nil {
		t.Fatal(err)
	}
}

// A program's own format is converted both ways, compressed, told by its content, divided into
// target and columns, read in blocks, limited, described.
func TestAFormatOfOnesOwn(t *testing.T) {
	registerWords(t)
	ctx, folder := context.Background(), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	set := &dataset.Set{X: mat.NewDense(600, 2, nil), Columns: []string{"a", "b"}, Target: &dataset.Target{Name: "y", Values: make([]float64, 600)}}
	for i := range 600 {
		set.X.SetRow(i, []float64{float64(i) / 3, -float64(i)})
		set.Target.Values[i] = float64(i * i)
	}
	if err := file.Write(at("a.words"), set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][2]string{{"a.words", "b.words.gz"}, {"b.words.gz", "c.parquet"}, {"c.parquet", "d.words"}} {
		got, err := file.Read(ctx, at(step[0]), file.Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.X, set.X) || !slices.Equal(got.Target.Values, set.Target.Values) || !slices.Equal(got.Columns, set.Columns) {
			t.Errorf("%s reads as something else", step[0])
		}
		if err := file.Write(at(step[1]), got, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(at("d.words"), at("anything")); err != nil {
		t.Fatal(err)
	}
	info, _, err := file.Inspect(ctx, at("anything"), file.Options{})
	if err != nil || info.Format != "words" || info.Rows != 600 || info.Columns[2].Max != 599*599 {
		t.Errorf("inspected: %+v, %v", info, err)
	}
	part, err := file.Read(ctx, at("anything"), file.Options{Target: "a", Columns: []string{"y", "b"}, Limit: 300})
	if err != nil || part.Rows() != 300 || part.X.At(299, 0) != 299*299 || part.X.At(299, 1) != -299 || part.Target.Values[299] != 299.0/3 {
		t.Errorf("a part of it: %+v, %v", part, err)
	}
	blocks := 0
	source, err := file.Open(at("anything"), file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if err := source.Scan(ctx, func(first int, block *mat.Dense) error { blocks++; return nil }); err != nil || blocks != 3 {
		t.Errorf("%d blocks, %v", blocks, err)
	}
	if !slices.Contains(file.Formats(), "words") || !slices.Contains(file.TableEndings(), ".words") || file.FormatOf("x.words") != "words" {
		t.Error("some list does not know the format")
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := file.Read(over, at("anything"), file.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Mistakes in a file of such a format are told with file and row, and what its reader panics with
// is an error.
func TestMistakesInAFormatOfOnesOwn(t *testing.T) {
	registerWords(t)
	ctx := context.Background()
	read := func(text string, opts file.Options) error {
		_, err := file.OpenReader(ctx, "f", strings.NewReader(text), opts)
		if err != nil {
			return err
		}
		opts.Input = strings.NewReader(text)
		_, err = file.Read(ctx, "-", opts)
		return err
	}
	for text, want := range map[string]string{
		"WORDS a b\n1 2\n3 four\n": `row 2: "four" is no number`,
		"WORDS a b\n1 2\n3\n":      "row 2: it has 1 numbers where 2 are expected",
		"WORDS a b\n1 NaN\n":       `row 1: column "b": the value is missing`,
		"WORDS a a\n1 2\n":         `a column is named "a"`,
		"WORDS \n":                 "the file has no columns",
		"WORDS a b\n":              "the file has no rows",
	} {
		var input *dataset.InputError
		if err := read(text, file.Options{}); !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := read("", file.Options{Format: "words"}); err == nil {
		t.Error("an empty file is read")
	}
	var fault *file.Fault
	if err := read("\n", file.Options{Format: "words"}); !errors.As(err, &fault) {
		t.Errorf("a reader that panics: %v", err)
	}
	set, err := file.Read(ctx, "-", file.Options{Input: strings.NewReader("WORDS a b\n1 NaN\n"), Missing: file.MissingKeep})
	if err != nil || !math.IsNaN(set.X.At(0, 1)) {
		t.Errorf("a missing number that is kept: %v", err)
	}
}

// What another format has already, or nobody can tell, is not registered.
func TestRegisterRefuses(t *testing.T) {
	registerWords(t)
	read := words.Read
	for what, c := range map[string]file.Codec{
		"no name":            {Read: read},
		"no reader":          {Name: "other"},
		"a name again":       {Name: "words", Read: read},
		"a known name":       {Name: file.CSV, Read: read},
		"an ending again":    {Name: "other", Endings: []string{".words"}, Read: read},
		"an ending of gzip":  {Name: "other", Endings: []string{".gz"}, Read: read},
		"no point":           {Name: "other", Endings: []string{"other"}, Read: read},
		"first bytes again":  {Name: "other", Magic: []string{"WORDS MORE"}, Read: read},
		"fewer of them":      {Name: "other", Magic: []string{"WO"}, Read: read},
		"Parquet's":          {Name: "other", Magic: []string{"PAR1"}, Read: read},
		"no bytes":           {Name: "other", Magic: []string{""}, Read: read},
		"compressed already": {Name: "other", Magic: []string{"\x1f\x8b"}, Read: read},
	} {
		if err := file.Register(c); err == nil {
			t.Errorf("%s is registered", what)
		}
	}
	if err := onlyRead(); err != nil {
		t.Fatal(err)
	}
	set := &dataset.Set{X: mat.NewDense(1, 1, nil), Columns: []string{"a"}}
	if err := file.Write(filepath.Join(t.TempDir(), "x.onlyread"), set, file.WriteOptions{}); err == nil || !strings.Contains(err.Error(), "only read") {
		t.Errorf("a format that is only read is written: %v", err)
	}
}
