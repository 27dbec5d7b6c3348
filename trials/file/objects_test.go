package file_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// fakeStore serves objects of the bucket b, and has a fault for the requests that a test names.
type fakeStore struct {
	lock    sync.Mutex
	objects map[string][]byte
	version int
	asked   int                                                      // requests so far
	fault   func(k int, w http.ResponseWriter, r *http.Request) bool // true: answered; k counts from 1
}

func (f *fakeStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.asked++
	if f.fault != nil && f.fault(f.asked, w, r) {
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	object, there := f.objects[key]
	tag := fmt.Sprintf("%q", fmt.Sprint(f.version))
	switch {
	case bucket != "b":
		w.WriteHeader(404)
		fmt.Fprint(w, "<Error><Code>NoSuchBucket</Code></Error>")
	case key == "": // two names a page
		var names []string
		for _, k := range []string{"p/1.csv", "p/2.csv", "p/3.csv", "p/other"} {
			if k > r.FormValue("continuation-token") {
				names = append(names, k)
			}
		}
		fmt.Fprint(w, "<ListBucketResult>")
		for _, k := range names[:2] {
			fmt.Fprintf(w, "<Contents><Key>%s</Key></Contents>", k)
		}
		fmt.Fprintf(w, "<IsTruncated>%v</IsTruncated><NextContinuationToken>%s</NextContinuationToken></ListBucketResult>", len(names) > 2, names[1])
	case !there:
		w.WriteHeader(404)
		fmt.Fprint(w, "<Error><Code>NoSuchKey</Code></Error>")
	case r.Header.Get("If-Match") != "" && r.Header.Get("If-Match") != tag:
		w.WriteHeader(412)
	default:
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(object))
	}
}

func newStore(t *testing.T) *fakeStore {
	f := &fakeStore{objects: map[string][]byte{}}
	for k := 1; k <= 3; k++ {
		f.objects[fmt.Sprintf("p/%d.csv", k)] = table(k, 20000)
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	for name, v := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_ENDPOINT_URL_S3": "", "AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "very-secret",
		"AWS_SESSION_TOKEN": "ticket", "AWS_REGION": "r1", "AWS_DEFAULT_REGION": "", "HTTP_PROXY": "", "http_proxy": ""} {
		t.Setenv(name, v)
	}
	return f
}

// table is text of numbers whose sum tests know.
func table(k, rows int) []byte {
	b := bytes.NewBufferString("a,b\n")
	for i := range rows {
		fmt.Fprintf(b, "%d,%d.25\n", k, i%100)
	}
	return b.Bytes()
}

func sumOf(ctx context.Context, src *file.Source) (sum float64, rows int, err error) {
	err = src.Scan(ctx, func(_ int, block *mat.Dense) error {
		n, _ := block.Dims()
		sum, rows = sum+mat.Sum(block), rows+n
		return nil
	})
	return sum, rows, err
}

// TestObjects finds, opens and reads objects that a pattern names, over pages of names.
func TestObjects(t *testing.T) {
	f := newStore(t)
	files, err := file.Expand(t.Context(), nil, "s3://b/p/*.csv")
	if err != nil || fmt.Sprint(files) != "[s3://b/p/1.csv s3://b/p/2.csv s3://b/p/3.csv]" {
		t.Fatal(files, err)
	}
	src, err := file.Open(files[0], file.Options{More: files[1:]})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for range 2 {
		sum, rows, err := sumOf(t.Context(), src)
		if want := 20000*(1+2+3) + 60000*(49.5+0.25); err != nil || rows != 60000 || sum != want {
			t.Fatal(sum, want, rows, err)
		}
	}
	f.version++ // between two readings
	if _, _, err := sumOf(t.Context(), src); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Error(err)
	}
}

