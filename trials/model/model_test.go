package model

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/model"
)

// kept is a model that is nothing but its state.
type kept struct{ state catalog.State }

func (k kept) Describe() catalog.Description { return k.state.Description }
func (k kept) State() catalog.State          { return k.state }

func example() kept {
	return kept{catalog.State{
		Description: catalog.Description{
			Method: "imagined", Family: "pca", Task: catalog.Reduce, Rows: 4, Columns: 3,
			Parameters: map[string]string{"components": "2", "sigma": "0.25"}, Loss: "welsch:sigma=0.25",
			Status: "converged", Steps: 2, Objective: 0.125, Effective: 3.5, Outliers: 1, Seed: 7,
			ColumnNames: []string{"a", "b", "c"}, Shape: []int{3, 1}, Warnings: []string{"careful"},
			Numbers: map[string]any{"explained": []any{0.5, 0.25}},
		},
		Arrays: map[string]catalog.Array{
			"mean":       archive.Vector([]float64{1, 2, math.Pi}),
			"components": {Shape: []int{2, 3}, Data: []float64{1, 0, 0, 0, 1, 0}},
			"weights":    archive.Vector([]float64{1, 1, 0.5, 1e-300}),
			"empty":      archive.Vector([]float64{}),
		},
		Extra: map[string]any{"note": "x", "cut": 1.5, "deep": map[string]any{"list": []any{"p", 2.0}}},
	}}
}

var exampleInput = model.Input{Unnamed: true, Coder: &dataset.Coder{Codings: []dataset.Coding{{Column: "a", Levels: []string{"x", "y"}}}}}

// ignoreInput leaves out what the file says of how rows are read.
var ignoreInput = cmpopts.IgnoreFields(archive.State{}, "Input")

func written(t testing.TB, m catalog.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := model.Write(&b, m, exampleInput); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readBytes(b []byte) (*model.Contents, error) {
	return model.Read(bytes.NewReader(b), int64(len(b)), "m.npz")
}

func TestRoundTrip(t *testing.T) {
	m := example()
	b := written(t, m)
	c, err := readBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.state, c.State(), ignoreInput); diff != "" {
		t.Errorf("the state changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(exampleInput, c.Input); diff != "" {
		t.Errorf("the input changed (-before +after):\n%s", diff)
	}
	if again := written(t, m); !bytes.Equal(b, again) {
		t.Error("the same model gives different bytes")
	}
	if c.Meta.ProgramVersion == "" || c.Meta.FormatVersion != archive.FormatVersion {
		t.Errorf("program %q, format %d", c.Meta.ProgramVersion, c.Meta.FormatVersion)
	}
}

func TestObjectiveThatIsNoNumber(t *testing.T) {
	m := example()
	m.state.Description.Objective = math.NaN()
	m.state.Description.Numbers = map[string]any{"a": math.Inf(1), "b": []float64{1, math.NaN()}, "c": []any{math.NaN()}}
	c, err := readBytes(written(t, m))
	if err != nil {
		t.Fatal(err)
	}
	want := m.state.Description
	want.Numbers = map[string]any{"a": nil, "b": []any{1.0, nil}, "c": []any{nil}}
	if diff := cmp.Diff(want, c.State().Description, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
}

func TestSaveRefusesWhatLoadWould(t *testing.T) {
	for name, spoil := range map[string]func(*catalog.State){
		"not finite": func(s *catalog.State) { s.Arrays["mean"] = archive.Vector([]float64{math.NaN()}) },
		"shape":      func(s *catalog.State) { s.Arrays["mean"] = catalog.Array{Shape: []int{2}, Data: []float64{1}} },
		"name":       func(s *catalog.State) { s.Arrays["../mean"] = archive.Vector(nil) },
		"method":     func(s *catalog.State) { s.Description.Method = "" },
		"extra":      func(s *catalog.State) { s.Extra["bad"] = math.Inf(1) },
		"sample":     func(s *catalog.State) { s.Description.Shape, s.Description.Columns = []int{-2, -3}, 6 },
		"columns":    func(s *catalog.State) { s.Description.ColumnNames, s.Description.Columns = []string{"a"}, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			m := example()
			spoil(&m.state)
			path := filepath.Join(t.TempDir(), "m.npz")
			if err := model.Save(path, m); err == nil {
				t.Error("saved without complaint")
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a file was written")
			}
		})
	}
}

// refused checks that err is a complaint about the named file with these words.
func refused(t *testing.T, err error, path string, words ...string) {
	t.Helper()
	var typed *archive.FileError
	if !errors.As(err, &typed) {
		t.Fatalf("error is %v, want a *archive.FileError", err)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
		t.Errorf("message %q must be one line and name %s", err, path)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("message %q lacks %q", err, w)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	whole := written(t, example())
	dir := t.TempDir()
	put := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		path  string
		words string
	}{
		{filepath.Join(dir, "nowhere.npz"), "no such file"},
		{dir, "directory"},
		{put("empty.npz", nil), "empty"},
		{put("table.csv", []byte("a,b\n1,2\n")), "not an Inlier model"},
		{put("half.npz", whole[:len(whole)/2]), "cut off"},
		{put("text.npz", rezip(t, whole, "meta.json", func([]byte) []byte { return []byte("hello") })), "not an Inlier model"},
		{put("other.npz", rezip(t, whole, "meta.json", func([]byte) []byte { return []byte(`{"format":"x"}`) })), "not an Inlier model"},
		{put("nometa.npz", rezip(t, whole, "meta.json", func([]byte) []byte { return nil })), "no meta.json"},
		{put("newer.npz", edit(t, whole, `"format_version": 1`, `"format_version": 2`)), "newer program"},
		{put("older.npz", edit(t, whole, `"format_version": 1`, `"format_version": 0`)), "does not exist"},
		{put("fields.npz", edit(t, whole, `"rows": 4`, `"rows": "four"`)), "fields"},
		{put("names.npz", edit(t, whole, `"columns": 3`, `"columns": 5`)), "3 names for 5 columns"},
		{put("negative.npz", edit(t, whole, `"rows": 4`, `"rows": -4`)), "negative"},
		{put("nomethod.npz", edit(t, whole, `"method": "imagined"`, `"method": ""`)), "no method"},
		{put("checksum.npz", edit(t, whole, "sha256:", "sha256:00")), "checksum"},
		{put("flipped.npz", rezip(t, whole, "mean.npy", func(b []byte) []byte { b[len(b)-3] ^= 1; return b })), "checksum"},
		{put("nan.npz", rezip(t, whole, "mean.npy", func(b []byte) []byte { copy(b[len(b)-8:], "\x01\x00\x00\x00\x00\x00\xf0\x7f"); return b })), "NaN"},
		{put("missing.npz", rezip(t, whole, "mean.npy", func([]byte) []byte { return nil })), "missing"},
		{put("shape.npz", rezip(t, whole, "mean.npy", func(b []byte) []byte { return bytes.Replace(b, []byte("(3,)"), []byte("(1,)"), 1) })), "damaged"},
		{put("claim.npz", rezip(t, whole, "mean.npy", func(b []byte) []byte {
			return bytes.Replace(b, []byte("(3,), }            "), []byte("(1300000000000,), }"), 1)
		})), "claims"},
		{put("alien.npz", whole), "imagined"},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			_, err := model.Load(c.path)
			refused(t, err, c.path, c.words)
		})
	}
}

