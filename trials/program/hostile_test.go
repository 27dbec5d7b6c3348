//go:build linux

// Package program tries the command line as it is installed.
package program

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/parquet-go/parquet-go"
)

// repeated delivers a pattern so many times.
type repeated struct {
	pattern string
	times   int
}

func (r repeated) writeTo(t *testing.T, w io.Writer) {
	piece := strings.Repeat(r.pattern, 1+(1<<16)/len(r.pattern))
	for left := r.times * len(r.pattern); left > 0; {
		n, err := io.WriteString(w, piece[:min(left, len(piece))])
		if err != nil {
			t.Fatal(err)
		}
		left -= n
	}
}

// hostile writes a file. It keeps little in memory, because the peak of a new process
// starts with that of the one that started it.
type hostile func(t *testing.T, w io.Writer)

func plain(parts ...any) hostile {
	return func(t *testing.T, w io.Writer) { deliver(t, w, parts) }
}

func deliver(t *testing.T, w io.Writer, parts []any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			repeated{part, 1}.writeTo(t, w)
		case repeated:
			part.writeTo(t, w)
		}
	}
}

func gzipped(parts ...any) hostile {
	return func(t *testing.T, w io.Writer) {
		z := gzip.NewWriter(w)
		deliver(t, z, parts)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

type zipped struct {
	name  string
	parts []any
}

func archived(members ...zipped) hostile {
	return func(t *testing.T, w io.Writer) {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.DefaultCompression) })
		for _, m := range members {
			w, err := z.Create(m.name)
			if err != nil {
				t.Fatal(err)
			}
			deliver(t, w, m.parts)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func arrayHead(kind, shape, fortran string) string {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", kind, fortran, shape)
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(text)))) + text
}

