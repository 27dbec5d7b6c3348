package objects

import (
	"context"
	"encoding/xml"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// mostListed bounds how many names are looked through for a pattern, and mostAnswer the bytes of an answer with a thousand of them.
const (
	mostListed = 1 << 20
	mostAnswer = 16 << 20
)

// Glob finds the objects that a pattern matches, sorted by name, as path.Match has it: a star matches no slash. The bucket is no pattern.
func Glob(ctx context.Context, pattern string) ([]string, error) {
	s, err := environment(pattern)
	if err != nil {
		return nil, err
	}
	bucket, wanted, _ := strings.Cut(strings.TrimPrefix(pattern, Scheme), "/")
	if _, err := path.Match(wanted, ""); err != nil || strings.ContainsAny(bucket, `*?[\`) || bucket == "" {
		return nil, path.ErrBadPattern
	}
	prefix := wanted
	if at := strings.IndexAny(wanted, `*?[\`); at >= 0 {
		prefix = wanted[:at]
	}
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}}
	if !strings.Contains(wanted[len(prefix):], "/") { // nothing below is meant
		query.Set("delimiter", "/")
	}
	var found []string
	for listed := 0; ; {
		answer, err := s.do(ctx, &request{name: pattern, bucket: bucket, query: query})
		if err != nil {
			return nil, err
		}
		var page struct {
			Contents              []struct{ Key string }
			IsTruncated           bool
			NextContinuationToken string
		}
		err = xml.NewDecoder(io.LimitReader(answer.Body, mostAnswer)).Decode(&page)
		answer.Body.Close()
		if err != nil {
			return nil, &dataset.InputError{File: pattern, Problem: "the store's list of objects cannot be read: " + err.Error(), Err: err}
		}
		for _, c := range page.Contents {
			if matched, _ := path.Match(wanted, c.Key); matched && !strings.HasSuffix(c.Key, "/") {
				found = append(found, Scheme+bucket+"/"+c.Key)
			}
		}
		if listed += len(page.Contents); listed > mostListed {
			return nil, dataset.Problem(pattern, "more than %d objects begin as the pattern does", mostListed).WithHint("name a longer prefix before the first star")
		}
		if !page.IsTruncated || page.NextContinuationToken == "" {
			slices.Sort(found)
			return found, nil
		}
		query.Set("continuation-token", page.NextContinuationToken)
	}
}
