package words

import (
	"testing"

	"github.com/inlier-ml/inlier/internal/words"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"4096": 4096, "12b": 12, "64k": 65536, "64 KiB": 65536, "256MiB": 256 << 20, "1.5GB": 1500000000, "2g": 2 << 30, "1TiB": 1 << 40} {
		if got, ok := words.ParseSize(text); !ok || got != want {
			t.Errorf("%q is %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1x", "1kmiB", "many", "1e99", "9999999TiB", "NaN"} {
		if got, ok := words.ParseSize(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// Sizes are written in units that reading them back understands alike.
func TestSizesAreReadBack(t *testing.T) {
	for _, bytes := range []int64{3 << 10, 256 << 20, 5 << 30} {
		if got, ok := words.ParseSize(words.Size(bytes)); !ok || got != bytes {
			t.Errorf("%d bytes are %q, which is %d", bytes, words.Size(bytes), got)
		}
	}
}
