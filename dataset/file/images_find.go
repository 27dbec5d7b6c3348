package file

import (
	"bufio"
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// imageExtensions are the endings of image files that are read.
var imageExtensions = []string{".pgm", ".ppm", ".pnm", ".png", ".jpg", ".jpeg", ".gif"}

func isImageName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(imageExtensions, func(e string) bool { return strings.HasSuffix(name, e) })
}

// isImage tells by the first bytes whether this is an image that can be read.
func isImage(head []byte) bool {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")),
		bytes.HasPrefix(head, []byte("\xff\xd8\xff")),
		bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return true
	}
	return isPNM(head)
}

// openImageFolder reads a folder of images, or of class folders that hold images.
// Files that are no images are refused in a folder of images, and ignored beside class
// folders; names that begin with a dot are ignored everywhere. Numbers in names count:
// 2.png comes before 10.png.
func openImageFolder(path string, opts *Options) (*imageTable, error) {
	on := opts.disk()
	entries, err := on.list(path)
	if err != nil {
		return nil, missingFile(path, err)
	}
	var folders, files []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := on.stat(on.join(path, e.Name())); err == nil && info.IsDir() {
			folders = append(folders, e.Name())
		} else {
			files = append(files, e.Name())
		}
	}
	t := &imageTable{name: path}
	images := slices.ContainsFunc(files, isImageName)
	switch {
	case len(folders) > 0 && images:
		return nil, problem(path, "the folder holds images beside folders").WithHint("move the images into class folders, or the folders away")
	case len(folders) > 0:
		err = t.addClasses(on, path, folders)
	case images:
		t.paths, err = imagesOf(on, path, files)
	default:
		return nil, problem(path, "this is a folder without images, where a data file or a folder of images is meant").
			WithHint("images are %s files, all in the folder itself or in one folder per class", strings.Join(imageExtensions, " "))
	}
	if err != nil {
		return nil, err
	}
	return t, t.prepare(opts)
}

// addClasses takes the name of each folder as the label of its images.
func (t *imageTable) addClasses(on disk, path string, folders []string) error {
	slices.SortFunc(folders, naturalOrder)
	t.labels = &labelColumn{name: "label", levels: folders}
	for k, folder := range folders {
		full := on.join(path, folder)
		entries, err := on.list(full)
		if err != nil {
			return missingFile(full, err)
		}
		var files []string
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				files = append(files, e.Name())
			}
		}
		if len(files) == 0 {
			return problem(full, "the class folder is empty").WithHint("put images into it, or remove it")
		}
		images, err := imagesOf(on, full, files)
		if err != nil {
			return err
		}
		t.paths = append(t.paths, images...)
		t.labels.values = append(t.labels.values, slices.Repeat([]float64{float64(k)}, len(images))...)
	}
	return nil
}

func imagesOf(on disk, folder string, files []string) ([]string, error) {
	slices.SortFunc(files, naturalOrder)
	paths := make([]string, len(files))
	for i, name := range files {
		paths[i] = on.join(folder, name)
		if !isImageName(name) {
			return nil, problem(paths[i], "this is not an image").WithHint("take it out of the folder: images are %s files", strings.Join(imageExtensions, " "))
		}
	}
	return paths, nil
}

// isImageList tells whether every line names an image file.
func isImageList(lines [][]byte) bool {
	images := 0
	for _, line := range lines {
		path, _ := listEntry(line)
		switch {
		case isImageName(path):
			images++
		case images > 0 || line[0] != remarkSign: // remarks stand above the list
			return false
		}
	}
	return images > 0
}

// listEntry splits a line of a list: a path, and perhaps a label after a tab or comma.
func listEntry(line []byte) (path, label string) {
	text := strings.TrimSpace(string(line))
	if at := strings.LastIndexAny(text, "\t,"); at >= 0 && !isImageName(text) {
		return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
	}
	return text, ""
}

// openImageFile reads one image, or a text file that lists images one per line.
func openImageFile(f *content, opts *Options) (*imageTable, error) {
	t := &imageTable{name: f.name, done: f.close}
	if isImage(f.head) {
		if f.packed {
			return nil, problem(f.name, "a compressed image is not read").WithHint("unpack the file first")
		}
		t.paths = []string{f.path}
		if f.temp {
			opts.FS = nil // it lies on the machine's disk now
		}
		return t, t.prepare(opts)
	}
	in, err := f.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var labels []string
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\xef\xbb\xbf")))
		if len(line) == 0 {
			continue
		}
		path, label := listEntry(line)
		if !isImageName(path) && len(t.paths) == 0 && line[0] == remarkSign {
			continue
		}
		if !isImageName(path) {
			return nil, &dataset.InputError{File: f.name, Line: number, Problem: quote(line) + " does not name an image"}
		}
		if len(labels) > 0 && (label == "") != (labels[0] == "") {
			return nil, &dataset.InputError{File: f.name, Line: number, Problem: "some images have a label and some have none"}
		}
		if !opts.AllowOutside && !filepath.IsLocal(filepath.FromSlash(path)) {
			e := &dataset.InputError{File: f.name, Line: number, Problem: quote([]byte(path)) + " lies outside the folder of the list"}
			return nil, e.WithHint("name images below that folder, or allow others with {allow-outside}")
		}
		if on := opts.disk(); !filepath.IsAbs(path) && f.place != "" && (!f.temp || on.files != nil) {
			path = on.join(on.folder(f.place), path)
		}
		t.paths, labels = append(t.paths, path), append(labels, label)
	}
	if err := lines.Err(); err != nil {
		return nil, problem(f.name, "the list cannot be read: %v", err)
	}
	if len(t.paths) == 0 {
		return nil, problem(f.name, "the list is empty")
	}
	if labels[0] != "" {
		target := dataset.ClassTarget("label", labels)
		t.labels = &labelColumn{name: "label", levels: target.Classes}
		for _, l := range target.Labels {
			t.labels.values = append(t.labels.values, float64(l))
		}
	}
	return t, t.prepare(opts)
}
