package archive

import "testing"

// The checksum is fixed for ever; this value was computed with Python:
//
//	import hashlib, struct
//	h = hashlib.sha256()
//	for name, shape, data in [("a", (2, 1), (1.5, -2.0)), ("b", (0,), ())]:
//	    h.update(struct.pack("<Q", len(name)) + name.encode() + struct.pack("<Q", len(shape)))
//	    h.update(struct.pack("<%dQ" % len(shape), *shape) + struct.pack("<%dd" % len(data), *data))
//	print(h.hexdigest())
func TestChecksumIsTheDocumentedOne(t *testing.T) {
	got := checksum(map[string]Array{
		"b": {Shape: []int{0}},
		"a": {Shape: []int{2, 1}, Data: []float64{1.5, -2}},
	})
	if want := "sha256:43f6ec399cf52c5b28f22fae2bdad4ea383059e8828d662fe7a51dc683c3d7c1"; got != want {
		t.Errorf("checksum is %s, want %s", got, want)
	}
}
