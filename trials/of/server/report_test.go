package server

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// The report that is downloaded is opened from the disk: rows that are brushed in one picture are selected in the others and in the list.
func TestTheReportIsAWorkbench(t *testing.T) {
	p := somebody(t)
	folder := t.TempDir()
	data := filepath.Join(folder, "orders.csv")
	if err := os.WriteFile(data, []byte(orders()), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := inlier.Check{Paths: []string{data}, Seed: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(folder, "report.html")
	if err := result.Page(t.Context()).Save(page); err != nil {
		t.Fatal(err)
	}
	p.goes("file://" + page)
	sees[any](p, collector)
	p.waits("document.querySelectorAll('canvas').length === 5 && [...document.querySelectorAll('canvas')].every(c => c.width > 300)")
	if shown := sees[int](p, "[...document.querySelectorAll('.still')].filter(e => e.getClientRects().length).length"); shown > 0 {
		t.Errorf("%d sections stand still beside the linked pictures", shown)
	}
	if shown := sees[string](p, "[...document.querySelectorAll('figcaption')].map(e => e.textContent).join('; ')"); !strings.Contains(shown, "Two columns: tax against total; One column: total") {
		t.Errorf("columns with wrong cells do not come first: %s", shown)
	}
	p.photographs("9-report")
	p.clicks("Select wrong rows")
	p.waits("document.querySelector('main').innerText.includes('3 of 300 rows selected')")
	p.waits("document.querySelector('.chosen')?.innerText.includes('42 (A0041)')")
	for k := range 5 {
		before := sees[string](p, "document.querySelector('.count').textContent")
		sees[any](p, "[...document.querySelectorAll('button')].find(b => b.textContent === 'Select all').click()")
		sees[any](p, brushed(k, "-0.1, -0.1", "0.6, 1"))
		if now := sees[string](p, "document.querySelector('.count').textContent"); now == before || now == "All 300 rows." {
			t.Errorf("picture %d: brushing leaves %q", k, now)
		}
	}
	// A lasso around the left half of the first picture selects less than the box around it.
	counted := func() (n int) {
		_, _ = fmt.Sscan(sees[string](p, "document.querySelector('.count').textContent"), &n)
		return n
	}
	sees[any](p, brushed(3, "0, 0", "0.5, 1"))
	box := counted()
	sees[any](p, `document.querySelector("input[value=lasso]").click()`)
	sees[any](p, `(() => { const c = document.querySelectorAll("canvas")[3], r = c.getBoundingClientRect();
		const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {clientX: r.left + 58 + x * (r.width - 70), clientY: r.top + 10 + y * (r.height - 44), pointerId: 1, bubbles: true}));
		c.setPointerCapture = () => {}; send("pointerdown", 0, 1); send("pointermove", 0, 0); send("pointermove", 0.5, 1); send("pointerup", 0, 1); })()`)
	if lasso := counted(); lasso == 0 || lasso >= box {
		t.Errorf("the box holds %d rows, the lasso within %d", box, lasso)
	}
	// By the keyboard alone.
	sees[any](p, `(() => { const c = document.querySelectorAll("canvas")[3], press = (key, more) => c.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...more}));
		c.focus(); press("Escape"); press(" "); for (let i = 0; i < 9; i++) press("ArrowLeft", {shiftKey: true}); for (let i = 0; i < 9; i++) press("ArrowDown", {shiftKey: true}); press(" "); })()`)
	if keys := counted(); keys == 0 || keys == 300 {
		t.Errorf("the keyboard selects %d rows", keys)
	}
	p.photographs("9-report-selected")
	if problems := sees[[]string](p, "problems"); len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
}

// The report of a table that is too large to be drawn whole says so, and stays below 5 MB.
func TestTheReportOfALargeTable(t *testing.T) {
	long(t)
	p := somebody(t)
	folder := t.TempDir()
	data, page := filepath.Join(folder, "large.csv"), filepath.Join(folder, "report.html")
	draw := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("order,a,b,c\n")
	for i := range 300000 {
		v := draw.NormFloat64()
		fmt.Fprintf(&b, "A%07d,%.3f,%.3f,%.3f\n", i, v, v+0.1*draw.NormFloat64(), 10*v+draw.NormFloat64()+float64(i%1000/999)*90)
	}
	if err := os.WriteFile(data, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := inlier.Check{Paths: []string{data}, Seed: 1}.Run(t.Context(), nil)
	if err == nil {
		err = result.Page(t.Context()).Save(page)
	}
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(page); err != nil || info.Size() > 5_000_000 {
		t.Errorf("the report has %d bytes, %v", info.Size(), err)
	}
	p.goes("file://" + page)
	p.waitsFor(".linked[data-shown]")
	p.clicks("Select wrong rows")
	p.waits("document.querySelector('.count').textContent.includes('of 300,000 rows in the file')")
	p.waits("document.querySelector('.chosen table')")
	first := sees[string](p, "document.querySelector('.chosen td').textContent")
	if !strings.HasPrefix(first, fmt.Sprint(result.WrongRows[0], " ")) {
		t.Errorf("the first selected row is %q, the first wrong one %d", first, result.WrongRows[0])
	}
	p.photographs("9-report-large")
}
