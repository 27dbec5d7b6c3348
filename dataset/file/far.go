package file

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/inlier-ml/inlier/dataset/internal/objects"
)

// OpenFile opens what a path leads to: a file of the machine, of a file system where that is not nil, or an object of a store that
// speaks Amazon's S3 (s3://bucket/key), whose reading the context ends. Address and credentials of the store are those of the
// environment: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
func OpenFile(ctx context.Context, files fs.FS, path string) (fs.File, error) {
	return disk{files, ctx}.open(path)
}

// StatFile tells of what [OpenFile] opens.
func StatFile(ctx context.Context, files fs.FS, path string) (fs.FileInfo, error) {
	return disk{files, ctx}.stat(path)
}

// Local is a path on this machine beside which what is made of a file stands: the path itself, and of an object its last name, here.
func Local(name string) string {
	if objects.Named(name) {
		return path.Base(name)
	}
	return filepath.Clean(name)
}

// far tells whether a name is that of an object, and the context that ends its reading.
func (d disk) far(name string) (context.Context, bool) {
	if d.files != nil || !objects.Named(name) {
		return nil, false
	}
	if d.ctx == nil {
		return context.Background(), true
	}
	return d.ctx, true
}

// Of an object that is read at many places so much is kept, in windows that are no larger than the second: what stands behind a
// place is usually wanted next, and each request costs as much time as reading many bytes.
const (
	keptBytes              = 8 << 20
	leastWindow, mostWidth = 1 << 14, 1 << 20
)

// windows keep what was read last of an object.
type windows struct {
	*objects.Object
	size int64
	wide int64 // bytes of a window
	lock sync.Mutex
	kept []window // the latest is the last
}

type window struct {
	at   int64
	data []byte
}

func newWindows(o *objects.Object, size int64) *windows {
	return &windows{Object: o, size: size, wide: mostWidth}
}

// streams says that so many places will be read on from at the same time.
func (w *windows) streams(n int) { w.wide = min(mostWidth, max(leastWindow, keptBytes/int64(n+1))) }

// find copies what is kept of the bytes from a place on.
func (w *windows) find(p []byte, at int64) int {
	w.lock.Lock()
	defer w.lock.Unlock()
	for k, v := range slices.Backward(w.kept) {
		if v.at <= at && at < v.at+int64(len(v.data)) {
			w.kept = append(slices.Delete(w.kept, k, k+1), v)
			return copy(p, v.data[at-v.at:])
		}
	}
	return 0
}

func (w *windows) keep(v window) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if most := int(keptBytes / w.wide); len(w.kept) >= most {
		w.kept = slices.Delete(w.kept, 0, len(w.kept)-most+1)
	}
	w.kept = append(w.kept, v)
}

func (w *windows) ReadAt(p []byte, at int64) (int, error) {
	want := int(max(0, min(int64(len(p)), w.size-at)))
	for done := 0; done < want; {
		from := at + int64(done)
		if n := w.find(p[done:want], from); n > 0 {
			done += n
			continue
		}
		if int64(want-done) >= w.wide {
			n, err := w.Object.ReadAt(p[done:want], from)
			if done += n; err != nil {
				return done, err
			}
			continue
		}
		v := window{from, make([]byte, min(w.wide, w.size-from))}
		if _, err := w.Object.ReadAt(v.data, from); err != nil {
			return done, err
		}
		w.keep(v)
	}
	if want < len(p) {
		return want, io.EOF
	}
	return want, nil
}
