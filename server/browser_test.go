package server

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
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
	ctx, release := context.WithTimeout(p.ctx, 30*time.Second)
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

// brushed drags over a picture from one place to another, given as shares of its width and height.
func brushed(picture int, from, to string) string {
	return fmt.Sprintf(`(() => { const c = document.querySelectorAll("canvas")[%d], r = c.getBoundingClientRect(), left = 58, wide = r.width - 70, tall = r.height - 44;
		const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {clientX: r.left + left + x * wide, clientY: r.top + 10 + y * tall, pointerId: 1, bubbles: true}));
		c.setPointerCapture = () => {}; send("pointerdown", %s); send("pointermove", %s); send("pointerup", %s); })()`, picture, from, to, to)
}
