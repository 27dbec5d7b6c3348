package beam

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/inlier-ml/inlier"
)

// Indexed makes passes without a runner: [Work] in other processes, each with a number of its own, makes all tasks, and this
// process waits for them and merges.
func Indexed(folder string) *inlier.Share {
	return &inlier.Share{Folder: folder, Make: func(ctx context.Context, p inlier.SharedPass) error {
		h, err := helper(p.Folder)
		if err != nil {
			return err
		}
		if err := announce(p); err != nil {
			return err
		}
		for level, nodes := range p.Levels() {
			for node := range nodes {
				if level == 0 {
					err = awaited(ctx, func() bool { return p.Made(level, node) })
				} else {
					err = h.Make(ctx, p, level, node)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// next is the file that tells which pass is to be made.
const next = "next"

// announce tells workers of a pass.
func announce(p inlier.SharedPass) error {
	path := filepath.Join(p.Folder, next)
	text := fmt.Sprintf("%d %d\n", p.Number, p.Tasks)
	if err := os.WriteFile(path+".new", []byte(text), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Work makes the tasks of each fit in a folder whose numbers leave index over when divided by of, until the context ends.
func Work(ctx context.Context, folder string, index, of int) error {
	for {
		fits, err := filepath.Glob(filepath.Join(folder, "fit-????????????????", next)) // those that have ended have longer names
		if err != nil {
			return err
		}
		for _, path := range fits {
			p := inlier.SharedPass{Folder: filepath.Dir(path)}
			text, err := os.ReadFile(path)
			if err != nil { // the fit has ended
				continue
			}
			if _, err := fmt.Sscan(string(text), &p.Number, &p.Tasks); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			for node := index; node < p.Tasks; node += of {
				if p.Made(0, node) {
					continue
				}
				h, err := helper(p.Folder)
				if err == nil {
					err = h.Make(ctx, p, 0, node)
				}
				if _, there := os.Stat(path); err != nil && there == nil { // else the fit has ended
					return err
				}
			}
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// awaited looks again and again.
func awaited(ctx context.Context, done func() bool) error {
	for !done() {
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// pause is a tenth of a second.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}
