package file

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"testing"
)

// Written by pyarrow: 100 rows in groups of 60, truth values as runs, decimals of 64 bits, nanoseconds; with pages of the
// first form and snappy, and of the second and zstd.
var runFiles = []string{
	"UEFSMRUAFRgVHCwVeBUGFQYVBhwAAAAMLAgAAAAoASIAKAEGABUAFT4VQCwVeBUGFQYVBhwAAAAfKA0AAAAF978SAQf+AQY8AwIKAAAAGAAcARgAHgECABUAFTAVNCwVeBUKFQYVBhwAAAAYXAIAAAB4AYACBDyS2u/CnuX5kAICAAAAABUAFTgVPCwVeBUKFQYVBhwAAAAcbAIAAAB4AYACBDyAqOaAxLWzyS2AqNa5BwAAAAAVABUUFRgsFVAVBhUGFQYcAAAACiQGAAAAHAAoAQwAFQAVKhUuLBVQFQYVBhUGHAAAABVQBwAAABIBCf73v38GAAAAFAAeARgAFQAVMBU0LBVQFQoVBhUGHAAAABhcAgAAAFABgAIEKIrb78Ke5fmQAgIAAAAAFQAVOBU8LBVQFQoVBhUGHAAAABxsAgAAAFABgAIEKICIoYWDubPJLYCo1rkHAAAAABUEGVw1ABgGc2NoZW1hFQgAFQAlABgEZmxhZwAVACUCGAVtYXliZQAVBCUCGAVjZW50cyUKFQgVJCxcFQgVJAAAABUEJQIYAmF0bIwSHDwAAAAAABbIARksGUwmABwVABkVBhkYBGZsYWcVAhZ4Fj4WQiYISRwVABUGFQIAAAAmABwVABkVBhkYBW1heWJlFQIWeBZkFmYmSkkcFQAVBhUCADwpBhkmDGwAAAAmABwVBBklBgoZGAVjZW50cxUCFngWVhZaJrABSRwVABUKFQIAPCkGGSYAeAAAACYAHBUEGSUGChkYAmF0FQIWeBZeFmImigJJHBUAFQoVAgA8KQYZJgB4AAAAFtYCFngmCBbkAgAZTCYAHBUAGRUGGRgEZmxhZxUCFlAWOhY+JuwCSRwVABUGFQIAAAAmABwVABkVBhkYBW1heWJlFQIWUBZQFlQmqgNJHBUAFQYVAgA8KQYZJgZKAAAAJgAcFQQZJQYKGRgFY2VudHMVAhZQFlYWWib+A0kcFQAVChUCADwpBhkmAFAAAAAmABwVBBklBgoZGAJhdBUCFlAWXhZiJtgESRwVABUKFQIAPCkGGSYAUAAAABa+AhZQJuwCFs4CACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZTBwAABwAABwAABwAAAD/AQAAUEFSMQ==",
	"UEFSMRUGFRgVGFwVeBUAFXgVBhUAFQASHAAAAAgAAAAoASIAKAEGABUGFTYVNlwVeBUMFXgVBhUaFQASHAAAAAX3vxIBB/73vxIBAwIKAAAAGAAcARgAHgECABUGFSgVKFwVeBUAFXgVChUEFQASHAAAAHgBgAIEPJLa78Ke5fmQAgIAAAAAFQYVMBUwXBV4FQAVeBUKFQQVABIcAAAAeAGAAgQ8gKjmgMS1s8ktgKjWuQcAAAAAFQYVFBUUXBVQFQAVUBUGFQAVABIcAAAABgAAABwAKAEMABUGFSIVIlwVUBUGFVAVBhUOFQASHAAAABIBCf73v38GAAAAFAAeARgAFQYVKBUoXBVQFQAVUBUKFQQVABIcAAAAUAGAAgQoitvvwp7l+ZACAgAAAAAVBhUwFTBcFVAVABVQFQoVBBUAEhwAAABQAYACBCiAiKGFg7mzyS2AqNa5BwAAAAAVBBlcNQAYBnNjaGVtYRUIABUAJQAYBGZsYWcAFQAlAhgFbWF5YmUAFQQlAhgFY2VudHMlChUIFSQsXBUIFSQAAAAVBCUCGAJhdGyMEhw8AAAAAAAWyAEZLBlMJgAcFQAZFQYZGARmbGFnFQwWeBZIFkgmCEkcFQAVBhUCAAAAJgAcFQAZFQYZGAVtYXliZRUMFngWZhZmJlBJHBUAFQYVAgA8KQYZJgxsAAAAJgAcFQQZJQYKGRgFY2VudHMVDBZ4FlgWWCa2AUkcFQAVChUCADwpBhkmAHgAAAAmABwVBBklBgoZGAJhdBUMFngWYBZgJo4CSRwVABUKFQIAPCkGGSYAeAAAABbmAhZ4JggW5gIAGUwmABwVABkVBhkYBGZsYWcVDBZQFkQWRCbuAkkcFQAVBhUCAAAAJgAcFQAZFQYZGAVtYXliZRUMFlAWUhZSJrIDSRwVABUGFQIAPCkGGSYGSgAAACYAHBUEGSUGChkYBWNlbnRzFQwWUBZYFlgmhARJHBUAFQoVAgA8KQYZJgBQAAAAJgAcFQQZJQYKGRgCYXQVDBZQFmAWYCbcBEkcFQAVChUCADwpBhkmAFAAAAAWzgIWUCbuAhbOAgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGUwcAAAcAAAcAAAcAAAA/wEAAFBBUjE=",
}

// TestParquetOfAnotherWriter: every cell is what was written, to the last digit.
func TestParquetOfAnotherWriter(t *testing.T) {
	for k, text := range runFiles {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		source, err := OpenReader(context.Background(), "rows", bytes.NewReader(data), Options{Missing: MissingKeep, Times: []string{"at"}})
		if err != nil {
			t.Fatal(err)
		}
		set, err := source.Read(context.Background())
		source.Close()
		if err != nil || set.Rows() != 100 {
			t.Fatal(err, set)
		}
		for i := range 100 {
			flag, other := i%37 < 20, i%29 > 12
			maybe := truth(&other)
			if i%11 == 3 {
				maybe = math.NaN()
			}
			cents, _ := big.NewRat(76829014742660000+745+int64(i), 10000).Float64()
			want := []float64{truth(&flag), maybe, cents, 1641956609 + float64(i)}
			if got := set.X.RawRowView(i); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("file %d row %d is %v, want %v", k, i, got, want)
			}
		}
	}
}

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
