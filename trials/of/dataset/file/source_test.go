package file

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
)

func TestDescribe(t *testing.T) {
	path := write(t, "a.csv", "size,colour,n\n1.5,red,1\nNA,blue,2\n4.5,,x3\n3,red,4\n5,red,5\n6,red,6\n7,red,7\n8,red,8\n")
	s, err := file.Open(path, file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if rows, columns := s.Dims(); rows != -1 || columns != 3 {
		t.Errorf("%d x %d", rows, columns)
	}
	info, err := s.Describe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := file.Info{Name: path, Format: file.CSV, Bytes: 85, Rows: 8, Header: true, Delimiter: ",", Columns: []file.ColumnInfo{
		{Name: "size", Kind: dataset.Number, Missing: 1, Min: 1.5, Max: 8, Mean: 5},
		{Name: "colour", Kind: dataset.Text, Missing: 1, Levels: []string{"blue", "red"}},
		{Name: "n", Kind: dataset.Number, Min: 1, Max: 8, Mean: 33.0 / 7, Wrong: 1, Example: "x3"},
	}}
	for k := range info.Columns {
		info.Columns[k].Mean = math.Round(info.Columns[k].Mean*1e9) / 1e9
	}
	want.Columns[2].Mean = math.Round(want.Columns[2].Mean*1e9) / 1e9
	want.Bytes = info.Bytes
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
}

// A coder that was learned on training rows, and kept as JSON, is applied to others.
func TestCoder(t *testing.T) {
	train := read(t, write(t, "train.csv", "c,n,y\nb,1,0\na,2,1\nb,3,0\n"), file.Options{Target: "y", Categorical: file.OneHot})
	stored, err := json.Marshal(train.Coder)
	if err != nil {
		t.Fatal(err)
	}
	coder := new(dataset.Coder)
	if err := json.Unmarshal(stored, coder); err != nil {
		t.Fatal(err)
	}
	opts := file.Options{Coder: coder, Columns: coder.Raw(train.Columns)}
	later := read(t, write(t, "later.csv", "extra,n,c\nzzz,7,a\n"), opts)
	if diff := cmp.Diff(train.Columns, later.Columns); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]float64{{1, 0, 7}}, rows(later)); diff != "" {
		t.Error(diff)
	}
	path := write(t, "new.csv", "n,c\n7,a\n8,d\n")
	_, err = file.Read(context.Background(), path, opts)
	var input *dataset.InputError
	if !errors.As(err, &input) || !strings.HasSuffix(err.Error(), `new.csv:3: column "c": category "d" was not among the training rows`) || input.Hint != "known are a, b" {
		t.Errorf("%v (%s)", err, input.Advice(flags))
	}
	opts.NewWords = true
	admitted := read(t, path, opts)
	if diff := cmp.Diff([]float64{1, 0, 7}, admitted.X.RawRowView(0)); diff != "" || admitted.NewWords(0) != nil {
		t.Error(diff)
	}
	if diff := cmp.Diff([]dataset.NewWord{{Column: "c", Word: "d"}}, admitted.NewWords(1)); diff != "" || admitted.X.At(1, 2) != 8 {
		t.Error(diff)
	}
	for _, wrong := range []*dataset.Coder{{Codings: []dataset.Coding{{Column: "c"}}}, {Codings: []dataset.Coding{{Column: "c", Levels: []string{"a", "a"}}}}, {Codings: []dataset.Coding{{Levels: []string{"a"}}}}} {
		if _, err := file.Open(path, file.Options{Coder: wrong}); !errors.As(err, &input) {
			t.Errorf("%v is accepted: %v", wrong, err)
		}
	}
}

