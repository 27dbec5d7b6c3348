// Package objects reads objects of stores that speak Amazon's S3 as files: by streams that go on where they broke off and by
// ranges, and finds those that a pattern matches. Nothing is written. Three requests of one kind are all it takes, so that this is
// the standard library and no client of a cloud.
package objects

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset"
)

// Scheme begins the names of objects: s3://bucket/key.
const Scheme = "s3://"

// Named tells whether a name is that of an object.
func Named(name string) bool { return strings.HasPrefix(name, Scheme) }

// A request that fails for a reason that may pass is made again so often, after waits that begin with the first and double. A
// connection that delivers nothing for so long is given up.
const (
	attempts  = 6
	firstWait = 100 * time.Millisecond
	longest   = time.Minute
)

// store is where requests go and who makes them. Keys appear in no message.
type store struct {
	endpoint        *url.URL // nil: Amazon's own, of the region
	region          string
	id, key, ticket string // no id: nobody, as public objects allow
}

// client is shared, so that connections are used again. Redirections are told, not followed: they would take credentials along.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: longest, MaxIdleConnsPerHost: 16, IdleConnTimeout: longest, DisableCompression: true,
	},
}

// environment takes what the usual variables say.
func environment(name string) (*store, error) {
	first := func(names ...string) string {
		for _, n := range names {
			if v := os.Getenv(n); v != "" {
				return v
			}
		}
		return ""
	}
	s := &store{region: first("AWS_REGION", "AWS_DEFAULT_REGION"), id: os.Getenv("AWS_ACCESS_KEY_ID"), key: os.Getenv("AWS_SECRET_ACCESS_KEY"), ticket: os.Getenv("AWS_SESSION_TOKEN")}
	if s.region == "" {
		s.region = "us-east-1"
	}
	if (s.id == "") != (s.key == "") {
		return nil, dataset.Problem(name, "of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set").WithHint("set both, or neither for objects that everybody may read")
	}
	if at := first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"); at != "" {
		u, err := url.Parse(at)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return nil, dataset.Problem(name, "AWS_ENDPOINT_URL is no address of a store").WithHint("it is one such as https://objects.example.org, without names and passwords")
		}
		s.endpoint = u
	}
	return s, nil
}

// request asks for a range of an object, or for a list.
type request struct {
	name        string // for messages
	bucket, key string
	query       url.Values
	from, to    int64  // bytes, to is not among them; to 0: all
	tag         string // the version that is meant; empty: any
}

// address is where a bucket is: behind the host's name with a store of one's own and names that no certificate covers, before it otherwise.
func (s *store) address(r *request) *url.URL {
	u := &url.URL{Scheme: "https", Host: "s3." + s.region + ".amazonaws.com"}
	before := "/" + r.bucket
	if s.endpoint != nil {
		u.Scheme, u.Host, before = s.endpoint.Scheme, s.endpoint.Host, strings.TrimSuffix(s.endpoint.Path, "/")+before
	} else if !strings.Contains(r.bucket, ".") {
		u.Host, before = r.bucket+"."+u.Host, ""
	}
	u.Path = before + "/" + r.key
	u.RawPath = escaped(u.Path, true)
	u.RawQuery = canonical(r.query)
	return u
}

// do makes a request until it is answered. The answer's body ends with an error where nothing comes for long.
func (s *store) do(ctx context.Context, r *request) (*http.Response, error) {
	for again := 1; ; again++ {
		answer, err := s.once(ctx, r)
		passing := err != nil
		if err == nil {
			if answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusPartialContent {
				return answer, nil
			}
			passing = answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests
			err = s.refused(r, answer)
			answer.Body.Close()
		} else if ctx.Err() == nil {
			var of *url.Error
			if errors.As(err, &of) {
				err = of.Err
			}
			err = (&dataset.InputError{File: r.name, Problem: "the store cannot be reached: " + err.Error(), Err: err}).WithHint("AWS_ENDPOINT_URL says where it is, Amazon's own if it is not set")
		}
		if !passing || again == attempts {
			return nil, err
		}
		if err := wait(ctx, again); err != nil {
			return nil, err
		}
	}
}

