package server

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/inlier-ml/inlier/server"
)

// browser finds Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine: the page is not opened in a browser")
	return ""
}

const collector = `window.problems = [];
addEventListener("securitypolicyviolation", e => problems.push("policy: " + e.violatedDirective + " " + e.blockedURI));
addEventListener("error", e => problems.push("error: " + e.message), true);
addEventListener("unhandledrejection", e => problems.push("promise: " + e.reason));
console.error = (...a) => problems.push("console: " + a.join(" "));`

// person is somebody with a browser. With INLIER_PICTURES set to a folder every screen is photographed there.
type person struct {
	t    *testing.T
	ctx  context.Context
	once *sync.Once
}

// somebody sits down at a browser, or skips the test.
func somebody(t *testing.T) person {
	t.Helper()
	if testing.Short() {
		t.Skip("short run: no browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(browser(t)))
	started, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, quit := chromedp.NewContext(started)
	t.Cleanup(quit)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Skipf("Chromium does not start here: %v", err)
	}
	return person{t, ctx, new(sync.Once)}
}

// sees evaluates an expression in the page.
func sees[T any](p person, expression string) T {
	p.t.Helper()
	v, err := evaluated[T](p, expression)
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func evaluated[T any](p person, expression string) (T, error) {
	ctx, release := context.WithTimeout(p.ctx, 3*time.Minute)
	defer release()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression))
}

func (p person) text() string {
	p.t.Helper()
	return sees[string](p, "document.querySelector('main').innerText")
}

