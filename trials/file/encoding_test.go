package file

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
)

func TestNamesAndClassesInWindows1252(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.csv")
	text := "Gr\xf6\xdfe,Gr\xe4\xdfe,Preis in \x80,Art\n1,2,3,M\xe4\n2,3,1,M\xf6\n5,4,4,M\xe4\n1,6,7,M\xf6\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := file.Read(context.Background(), path, file.Options{Target: "Art"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Größe", "Gräße", "Preis in €"}; !reflect.DeepEqual(s.Columns, want) {
		t.Errorf("columns %q, want %q", s.Columns, want)
	}
	if want := []string{"Mä", "Mö"}; !reflect.DeepEqual(s.Target.Classes, want) {
		t.Errorf("classes %q, want %q", s.Target.Classes, want)
	}
}
