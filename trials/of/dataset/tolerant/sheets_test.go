package tolerant

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// book is a small workbook: for each sheet its attributes, cells by place and merged ranges.
func book(t *testing.T, sheets ...[3]string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	part := func(name, text string) {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	list := ""
	for k, s := range sheets {
		list += fmt.Sprintf(`<sheet name="s%d" %s/>`, k+1, s[0])
		rows := ""
		for i, line := range strings.Split(s[1], "\n") {
			rows += fmt.Sprintf(`<row r="%d">`, i+1)
			for j, cell := range strings.Split(line, ",") {
				rows += fmt.Sprintf(`<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+j, i+1, cell)
			}
			rows += "</row>"
		}
		part(fmt.Sprintf("xl/worksheets/sheet%d.xml", k+1), "<worksheet><sheetData>"+rows+"</sheetData><mergeCells>"+s[2]+"</mergeCells></worksheet>")
	}
	part("xl/workbook.xml", "<workbook><sheets>"+list+"</sheets></workbook>")
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return save(t, "book.xlsx", out.String())
}

// Covers and hidden sheets stand back behind the one with the data; a name over two lines is no cell of the rows.
func TestSheets(t *testing.T) {
	const data = "a,b\n1,x\n2,y\n3,x\n4,y\n5,x"
	for name, path := range map[string]string{
		"title":  book(t, [3]string{"", "Report"}, [3]string{"", data}),
		"cover":  book(t, [3]string{"", "Report\nMade by,Ann\nOn,2024-01-01"}, [3]string{"", data}),
		"hidden": book(t, [3]string{`state="hidden"`, "codes\nk1\nk2\nk3\nk4\nk5"}, [3]string{"", data}),
	} {
		if table := open(t, tolerant.Options{}, path); table.Rows != 5 || describeColumns(table) != "a number\nb category\n" || !strings.Contains(remarksOf(table), `Sheet "s2" was read`) {
			t.Errorf("%s: %d rows of\n%s%s", name, table.Rows, describeColumns(table), remarksOf(table))
		}
	}
	table := open(t, tolerant.Options{}, book(t, [3]string{"", "Region,Sales\n,q1,q2\nnorth,1.5,2\n,2.5,3\n,4,1\nsouth,3,1\n,5.5,2\n,1,7", `<mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="A3:A5"/><mergeCell ref="A6:A8"/>`}))
	if table.Rows != 6 || table.Columns[0].Name != "Region" || table.Columns[0].Missing != 0 || table.Text(4, 0) != "south" || !strings.Contains(table.Columns[2].Name, "q2") {
		t.Errorf("merged: %d rows of\n%s%s", table.Rows, describeColumns(table), remarksOf(table))
	}
}