// wait waits before something is tried again, not all at the same time.
func wait(ctx context.Context, again int) error {
	pause := firstWait << (again - 1)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause + rand.N(pause/2)):
		return nil
	}
}

func (s *store) once(ctx context.Context, r *request) (*http.Response, error) {
	ctx, end := context.WithCancel(ctx)
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://store", nil)
	if err != nil {
		end()
		return nil, err
	}
	ask.URL = s.address(r)
	ask.Host = ask.URL.Host
	if r.to > 0 {
		ask.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", r.from, r.to-1))
	}
	if r.tag != "" {
		ask.Header.Set("If-Match", r.tag)
	}
	s.sign(ask, time.Now())
	answer, err := client.Do(ask)
	if err != nil {
		end()
		return nil, err
	}
	answer.Body = &body{answer.Body, end, time.AfterFunc(longest, end)}
	return answer, nil
}

// body ends a request from which nothing comes.
type body struct {
	io.ReadCloser
	end   func()
	watch *time.Timer
}

func (b *body) Read(p []byte) (int, error) {
	b.watch.Reset(longest)
	return b.ReadCloser.Read(p)
}

func (b *body) Close() error {
	b.watch.Stop()
	b.end()
	return b.ReadCloser.Close()
}

// errNoRange is an object that ends before a range begins.
var errNoRange = errors.New("objects: no such range")

// refused says what an answer means that is none of what was asked for. Of its text only the code is shown: the rest may repeat keys.
func (s *store) refused(r *request, answer *http.Response) error {
	var said struct{ Code, Region string }
	_ = xml.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(&said) // without one the status says enough
	e := &dataset.InputError{File: r.name}
	region := answer.Header.Get("X-Amz-Bucket-Region")
	if region == "" {
		region = said.Region
	}
	status := answer.StatusCode
	switch {
	case said.Code == "NoSuchBucket":
		e.Problem, e.Hint, e.Err = fmt.Sprintf("there is no bucket %q", r.bucket), "names are s3://bucket/key; AWS_ENDPOINT_URL says which store is asked", os.ErrNotExist
	case status == http.StatusNotFound:
		e.Problem, e.Err = "there is no such object", os.ErrNotExist
	case status == http.StatusRequestedRangeNotSatisfiable:
		e.Problem, e.Err = "the object has no such bytes", errNoRange
	case status == http.StatusPreconditionFailed:
		e.Problem, e.Hint = "the object changed while it was read", "begin again when nobody writes it"
	case region != "" && region != s.region && status < 500:
		e.Problem, e.Hint = fmt.Sprintf("the bucket is in region %s, and %s was asked", region, s.region), "set AWS_REGION="+region
	case said.Code == "InvalidAccessKeyId", said.Code == "SignatureDoesNotMatch":
		e.Problem, e.Hint, e.Err = "the store does not know these credentials ("+said.Code+")", "look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", os.ErrPermission
	case said.Code == "ExpiredToken", said.Code == "InvalidToken":
		e.Problem, e.Hint, e.Err = "the credentials have expired", "get new ones, AWS_SESSION_TOKEN among them", os.ErrPermission
	case said.Code == "RequestTimeTooSkewed":
		e.Problem, e.Hint = "the store refuses requests of another time", "set the clock of this machine"
	case status == http.StatusForbidden || status == http.StatusUnauthorized:
		e.Problem, e.Hint, e.Err = "these credentials may not read it", "reading takes the right s3:GetObject, patterns s3:ListBucket", os.ErrPermission
		if s.id == "" {
			e.Problem, e.Hint = "not everybody may read it", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
		}
	default:
		e.Problem = fmt.Sprintf("the store answers %s", strings.TrimSpace(answer.Status+" "+said.Code))
	}
	return e
}