func deflated(t *testing.T, zeros int) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	repeated{"\x00", zeros}.writeTo(t, z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pngOf is a PNG image of zeros: so many pixels, bits and kind of colour.
func pngOf(width, height int, depth, colour byte) hostile {
	return func(t *testing.T, w io.Writer) {
		var b bytes.Buffer
		b.WriteString("\x89PNG\r\n\x1a\n")
		chunk := func(kind string, data []byte) {
			body := append([]byte(kind), data...)
			b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
			b.Write(body)
			b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
		}
		head := binary.BigEndian.AppendUint32(nil, uint32(width))
		head = binary.BigEndian.AppendUint32(head, uint32(height))
		chunk("IHDR", append(head, depth, colour, 0, 0, 0))
		channels := map[byte]int{0: 1, 2: 3, 6: 4}[colour]
		chunk("IDAT", deflated(t, height*(1+(width*channels*int(depth)+7)/8)))
		chunk("IEND", nil)
		plain(b.String())(t, w)
	}
}

func parquetOf(rows, columns int) hostile {
	return func(t *testing.T, to io.Writer) {
		group := parquet.Group{}
		for j := range columns {
			group[fmt.Sprintf("c%d", j)] = parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.RLEDictionary)
		}
		w := parquet.NewWriter(to, parquet.NewSchema("t", group), parquet.Compression(&parquet.Zstd))
		batch := make([]parquet.Row, 1000)
		for i := range batch {
			for j := range columns {
				batch[i] = append(batch[i], parquet.Int64Value(7).Level(0, 0, j))
			}
		}
		for i := range rows / len(batch) {
			if i%500 == 499 { // so that the writer keeps little
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := w.WriteRows(batch); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// parquetFooter is a Parquet file with nothing but a footer.
func parquetFooter(parts ...any) hostile {
	return func(t *testing.T, w io.Writer) {
		length := 0
		for _, part := range parts {
			switch part := part.(type) {
			case string:
				length += len(part)
			case repeated:
				length += part.times * len(part.pattern)
			}
		}
		deliver(t, w, append(append([]any{"PAR1"}, parts...), string(binary.LittleEndian.AppendUint32(nil, uint32(length)))+"PAR1"))
	}
}

// Hostile files end with exit code 2 (or a result), one line and little memory.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	const meta = `{"format": "inlier-model", "format_version": 1, "method": "pca", "columns": 1`
	files := map[string]hostile{
		"tabs.csv":        plain("\t\n1 2\n3 4\n5 6\n"),
		"wide.npz":        archived(zipped{"X.npy", []any{arrayHead("|u1", "(1, 20000000)", "False"), repeated{"\x00", 20000000}}}),
		"wide8.npz":       archived(zipped{"X.npy", []any{arrayHead("<f8", "(1, 2000000)", "False"), repeated{"\x00", 16000000}}}),
		"long.npz":        archived(zipped{"X.npy", []any{arrayHead("|u1", "(20000000, 1)", "False"), repeated{"\x00", 20000000}}}),
		"fortran.npz":     archived(zipped{"X.npy", []any{arrayHead("|u1", "(4000, 5000)", "True"), repeated{"\x00", 20000000}}}),
		"million.npz":     archived(zipped{"X.npy", []any{arrayHead("|u1", "(8, 1048576)", "False"), repeated{"\x00", 8 << 20}}}),
		"labels.npz":      archived(zipped{"X.npy", []any{arrayHead("|u1", "(100, 2)", "False"), repeated{"\x01", 200}}}, zipped{"y.npy", []any{arrayHead("<U100000", "(100,)", "False"), repeated{"a\x00\x00\x00", 10000000}}}),
		"names.npz":       archived(zipped{"X.npy", []any{arrayHead("|u1", "(3, 100)", "False"), repeated{"\x01", 300}}}, zipped{"columns.npy", []any{arrayHead("<U100000", "(100,)", "False"), repeated{"a\x00\x00\x00", 10000000}}}),
		"shape.npz":       archived(zipped{"X.npy", []any{arrayHead("|u1", "(3, 6)", "False"), "abcdefghijklmnopqr"}}, zipped{"shape.npy", []any{arrayHead("|i1", "(2,)", "False"), "\xfe\xfd"}}),
		"giant.npy":       plain(arrayHead("<f8", "(1, 2000000000)", "False"), "few bytes"),
		"index.svm":       plain("1 1048576:1\n"),
		"rows.svm":        plain("1 1048576:1\n", repeated{"1 1:1\n", 3000}),
		"giant.idx":       plain("\x00\x00\x08\x02\x00\x00\x00\x01\x7f\xff\xff\xff", "few bytes"),
		"zeros.idx.gz":    gzipped("\x00\x00\x08\x02\x00\x00\x27\x10\x00\x00\x10\x00", repeated{"\x00", 40960000}),
		"wide.idx.gz":     gzipped("\x00\x00\x08\x02\x00\x00\x00\x01\x01\x00\x00\x00", repeated{"\x00", 1 << 24}),
		"zeros.gz":        gzipped(repeated{"\x00", 1 << 26}),
		"numbers.csv.gz":  gzipped(repeated{"1,2\n", 9 << 20}),
		"empty.csv.gz":    gzipped(repeated{",,\n", 12 << 20}),
		"commas.csv.gz":   gzipped(repeated{",", 40 << 20}),
		"spaces.csv.gz":   gzipped("1,2,3\n", repeated{" \n", 1 << 24}),
		"quotes.csv.gz":   gzipped(`"`, repeated{`"",`, 12 << 20}),
		"line.csv":        plain(repeated{"1,", 17 << 20}),
		"digits.csv":      plain(repeated{"1", 34 << 20}),
		"wide.csv":        plain(repeated{"1,", 100000 - 1}, "1\n", repeated{"2,", 100000 - 1}, "3\n"),
		"name.csv":        plain("a", repeated{"b", 4 << 20}, ",c\n1,x\n2,3\n"),
		"twice.csv":       plain(repeated{"same,", 1 << 17}, "same\n", repeated{"1,", 1 << 17}, "1\n"),
		"rows.parquet":    parquetOf(9000000, 1),
		"list.parquet":    parquetFooter("\x15\x02\x29\xfc\xff\xff\xff\xff\x07"),
		"nested.parquet":  parquetFooter(repeated{"\x1c", 4 << 20}),
		"schema.parquet":  parquetFooter("\x15\x02\x19\xfc\xa0\x8d\x06", repeated{"\x48\x01a\x15\x02\x00", 100000}, "\x16\x00\x19\x0c\x00"),
		"gray.png":        pngOf(20000, 20000, 1, 0),
		"deep.png":        pngOf(5000, 5000, 16, 6),
		"square.png":      pngOf(4000, 4000, 8, 2),
		"claim.jpg":       plain("\xff\xd8\xff\xc2\x00\x11\x08\xff\xff\xff\xff\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00\xff\xda\x00\x0c\x03\x01\x00\x02\x00\x03\x00\x00\x00\x00few"),
		"claim.gif":       plain("GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02D\x01\x00;"),
		"claim.pgm":       plain("P5 1000000 1000000 255\nfew"),
		"text.pgm":        plain("P2 100000 10000 255\n1 2 3"),
		"outside.txt":     plain("../../../../../../etc/passwd.png\n"),
		"absolute.txt":    plain("/etc/passwd.png\n"),
		"meta.model.npz":  archived(zipped{"meta.json", []any{meta, `, "column_names": [""`, repeated{`,""`, 20 << 20}, `]}`}}),
		"nest.model.npz":  archived(zipped{"meta.json", []any{meta, `, "extra": `, repeated{`[`, 1 << 19}}}),
		"zeros.model.npz": archived(zipped{"meta.json", []any{meta, `, "arrays": {"mean": [20000000]}}`}}, zipped{"mean.npy", []any{arrayHead("|u1", "(20000000,)", "False"), repeated{"\x00", 20000000}}}),
	}
	folder := t.TempDir()
	if kept := os.Getenv("INLIER_HOSTILE"); kept != "" { // to look at them afterwards
		folder = kept
	}
	program := filepath.Join(t.TempDir(), "inlier")
	build := exec.Command("go", "build", "-o", program, "./cmd/inlier")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := func(args ...string) (code int, errs string, peak int64, took time.Duration) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, program, args...)
		var e bytes.Buffer
		c.Stderr, c.Dir = &e, folder
		start := time.Now()
		_ = c.Run()
		return c.ProcessState.ExitCode(), e.String(), c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10, time.Since(start)
	}
	// The peak of a new process starts with that of the one that started it.
	_, _, least, _ := run("version")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name](t, f)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		uses := map[string][]string{"info": {"data", "info", name}, "fit": {"fit", "pca", name, "--set", "components=1", "--out", "out.npz"}}
		if strings.HasSuffix(name, ".npz") || strings.HasSuffix(name, ".parquet") { // the first rows are found in another way
			uses["head"] = []string{"data", "head", name}
		}
		if strings.Contains(name, ".model.") {
			uses = map[string][]string{"inspect": {"inspect", name}, "predict": {"predict", name, "tabs.csv"}}
		}
		if strings.HasSuffix(name, ".gz") && os.Getenv("INLIER_CONFORMANCE") != "all" {
			delete(uses, "info") // a fit reads the same way, and further
		}
		for use, args := range uses {
			code, errs, peak, took := run(args...)
			t.Logf("%-16s %-8s exit %d, %4d MB, %5.2f s  %.200s", name, use, code, peak>>20, took.Seconds(), strings.TrimSpace(errs))
			if code != 0 && code != 2 {
				t.Errorf("%v: exit code %d: %.300s", args, code, errs)
			}
			lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
			if code == 2 && (len(lines) > 2 || !strings.HasPrefix(lines[0], "inlier: ") || len(errs) > 4000) {
				t.Errorf("%v: the message is not one line: %.300s", args, errs)
			}
			if peak > 300<<20 && least < 150<<20 {
				t.Errorf("%v takes %d MB", args, peak>>20)
			}
		}
		if err := os.Remove(filepath.Join(folder, "out.npz")); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}
