// Package inflate unpacks what is packed by deflate: by the standard library, or by a faster
// reader where a program links one anyway. Reading a model thus costs no module.
package inflate

import (
	"compress/flate"
	"io"
)

// Reader makes a reader of packed bytes. Package dataset/file puts its own here before main
// begins; nothing changes it later.
var Reader func(io.Reader) io.ReadCloser = flate.NewReader
