// Package output guards what is there. Whoever writes says with Reads what it reads and
// with Plans what it will write, before any work is done; Plans and, once more, every
// writing refuse
//
//   - an output that is an input, by whatever name or link, or a file of an input folder, there or new;
//   - two outputs of one name;
//   - a file that is there and not an output of Inlier of the same kind, unless forced.
//
// What is of the same kind is told by content, see [Kind]. An empty file holds nothing to
// lose. Devices and pipes are written to, not replaced.
package output

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// Guard knows the inputs and outputs of one run.
type Guard struct {
	Force bool // files that are no outputs of the same kind may be replaced as well

	inputs  []string
	planned map[string]string // file -> the name of the parameter
}

func usage(hint, format string, args ...any) error {
	return &catalog.UsageError{Problem: fmt.Sprintf(format, args...), Hint: hint}
}

// Reads remembers what a command reads.
func (g *Guard) Reads(paths ...string) {
	for _, p := range paths {
		if p != "" && p != "-" {
			g.inputs = append(g.inputs, p)
		}
	}
}

// Plans refuses an output, before any work is done for it, that cannot or must not be
// written. The flag is what names it; "" and "-" are no files.
func (g *Guard) Plans(flag, path string, k Kind) error {
	if path == "" || path == "-" {
		return nil
	}
	if err := g.SparesInputs(flag, path); err != nil {
		return err
	}
	if err := atomicfile.Check(path); err != nil {
		return err
	}
	if g.planned == nil {
		g.planned = map[string]string{}
	}
	place := placeOf(path)
	if other, twice := g.planned[place]; twice && other != flag {
		return usage("give two names", "%s and %s both name %s", other, flag, path)
	}
	g.planned[place] = flag
	return g.MayReplace(path, k)
}

// MayReplace refuses a file that is there and not of the kind to be written.
func (g *Guard) MayReplace(path string, k Kind) error {
	flag := g.planned[placeOf(path)]
	if err := g.SparesInputs(flag, path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if g.Force || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // what is wrong with the place is for the writing to say
	}
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		if k.Is(file, info.Size()) {
			return nil
		}
	}
	return usage("give another name, or --force to replace it", "%s: there is already a file, and it is not %s", strings.TrimSpace(flag+" "+path), k.Name)
}

// SparesInputs refuses an output that is an input or stands in an input folder.
func (g *Guard) SparesInputs(flag, path string) error {
	target, err := os.Stat(path)
	if err != nil {
		return g.sparesFolders(flag, path)
	}
	if mode := target.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return nil
	}
	for _, input := range g.inputs {
		info, err := os.Stat(input)
		if err != nil {
			continue
		}
		name := strings.TrimSpace(flag + " " + path)
		switch {
		case os.SameFile(info, target):
			return usage("give another name", "%s: this is the input %s, which is never written to", name, input)
		case info.IsDir() && within(path, info), target.IsDir() && within(input, target):
			return usage("give another name", "%s: this belongs to the input %s, which is never written to", name, input)
		}
	}
	return nil
}

// sparesFolders refuses an output that is not there yet and would stand in an input folder: it
// would be read as one of the inputs next time, or keep the others from being read.
func (g *Guard) sparesFolders(flag, path string) error {
	name := strings.TrimSpace(flag + " " + path)
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(path)
	place, err := os.Stat(folder)
	for ; err != nil; place, err = os.Stat(folder) {
		above := filepath.Dir(folder)
		if above == folder {
			return nil
		}
		folder = above
	}
	for _, input := range g.inputs {
		info, err := os.Stat(input)
		if err == nil && info.IsDir() && (os.SameFile(info, place) || within(folder, info)) {
			return usage("give a name outside of it", "%s: this would stand in the input %s, which is never written to", name, input)
		}
	}
	return nil
}

// within tells whether a path leads into a folder, links followed.
func within(path string, folder os.FileInfo) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if real, err = filepath.Abs(real); err != nil {
		return false
	}
	for {
		above := filepath.Dir(real)
		if above == real {
			return false
		}
		if info, err := os.Stat(above); err == nil && os.SameFile(info, folder) {
			return true
		}
		real = above
	}
}

// placeOf names a file the same whichever way it is written.
func placeOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
