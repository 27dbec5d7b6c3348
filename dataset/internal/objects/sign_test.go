package objects

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSign compares with the examples that Amazon publishes for signatures of version 4, "GET Object" and "GET Bucket (List Objects)".
func TestSign(t *testing.T) {
	s := &store{region: "us-east-1", id: "AKIAIOSFODNN7EXAMPLE", key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	for _, c := range []struct{ url, span, want string }{
		{"https://examplebucket.s3.amazonaws.com/test.txt", "bytes=0-9", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		r, err := http.NewRequest("GET", c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = r.URL.Host
		if c.span != "" {
			r.Header.Set("Range", c.span)
		}
		s.sign(r, time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC))
		if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+c.want) || strings.Contains(got, s.key) {
			t.Errorf("%s: %s", c.url, got)
		}
	}
}