// TestObjectsThatFail: what may pass is tried again, and reading goes on where it broke off.
func TestObjectsThatFail(t *testing.T) {
	for name, fault := range map[string]func(int, http.ResponseWriter, *http.Request) bool{
		"busy": func(k int, w http.ResponseWriter, _ *http.Request) bool {
			if k%2 == 1 {
				w.WriteHeader(503)
			}
			return k%2 == 1
		},
		"cut off": func(k int, w http.ResponseWriter, r *http.Request) bool {
			if k%2 == 1 || k > 20 {
				return false
			}
			object := table(1, 20000)
			var from, to int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			w.Header().Set("ETag", `"0"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(object)))
			w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
			w.WriteHeader(206)
			w.Write(object[from : from+(to-from)/2+1])
			if from < to {
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newStore(t)
			f.fault = fault
			src, err := file.Open("s3://b/p/1.csv", file.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			if sum, rows, err := sumOf(t.Context(), src); err != nil || rows != 20000 || sum != 20000+20000*49.75 {
				t.Error(sum, rows, err)
			}
		})
	}
}

// TestObjectsThatCannotBe: errors name the object and the way out, and no keys.
func TestObjectsThatCannotBe(t *testing.T) {
	answer := func(status int, text string, header ...string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			if header != nil {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, text)
			return true
		}
	}
	for _, c := range []struct {
		path       string
		fault      func(int, http.ResponseWriter, *http.Request) bool
		said, hint string
		err        error
	}{
		{"s3://c/1.csv", nil, `no bucket "c"`, "AWS_ENDPOINT_URL", fs.ErrNotExist},
		{"s3://b/none.csv", nil, "no such object", "", fs.ErrNotExist},
		{"s3://b", nil, "names no object", "s3://bucket/key", nil},
		{"s3://b/1.csv", answer(403, "<Error><Code>AccessDenied</Code><Message>me very-secret</Message></Error>"), "may not read", "s3:GetObject", fs.ErrPermission},
		{"s3://b/1.csv", answer(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>"), "does not know these credentials", "AWS_SECRET_ACCESS_KEY", fs.ErrPermission},
		{"s3://b/1.csv", answer(400, "<Error><Code>ExpiredToken</Code></Error>"), "expired", "AWS_SESSION_TOKEN", fs.ErrPermission},
		{"s3://b/1.csv", answer(400, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>r2</Region></Error>"), "region r2, and r1", "AWS_REGION=r2", nil},
		{"s3://b/1.csv", answer(301, "", "X-Amz-Bucket-Region", "r3"), "region r3, and r1", "AWS_REGION=r3", nil},
		{"s3://b/1.csv", answer(418, "<Error><Code>Odd</Code></Error>"), "418 I'm a teapot Odd", "", nil},
	} {
		f := newStore(t)
		f.fault = c.fault
		_, err := file.Open(c.path, file.Options{})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(input.Problem, c.said) || !strings.Contains(input.Hint, c.hint) || c.err != nil && !errors.Is(err, c.err) || input.File != c.path {
			t.Errorf("%s: %v", c.path, err)
		}
		if strings.Contains(fmt.Sprintf("%v %+v", err, input), "secret") {
			t.Errorf("a key in %v", err)
		}
	}
}

// TestObjectsCancelled: a store that does not answer keeps nobody.
func TestObjectsCancelled(t *testing.T) {
	f := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.fault = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		cancel()
		<-r.Context().Done()
		return true
	}
	if _, err := file.OpenContext(ctx, "s3://b/p/1.csv", file.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestObjectsInRanges: of a Parquet object the columns that are wanted are read, in few requests.
func TestObjectsInRanges(t *testing.T) {
	f := newStore(t)
	const rows, columns = 30000, 12
	set := &dataset.Set{X: mat.NewDense(rows, columns, nil)}
	for j := range columns {
		set.Columns = append(set.Columns, fmt.Sprint("c", j))
		for i := range rows {
			set.X.Set(i, j, float64(i*j)+1/float64(i+j+1))
		}
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := file.Write(path, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	object, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f.objects["x.parquet"] = object
	sent := 0
	f.fault = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		var from, to int
		if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); n < 2 {
			t.Error("a whole object is asked for")
		}
		sent += min(to+1, len(object)) - from
		return false
	}
	src, err := file.Open("s3://b/x.parquet", file.Options{Columns: []string{"c3", "c7"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f.asked, sent = 0, 0
	err = src.Scan(t.Context(), func(first int, block *mat.Dense) error {
		n, _ := block.Dims()
		for i := range n {
			for k, j := range []int{3, 7} {
				if block.At(i, k) != set.X.At(first+i, j) {
					return fmt.Errorf("row %d column %d", first+i, j)
				}
			}
		}
		return nil
	})
	if err != nil || sent > len(object)*3/4 || f.asked > 20 {
		t.Error(err, sent, len(object), f.asked)
	}
}

// TestLocal: what is made of an object stands here, of a file beside it.
func TestLocal(t *testing.T) {
	if a, b := file.Local("s3://b/p/1.csv"), file.Local("p/./1.csv"); a != "1.csv" || b != filepath.Join("p", "1.csv") {
		t.Error(a, b)
	}
}

// TestListingEnds: a store that does not answer holds nobody who has stopped waiting.
func TestListingEnds(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-answer
	}))
	t.Cleanup(func() { close(answer); server.Close() })
	newStore(t)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := file.Expand(ctx, nil, "s3://b/p/*.csv"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
