package server

import (
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A form with a file in it, and a part of a file, are not taken for the file.
func TestWrappedFiles(t *testing.T) {
	_, c := began(t, server.Options{})
	form := "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\n1,2\n\r\n--xx--\r\n"
	for _, path := range []string{"/api/v1/uploads?name=a.csv", "/api/v1/models"} {
		if code, text, _ := c.do("POST", path, "Multipart/Form-Data; boundary=xx", []byte(form)); code != 422 {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	c.headers["Content-Range"] = "bytes 0-7/900"
	if code, text, _ := c.do("POST", "/api/v1/uploads?name=a.csv", "text/csv", []byte("a,b\n1,2\n")); code != 422 {
		t.Errorf("%d %s", code, text)
	}
	delete(c.headers, "Content-Range")
	var none []server.Upload
	if c.must(200, "GET", "/api/v1/uploads", nil, &none); len(none) > 0 {
		t.Errorf("%+v", none)
	}
}