// waits until a condition holds. A page that is just being left for another cannot be asked: the next one is.
func (p person) waits(condition string) {
	p.t.Helper()
	for range 600 {
		holds, err := evaluated[bool](p, "!!("+condition+")")
		if err != nil && !strings.Contains(err.Error(), "navigated") {
			p.t.Fatalf("%s: %v", condition, err)
		}
		if holds {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatalf("%s does not come true; the page says: %.800s", condition, p.text())
}

func (p person) waitsFor(selector string) {
	p.t.Helper()
	p.waits(fmt.Sprintf("document.querySelector(%q)", selector))
}

// clicks on the first link or button with a text.
func (p person) clicks(text string) {
	p.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll('a, button, summary')].find(e => e.textContent === %q && e.getClientRects().length)", text)
	p.waits(find)
	sees[any](p, find+".click()")
}

// drops a file where the page takes one.
func (p person) drops(name, content string) {
	p.t.Helper()
	p.waitsFor(".drop")
	sees[any](p, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([%q], %q));
		document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); })()`, content, name))
}

func (p person) goes(address string) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, chromedp.Navigate(address)); err != nil {
		p.t.Fatal(err)
	}
}

// looks sets the size of the window and the time of day.
func (p person) looks(width int64, scheme string) {
	p.t.Helper()
	media := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
	if err := chromedp.Do(p.ctx, chromedp.EmulateViewport(width, 900), media); err != nil {
		p.t.Fatal(err)
	}
}

// audits lets axe-core look at a screen, where INLIER_AXE names its script (.ci/run fetches it): nothing serious may be found.
func (p person) audits(name string) {
	p.t.Helper()
	path := os.Getenv("INLIER_AXE")
	if path == "" {
		p.once.Do(func() { p.t.Log("INLIER_AXE is not set: axe-core does not look at the screens") })
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	sees[any](p, "void (window.axe || (() => {"+string(script)+"})())")
	sees[any](p, `void (window.audit = null, axe.run(document, {resultTypes: ["violations"], iframes: false}).then(r => { window.audit = r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + (n.any[0]?.message || n.all[0]?.message || "")).join(" | ")); }))`)
	p.waits("window.audit")
	for _, found := range sees[[]string](p, "window.audit") {
		p.t.Errorf("%s: %s", name, found)
	}
}

// photographs a screen, and insists that it fits a phone and that axe finds nothing serious by day and by night.
func (p person) photographs(name string) {
	p.t.Helper()
	folder := os.Getenv("INLIER_PICTURES")
	for _, look := range []struct {
		name, scheme string
		width        int64
	}{{"day", "light", 1200}, {"night", "dark", 1200}, {"phone", "light", 390}} {
		p.looks(look.width, look.scheme)
		if sees[bool](p, "document.documentElement.scrollWidth > innerWidth") {
			p.t.Errorf("%s, %s: the page is wider than the window", name, look.name)
		}
		if look.width > 1000 {
			p.audits(name + ", " + look.name)
		}
		if folder == "" {
			continue
		}
		picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+"-"+look.name+".png"), picture, 0o600)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	p.looks(1200, "light")
}

// brushed drags over a picture from one place to another, given as shares of its width and height.
func brushed(picture int, from, to string) string {
	return fmt.Sprintf(`(() => { const c = document.querySelectorAll("canvas")[%d], r = c.getBoundingClientRect(), left = 58, wide = r.width - 70, tall = r.height - 44;
		const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {clientX: r.left + left + x * wide, clientY: r.top + 10 + y * tall, pointerId: 1, bubbles: true}));
		c.setPointerCapture = () => {}; send("pointerdown", %s); send("pointermove", %s); send("pointerup", %s); })()`, picture, from, to, to)
}

// A person drops a dirty table, sees the planted rows, fits a model and asks it about a file.
func TestAPersonAtTheWorkbench(t *testing.T) {
	p := somebody(t)
	s, err := server.New(server.Options{Folder: t.TempDir(), Token: "word"})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	defer func() {
		web.CloseClientConnections()
		web.Close()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	p.goes(web.URL)
	p.waits("document.querySelector('h1')?.textContent === 'A token is needed'")
	enters := func(word string) {
		sees[any](p, fmt.Sprintf(`document.querySelector("input[type=password]").value = %q`, word))
		p.clicks("Go on")
	}
	enters("guess")
	p.waits("document.querySelector('main').innerText.includes('This is not the token')")
	enters("word")
	p.waitsFor(".drop")
	p.goes(web.URL + "/?again#token=word")
	p.waitsFor(".drop")
	sees[any](p, collector)
	if at := sees[string](p, "location.href"); strings.Contains(at, "word") {
		t.Errorf("the token stays in %s", at)
	}
	p.photographs("1-start")
	p.drops("empty.csv", "")
	p.waitsFor(".problem")
	p.drops("orders.csv", orders())
	p.waits("document.querySelector('h1').textContent === 'orders.csv'")
	p.photographs("2-preview")
	p.clicks("Check this file")
	p.waitsFor("td.guilty")
	text := p.text()
	for _, want := range []string{"3 of 300 rows look wrong", "11 (A0010)", "42 (A0041)", "200 (A0199)", "inlier check orders.csv"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page: %s", want, text)
		}
	}
	p.clicks("The report on paper")
	p.waits("document.querySelectorAll('canvas').length === 5 && [...document.querySelectorAll('canvas')].every(c => c.width > 300)")
	p.photographs("3-result")
	p.clicks("Select wrong rows")
	p.waits("document.querySelector('main').innerText.includes('3 of 300 rows selected')")
	sees[any](p, brushed(2, "0, 0", "0.5, 1"))
	p.waits("/^1\\d\\d of 300 rows selected/m.test(document.querySelector('main').innerText)")
	p.waits("document.querySelector('main').innerText.includes('1 to 100 of')")
	p.photographs("3-selected")
	chooses := func(label, choice string) {
		p.waitsFor(`select[aria-label="` + label + `"]`)
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label="%s"]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, label, choice))
	}
	chooses("Row 11", "drop")
	p.waits("document.querySelector('main').innerText.includes('1 choice, 1 row to drop')")
	chooses("Row 42, total", "repair")
	chooses("Row 200", "drop")
	p.waits("document.querySelector('main').innerText.includes('3 choices, 2 rows to drop')")
	p.clicks("Undo")
	p.waits("document.querySelector('main').innerText.includes('2 choices, 1 row to drop')")
	p.clicks("Make the cleaned file")
	p.waits("[...document.querySelectorAll('a')].some(a => a.textContent === 'repaired.csv')")
	cleaned := sees[string](p, "[...document.querySelectorAll('a')].find(a => a.textContent === 'repaired.csv').href")
	p.waits("document.querySelector('.made')?.textContent.includes('The cleaned file is made, with 2 changes')")
	p.photographs("3-cleaned")
	if got := sees[int](p, `(() => { const r = new XMLHttpRequest(); r.open("GET", "`+cleaned+`", false); r.send(); return r.responseText.split("\n").length; })()`); got != 301 {
		t.Errorf("the cleaned file has %d lines", got)
	}
	p.clicks("Files")
	p.clicks("orders.csv")
	p.waitsFor(`select[aria-label="Target"]`)
	sees[any](p, `document.querySelector('select[aria-label="Target"]').value = "total"`)
	p.clicks("Fit a model")
	p.clicks("Parameters")
	p.photographs("4-form")
	p.clicks("Fit")
	p.waits("document.querySelector('main').innerText.includes('Use the model')")
	if text = p.text(); !strings.Contains(text, "3 of 300") {
		t.Errorf("the fit says: %s", text)
	}
	p.waits("document.querySelectorAll('canvas').length === 5 && [...document.querySelectorAll('canvas')].every(c => c.width > 300)")
	p.photographs("5-fit")
	slides := func(to int) {
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector("input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); })()`, to))
	}
	at := sees[int](p, "Number(document.querySelector('input[type=range]').value)")
	settled := sees[string](p, "document.querySelector('output').textContent")
	slides(0)
	if now := sees[string](p, "document.querySelector('output').textContent"); now == settled || !strings.Contains(settled, "as fitted") {
		t.Errorf("the slider moves from %q to %q", settled, now)
	}
	p.photographs("5-narrow")
	slides(at)
	// Rows without a vote at the settled scale: the planted ones.
	sees[any](p, brushed(4, "0.28, 0.9", "0.4, 1"))
	p.waits("/^[3-9] of 300 rows selected/m.test(document.querySelector('main').innerText)")
	p.waitsFor(`[aria-label="Selected rows"]`)
	p.photographs("5-paths")
	p.clicks("Fit the classical way beside it")
	p.waits("document.querySelector('main').innerText.includes('The same rows twice')")
	p.waits("document.querySelectorAll('canvas').length === 3 && [...document.querySelectorAll('canvas')].every(c => c.width > 300)")
	p.clicks("Select rows that they judge differently")
	p.photographs("5-beside")
	sees[any](p, "history.back()")
	p.waits("document.querySelector('main').innerText.includes('Use the model')")
	p.clicks("Use the model")
	p.drops("new.csv", orders())
	p.waits("document.querySelector('main').innerText.includes('Download them all')")
	if text = p.text(); !strings.Contains(text, "300 rows") || !strings.Contains(text, "regular") {
		t.Errorf("the verdict says: %s", text)
	}
	p.photographs("6-model")
	p.clicks("Work")
	p.waitsFor(".state-done")
	p.photographs("7-work")
	p.clicks("check")
	p.waits("document.querySelector('main').innerText.includes('Check a new batch by this one')")
	p.drops("batch.csv", strings.Replace(orders(), "toy", "boat", 40))
	p.waits("document.querySelector('main').innerText.includes('inlier check batch.csv --against')")
	p.waits("document.querySelector('.linked[data-shown]')")
	if text = p.text(); !strings.Contains(text, "What has changed since the model was learned") || !strings.Contains(text, "Judged by what was learned of orders.csv.") {
		t.Errorf("the new batch: %.600s", text)
	}
	p.photographs("7-batch")
	if problems := sees[[]string](p, "problems"); len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
}