func TestEveryCutAndEveryBitIsNoticed(t *testing.T) {
	whole := written(t, example())
	for n := range whole {
		if _, err := readBytes(whole[:n]); err == nil {
			t.Fatalf("a file cut to %d of %d bytes is accepted", n, len(whole))
		}
	}
	// A flipped bit may hit what does not matter (padding, time stamps); then the
	// state must be the same.
	want := example().state
	for n := range whole {
		b := bytes.Clone(whole)
		b[n] ^= 0x10
		if c, err := readBytes(b); err == nil {
			if diff := cmp.Diff(want, c.State(), ignoreInput); diff != "" {
				t.Fatalf("a change of byte %d went unnoticed:\n%s", n, diff)
			}
		}
	}
}

func TestSaveIsAtomicAndNamesTheTarget(t *testing.T) {
	dir := t.TempDir()
	refused(t, model.Save(dir, example()), dir, "directory")
	gone := filepath.Join(dir, "none", "m.npz")
	refused(t, model.Save(gone, example()), gone, "does not exist")
	path := filepath.Join(dir, "m.npz")
	if err := model.Save(path, example()); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Inspect(path); err != nil {
		t.Error(err)
	}
}

// edit replaces text in meta.json.
func edit(t testing.TB, whole []byte, old, new string) []byte {
	t.Helper()
	return rezip(t, whole, "meta.json", func(b []byte) []byte {
		if !bytes.Contains(b, []byte(old)) {
			t.Fatalf("meta.json has no %q:\n%s", old, b)
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	})
}

// rezip writes the archive again with one member changed, or left out for nil.
func rezip(t testing.TB, whole []byte, member string, change func([]byte) []byte) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == member {
			if b = change(b); b == nil {
				continue
			}
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestNumPyOpensIt(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("python3 has no numpy here")
	}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := model.Save(path, example()); err != nil {
		t.Fatal(err)
	}
	const script = `
import sys, json, hashlib, struct, numpy
m = numpy.load(sys.argv[1])
meta = json.loads(m["meta.json"])
h = hashlib.sha256()
for name in sorted(meta["arrays"]):
    a = m[name]
    assert a.dtype == numpy.float64 and a.flags.c_contiguous and list(a.shape) == meta["arrays"][name], name
    h.update(struct.pack("<Q", len(name)) + name.encode() + struct.pack("<Q", a.ndim))
    h.update(struct.pack("<%dQ" % a.ndim, *a.shape) + a.tobytes())
assert meta["checksum"] == "sha256:" + h.hexdigest()
print(meta["method"], m["mean"][2], m["components"].shape)
`
	out, err := exec.Command(python, "-c", script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := strings.TrimSpace(string(out)), "imagined 3.141592653589793 (2, 3)"; got != want {
		t.Errorf("NumPy saw %q, want %q", got, want)
	}
}
