package file

import (
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file below a folder and makes the folders on the way.
func put(t testing.TB, content string, path ...string) {
	t.Helper()
	full := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// encode makes an image file of any kind.
func encode(t testing.TB, kind string, m image.Image) string {
	t.Helper()
	var b strings.Builder
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 100})
	case "gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