func TestSelect(t *testing.T) {
	s := read(t, write(t, "a.csv", "a,b,c\n1,2,3\n"), file.Options{})
	got, err := s.Select([]string{"c", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{3, 1}, got.X.RawRowView(0)); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Select([]string{"a", "d", "e"}); err == nil || !strings.HasSuffix(err.Error(), "columns d, e are missing") {
		t.Error(err)
	}
	if same, err := s.Select(s.Columns); err != nil || same.X != s.X {
		t.Error("the same columns are copied", err)
	}
	// A model of a file without names takes as many columns by position.
	if got, err = s.Select([]string{"x1", "x2", "x3"}); err != nil || got.X.At(0, 2) != 3 {
		t.Error(err)
	}
	if _, err = s.Select([]string{"x1", "x2"}); err == nil {
		t.Error("two of three columns by position")
	}
	unnamed := read(t, write(t, "a.csv", "1,2\n"), file.Options{})
	if got, err = unnamed.Select([]string{"p", "q"}); err != nil || got.Columns[1] != "q" {
		t.Error(err)
	}
	if _, err = unnamed.Select([]string{"p"}); err == nil || !strings.Contains(err.Error(), "2 columns without names where 1 are expected") {
		t.Error(err)
	}
}

func TestTargets(t *testing.T) {
	many := make([]float64, 100)
	for i := range many {
		many[i] = float64(i % 21)
	}
	for name, c := range map[string]struct {
		values  []float64
		task    dataset.Task
		classes []string
	}{
		"two":        {[]float64{3, 1, 3}, dataset.TaskAuto, []string{"1", "3"}},
		"fractions":  {[]float64{0.5, 1, 0.5}, dataset.TaskAuto, nil},
		"asked":      {[]float64{0.5, 1, 0.5}, dataset.TaskClass, []string{"0.5", "1"}},
		"regression": {[]float64{3, 1, 3}, dataset.TaskRegression, nil},
		"counts":     {[]float64{3, 1, 4, 5, 9}, dataset.TaskAuto, nil},
		"too many":   {many, dataset.TaskAuto, nil},
	} {
		got := dataset.NumberTarget("y", c.values, c.task)
		if diff := cmp.Diff(c.classes, got.Classes); diff != "" || (got.Labels == nil) != (c.classes == nil) {
			t.Errorf("%s: %s", name, diff)
		}
	}
	target := dataset.ClassTarget("y", []string{"b", "10", "b"})
	if err := target.Match([]string{"b", "c", "10"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{0, 2, 0}, target.Labels); diff != "" {
		t.Error(diff)
	}
	if err := target.Match([]string{"b", "c"}); err == nil || !strings.Contains(err.Error(), `class "10" is not among the model's classes b, c`) {
		t.Error(err)
	}
}

func TestLabelsFiles(t *testing.T) {
	folder := t.TempDir()
	images := "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01ab"
	put(t, images, folder, "p-images.idx3")
	put(t, images, folder, "alone-images.idx3")
	put(t, "\x00\x00\x08\x01\x00\x00\x00\x02\x05\x06", folder, "p-labels.idx1")
	put(t, "cat\ndog\n", folder, "names.txt")
	put(t, "\x00\x00\x08\x01\x00\x00\x00\x03\x05\x06\x07", folder, "three.idx")
	path := filepath.Join(folder, "p-images.idx3")
	if s := read(t, path, file.Options{}); s.Target != nil {
		t.Error("labels although nobody asked")
	}
	if s := read(t, path, file.Options{Target: "label"}); s.Target.Values[1] != 6 {
		t.Errorf("%v", s.Target)
	}
	if s := read(t, path, file.Options{LabelsFile: filepath.Join(folder, "names.txt")}); s.Target.Class(1) != "dog" {
		t.Errorf("%v", s.Target)
	}
	for want, opts := range map[string]file.Options{
		"there are 2 samples but 3 labels": {LabelsFile: filepath.Join(folder, "three.idx")},
		"there is no such file":            {LabelsFile: filepath.Join(folder, "none")},
		"labels must be one column, not 3": {LabelsFile: write(t, "wide.csv", "1,2,3\n4,5,6\n")},
	} {
		if _, err := file.Read(context.Background(), path, opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := file.Read(context.Background(), filepath.Join(folder, "alone-images.idx3"), file.Options{Target: "label"})
	if err == nil || !strings.Contains(err.Error(), "alone-labels.idx1") {
		t.Error(err)
	}
}

func TestInspect(t *testing.T) {
	info, set, err := file.Inspect(context.Background(), fixture.Path(t, "holes.parquet"), file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, c := range info.Columns {
		told = append(told, fmt.Sprintf("%s %s %d %v %q %s", c.Name, c.Kind, c.Missing, c.Max, c.Levels, c.Problem))
	}
	want := []string{
		`a number 1 3 [] `, `u number 0 4e+09 [] `, `d number 0 3 [] `,
		`when number 0 0 [] the column holds times, not numbers`,
		`list number 0 0 [] the column holds lists or groups, not numbers`,
		`t text 1 0 ["x" "y"] `,
	}
	if diff := cmp.Diff(want, told); diff != "" || info.Rows != 3 || set != nil {
		t.Error(diff, info.Rows, set)
	}
	if _, _, err := file.Inspect(context.Background(), fixture.Path(t, "holes.parquet"), file.Options{Target: "nobody"}); err == nil {
		t.Error("a target that is not there")
	}
	images := t.TempDir()
	put(t, "P2 1 1 255 7", images, "1.pgm")
	put(t, "P2 1 1 255 9", images, "2.pgm")
	info, set, err = file.Inspect(context.Background(), images, file.Options{})
	if err != nil || info.Bytes != 24 || set.Rows() != 2 {
		t.Error(err, info.Bytes, set)
	}
}
