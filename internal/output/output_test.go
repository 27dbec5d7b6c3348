package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	g := &Guard{Force: true} // which does not allow it either
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
		refused(t, path, g.Plans("--out", path, AnyFile), want)
	}
}

func TestTwoOutputsOfOneName(t *testing.T) {
	folder := t.TempDir()
	g := &Guard{}
	path := filepath.Join(folder, "a.csv")
	refused(t, "first", g.Plans("--out", path, AnyFile), "")
	refused(t, "again", g.Plans("--out", path, AnyFile), "")
	refused(t, "second", g.Plans("--truth", filepath.Join(folder, ".", "a.csv"), AnyFile), "--out and --truth both name")
	refused(t, "no folder", g.Plans("--plot", filepath.Join(folder, "none", "a.svg"), AnyFile), "folder")
}
