package file

import (
	"fmt"
	"testing"
)

// TestDecodeRuns: damaged runs are refused, never read past their end.
func TestDecodeRuns(t *testing.T) {
	got := make([]float64, 14)
	if err := decodeRuns(got, []byte{3 << 1, 1, 1<<1 | 1, 0b10000101, 9 << 1, 0}); err != nil || fmt.Sprint(got) != "[1 1 1 1 0 1 0 0 0 0 1 0 0 0]" {
		t.Errorf("%v %v", got, err)
	}
	for _, data := range [][]byte{{}, {0x80}, {6}, {6, 1}, {3}, {5, 1}, {0, 1, 0, 1}} {
		if err := decodeRuns(make([]float64, 14), data); err == nil {
			t.Errorf("%v is read", data)
		}
	}
}
