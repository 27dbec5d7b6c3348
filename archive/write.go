package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/npy"
)

// Write writes s as the bytes of a model file. The same state gives the same bytes.
func Write(w io.Writer, s State) error {
	if err := checkState(s); err != nil {
		return err
	}
	meta := describe(s, version.String())
	var problem *FileError
	if errors.As(meta.check(), &problem) {
		return fmt.Errorf("model: method %s: the description %s", s.Description.Method, strings.TrimPrefix(problem.Problem, "is damaged: its meta.json "))
	}
	meta.Checksum = checksum(s.Arrays)
	text, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return fmt.Errorf("model: method %s: its description cannot be written: %w", s.Description.Method, err)
	}
	out := npy.NewArchiveWriter(w, false)
	if err := out.File(metaFile, append(text, '\n')); err != nil {
		return err
	}
	for _, name := range names(s.Arrays) {
		a := s.Arrays[name]
		if err := out.Array(name, &npy.Array{Shape: a.Shape, Data: a.Data}); err != nil {
			return err
		}
	}
	return out.Close()
}

// checkState refuses arrays that Load would refuse, so that no file is written in vain.
func checkState(s State) error {
	if s.Description.Method == "" {
		return errors.New("model: the model names no method")
	}
	for _, name := range names(s.Arrays) {
		a := s.Arrays[name]
		if !validName(name) {
			return fmt.Errorf("model: method %s: %q is no name for an array", s.Description.Method, name)
		}
		if product(a.Shape) != len(a.Data) {
			return fmt.Errorf("model: method %s: array %s of shape %v has %d numbers", s.Description.Method, name, a.Shape, len(a.Data))
		}
		if i := firstNotFinite(a.Data); i >= 0 {
			return fmt.Errorf("model: method %s: array %s holds %g at position %d", s.Description.Method, name, a.Data[i], i)
		}
	}
	return nil
}

// validName tells whether an array may have this name: a plain word that is safe as a
// file name everywhere.
func validName(name string) bool {
	if name == "" || len(name) > 100 {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
}

func firstNotFinite(v []float64) int {
	return slices.IndexFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func names(arrays map[string]Array) []string { return slices.Sorted(maps.Keys(arrays)) }

// checksum is described in the package comment.
func checksum(arrays map[string]Array) string {
	h := sha256.New()
	var buffer []byte
	for _, name := range names(arrays) {
		a := arrays[name]
		buffer = binary.LittleEndian.AppendUint64(buffer[:0], uint64(len(name)))
		buffer = append(buffer, name...)
		buffer = binary.LittleEndian.AppendUint64(buffer, uint64(len(a.Shape)))
		for _, k := range a.Shape {
			buffer = binary.LittleEndian.AppendUint64(buffer, uint64(k))
		}
		h.Write(buffer)
		for data := a.Data; len(data) > 0; {
			n := min(len(data), 1<<12)
			buffer = buffer[:0]
			for _, v := range data[:n] {
				buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
			}
			h.Write(buffer)
			data = data[n:]
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
