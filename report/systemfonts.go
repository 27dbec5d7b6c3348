package report

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font/sfnt"
	xfixed "golang.org/x/image/math/fixed"
)

// fontFolders are where machines keep their fonts.
var fontFolders = func() []string {
	list := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", `C:\Windows\Fonts`}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".fonts"), filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	return list
}

// systemFonts finds letters in the fonts of the machine, which are read when the first
// letter is missing in the chart's own.
var systemFonts struct {
	sync.Mutex
	read  bool
	fonts []*sfnt.Font
	known map[rune]systemLetter
}

type systemLetter struct {
	font  *sfnt.Font
	index sfnt.GlyphIndex
}

// systemGlyph is a letter with an outline; nil where no font has one.
func systemGlyph(r rune) (*sfnt.Font, sfnt.GlyphIndex) {
	s := &systemFonts
	s.Lock()
	defer s.Unlock()
	if !s.read {
		s.read, s.known = true, map[rune]systemLetter{}
		s.fonts = readFonts(fontFolders())
	}
	l, ok := s.known[r]
	if !ok {
		l = findLetter(s.fonts, r)
		s.known[r] = l
	}
	return l.font, l.index
}

func findLetter(fonts []*sfnt.Font, r rune) systemLetter {
	var buffer sfnt.Buffer
	for _, f := range fonts {
		i, err := f.GlyphIndex(&buffer, r)
		if err != nil || i == 0 {
			continue
		}
		// Coloured emoji are pictures without outlines.
		if outline, err := f.LoadGlyph(&buffer, i, xfixed.Int26_6(f.UnitsPerEm()), nil); err == nil && len(outline) > 0 {
			return systemLetter{f, i}
		}
	}
	return systemLetter{}
}

// mostFonts bounds what is read; machines for typesetting have thousands.
const mostFonts = 400

// readFonts opens the fonts below the folders, upright ones of ordinary weight first.
func readFonts(folders []string) []*sfnt.Font {
	var paths []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // what cannot be read is as good as absent
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				if d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0 {
					paths = append(paths, path)
				}
			}
			return nil
		})
	}
	rank := func(path string) (n int) {
		name := strings.ToLower(filepath.Base(path))
		for _, unusual := range []string{"bold", "italic", "oblique", "mono", "serif", "light", "thin", "black", "condensed"} {
			if strings.Contains(strings.ReplaceAll(name, "sansserif", ""), unusual) {
				n++
			}
		}
		return n
	}
	sort.SliceStable(paths, func(a, b int) bool { return rank(paths[a]) < rank(paths[b]) })
	var list []*sfnt.Font
	for _, path := range paths[:min(len(paths), mostFonts)] {
		list = append(list, openFont(path)...)
	}
	return list
}

// openFont reads the fonts of a file; none when it is not one. Fonts read what they need
// from the open file.
func openFont(path string) []*sfnt.Font {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	collection, err := sfnt.ParseCollectionReaderAt(file)
	if err != nil {
		_ = file.Close()
		return nil
	}
	// The fonts of a collection differ in the shapes of a few letters, not in which
	// there are.
	f, err := collection.Font(0)
	if err != nil {
		_ = file.Close()
		return nil
	}
	return []*sfnt.Font{f}
}
