package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/inlier-ml/inlier/internal/fixture"
)

// The scripts of testdata/script run the program as users do. A script is a text with
// commands, followed by the files they need. Beside the usual commands there are
//
//	exits CODE COMMAND...    the command must end with this exit code
//	refuses PATTERN COMMAND...
//	                         the command must refuse what it is asked for: exit code 2, one
//	                         line "inlier: ..." that matches the pattern and perhaps a
//	                         hint on standard error, nothing on standard output, no file
//	                         written, changed or removed
//	json KEY...              standard output of the last command is JSON with these keys;
//	                         KEY=TEXT also compares the value
//	forge KIND FILE          a file whose header claims 10 GB
//	hardlink FILE NAME       another name for a file
//	cut FILE BYTES           cut a file to its first bytes, or by a negative number of them
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"inlier": main}) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 fixture.Path(t, "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "root":
				return os.Geteuid() == 0, nil
			case "full": // a device that is a full disk
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "refuses": refuses, "json": checkJSON, "forge": forge, "cut": cut, "hardlink": hardlink,
		},
	})
}

func code(err error) int {
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return failed.ExitCode()
	}
	return -1
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := code(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func refuses(ts *testscript.TestScript, neg bool, args []string) {
	before := files(ts)
	if got := code(ts.Exec(args[1], args[2:]...)); got != 2 {
		ts.Fatalf("exit code %d, want 2", got)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("something was printed: %q", out)
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stderr"), "\n"), "\n")
	if len(lines) > 2 || !strings.HasPrefix(lines[0], "inlier: ") || len(lines) == 2 && !strings.HasPrefix(lines[1], "hint: ") {
		ts.Fatalf("the message is not one line and perhaps a hint")
	}
	if !regexp.MustCompile(args[0]).MatchString(lines[0]) {
		ts.Fatalf("message %q does not match %q", lines[0], args[0])
	}
	if after := files(ts); !slices.Equal(before, after) {
		ts.Fatalf("files changed from %v to %v", before, after)
	}
}

// files lists every file of the script's folder with its size and time.
func files(ts *testscript.TestScript) []string {
	var list []string
	err := filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		list = append(list, path+" "+strconv.FormatInt(info.Size(), 10)+" "+info.ModTime().String())
		return nil
	})
	ts.Check(err)
	return list
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	var got any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &got); err != nil {
		ts.Fatalf("not JSON: %v", err)
	}
	for _, arg := range args {
		path, want, compare := strings.Cut(arg, "=")
		v := got
		for _, key := range strings.Split(path, ".") {
			switch at := v.(type) {
			case map[string]any:
				next, ok := at[key]
				if !ok {
					ts.Fatalf("there is no %s", path)
				}
				v = next
			case []any:
				i, err := strconv.Atoi(key)
				if err != nil || i >= len(at) {
					ts.Fatalf("there is no %s", path)
				}
				v = at[i]
			default:
				ts.Fatalf("there is no %s", path)
			}
		}
		if text, err := json.Marshal(v); compare && (err != nil || string(text) != want) {
			ts.Fatalf("%s is %s, want %s", path, text, want)
		}
	}
}

func cut(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	if n < 0 {
		n += len(b)
	}
	ts.Check(os.WriteFile(path, b[:n], 0o600))
}

func hardlink(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.Link(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
}

func forge(ts *testscript.TestScript, neg bool, args []string) {
	var b bytes.Buffer
	switch args[0] {
	case "idx": // 1,310,720 images of 1024 x 8 bytes
		b.Write([]byte{0, 0, 8, 3})
		for _, n := range []uint32{1310720, 1024, 8} {
			ts.Check(binary.Write(&b, binary.BigEndian, n))
		}
		b.WriteString("only a few bytes")
	case "npy":
		header := "{'descr': '<f8', 'fortran_order': False, 'shape': (1310720000, 1), }"
		header += strings.Repeat(" ", 117-len(header)) + "\n"
		b.WriteString("\x93NUMPY\x01\x00")
		ts.Check(binary.Write(&b, binary.LittleEndian, uint16(len(header))))
		b.WriteString(header + "only a few bytes")
	case "parquet": // a footer of almost 4 GB
		b.WriteString("PAR1only a few bytes\xf0\xff\xff\xffPAR1")
	default:
		ts.Fatalf("cannot forge %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o600))
}
