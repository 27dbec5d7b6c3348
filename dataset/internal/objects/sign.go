package objects

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// nothing is the digest of an empty body.
const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign adds the signature of version 4 (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), unless nobody asks.
func (s *store) sign(r *http.Request, now time.Time) {
	if s.id == "" {
		return
	}
	second := now.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Content-Sha256", nothing)
	r.Header.Set("X-Amz-Date", second)
	if s.ticket != "" {
		r.Header.Set("X-Amz-Security-Token", s.ticket)
	}
	names, values := []string{"host"}, map[string]string{"host": r.Host}
	for name, v := range r.Header {
		name = strings.ToLower(name)
		names, values[name] = append(names, name), strings.Join(v, ",")
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(r.Method + "\n" + r.URL.EscapedPath() + "\n" + r.URL.RawQuery + "\n")
	for _, name := range names {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	signed := strings.Join(names, ";")
	b.WriteString("\n" + signed + "\n" + nothing)
	scope := second[:8] + "/" + s.region + "/s3/aws4_request"
	digest := sha256.Sum256([]byte(b.String()))
	key := []byte("AWS4" + s.key)
	for _, part := range append(strings.Split(scope, "/"), "AWS4-HMAC-SHA256\n"+second+"\n"+scope+"\n"+hex.EncodeToString(digest[:])) {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(part))
		key = m.Sum(nil)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+s.id+"/"+scope+",SignedHeaders="+signed+",Signature="+hex.EncodeToString(key))
}

// escaped is a text as signatures want it: all but letters, digits and -._~ by their codes, slashes of a path as they are.
func escaped(text string, path bool) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 || path && c == '/' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteString(strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// canonical is a query in the order and writing of signatures.
func canonical(query url.Values) string {
	var parts []string
	for name, values := range query {
		parts = append(parts, escaped(name, false)+"="+escaped(values[0], false))
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}
