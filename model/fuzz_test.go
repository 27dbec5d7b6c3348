package model

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzRead feeds arbitrary bytes to the loader: it must refuse or succeed, never panic,
// and what it accepts must survive being written and read again.
func FuzzRead(f *testing.F) {
	whole := written(f, example())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte{})
	f.Add(edit(f, whole, `"format_version": 1`, `"format_version": 9`))
	f.Add(edit(f, whole, `"columns": 3`, `"columns": 9223372036854775807`))
	f.Add(edit(f, whole, `"arrays": {`, `"arrays": {"huge": [4611686018427387904, 2],`))
	f.Add(rezip(f, whole, "mean.npy", func(b []byte) []byte {
		return bytes.Replace(b, []byte("(3,), }            "), []byte("(1300000000000,), }"), 1)
	}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := readBytes(b)
		if err != nil {
			refused(t, err, "m.npz")
			return
		}
		if _, err := c.Model(); err != nil {
			refused(t, err, "m.npz")
		}
		again, err := readBytes(written(t, kept{c.State()}))
		if err != nil {
			t.Fatalf("accepted once, refused after writing: %v", err)
		}
		if diff := cmp.Diff(c.State(), again.State(), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("state changed:\n%s", diff)
		}
	})
}
