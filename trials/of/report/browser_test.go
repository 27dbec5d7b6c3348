package report

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
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

// collector notes what goes wrong in a page, before the page's own script runs.
const collector = `window.problems = [];
addEventListener("securitypolicyviolation", e => problems.push("policy: " + e.violatedDirective + " " + e.blockedURI));
addEventListener("error", e => problems.push("error: " + e.message), true);
console.error = (...a) => problems.push("console: " + a.join(" "));
console.warn = console.error;`

// looks is what the test reads off an open page.
type looks struct {
	Problems []string `json:"problems"`
	Loaded   []string `json:"loaded"`
	Client   int      `json:"client"`
	Scroll   int      `json:"scroll"`
	Wide     int      `json:"wide"`
	Phone    int      `json:"phone"`
	Ink      string   `json:"ink"`
	Paper    string   `json:"paper"`
	Small    []string `json:"small"`
	Clipped  []string `json:"clipped"` // texts that reach beyond their picture
	Cut      []string `json:"cut"`     // names that end in an ellipsis
}

const look = `(() => {
  const root = document.documentElement, shown = s => Array.from(document.querySelectorAll(s)).filter(e => e.getClientRects().length).length;
  const small = [], clipped = [], cut = [];
  for (const t of document.querySelectorAll("svg text")) {
    if (!t.getClientRects().length) continue;
    const svg = t.ownerSVGElement, size = parseFloat(t.style.fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (size < 9) small.push(size.toFixed(1) + " " + t.textContent);
    const r = t.getBoundingClientRect(), s = svg.getBoundingClientRect();
    if (r.left < s.left - 2 || r.right > s.right + 2 || r.top < s.top - 4 || r.bottom > s.bottom + 4) clipped.push(t.textContent);
    if (t.textContent.endsWith("…")) cut.push(t.textContent);
  }
  return {
    problems, small, clipped, cut, loaded: performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith("data:")),
    client: root.clientWidth, scroll: root.scrollWidth, wide: shown(".chart.wide"), phone: shown(".chart.phone"),
    ink: getComputedStyle(document.querySelector("svg text")).fill, paper: getComputedStyle(document.body).backgroundColor,
  };
})()`

// TestPageInBrowser opens the gallery page on a desktop and on a phone, by day
// and by night.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("short run: the page is not opened in a browser")
	}
	path := browser(t)
	html, err := galleryPage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if _, err := w.Write(html); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Skipf("Chromium does not start here: %v", err)
	}
	if err := chromedp.Do(ctx, call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: collector})); err != nil {
		t.Fatal(err)
	}
	ink := map[string]string{}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			name := fmt.Sprintf("%s-%d", scheme, width)
			limited, done := context.WithTimeout(ctx, 2*time.Minute)
			err := chromedp.Do(limited,
				chromedp.EmulateViewport(width, 900),
				call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
				chromedp.Navigate(server.URL+"/"))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := chromedp.Run(limited, chromedp.Evaluate[looks](look))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got.check(t, name, width == 390)
			ink[scheme] = got.Ink + " on " + got.Paper
			if *galleryDir != "" {
				shot, err := chromedp.Run(limited, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if err := os.WriteFile(filepath.Join(*galleryDir, "page-"+name+".png"), shot, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			done()
		}
	}
	if ink["light"] == ink["dark"] {
		t.Errorf("charts and page look the same by day and by night: %s", ink["light"])
	}
	sorted, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(() => { const h = document.querySelectorAll("thead th")[2]; h.click(); return h.closest("table").tBodies[0].rows[0].cells[0].textContent })()`))
	if err != nil || sorted != "pca-kmpe" {
		t.Errorf("after sorting by angle the first method is %q (%v), want pca-kmpe", sorted, err)
	}
	for _, p := range asked {
		if p != "/" {
			t.Errorf("the page asked the server for %s", p)
		}
	}
}

func (l looks) check(t *testing.T, name string, phone bool) {
	t.Helper()
	for _, p := range l.Problems {
		t.Errorf("%s: %s", name, p)
	}
	for _, r := range l.Loaded {
		t.Errorf("%s: the page loads %s", name, r)
	}
	if l.Scroll > l.Client {
		t.Errorf("%s: the page is %d px wide in a window of %d", name, l.Scroll, l.Client)
	}
	if len(l.Small) > 0 {
		t.Errorf("%s: %d texts in charts are smaller than 9 px, such as %q", name, len(l.Small), l.Small[0])
	}
	if len(l.Clipped) > 0 {
		t.Errorf("%s: %d texts reach beyond their picture: %q", name, len(l.Clipped), l.Clipped)
	}
	if len(l.Cut) > 0 {
		t.Errorf("%s: %d names are cut: %q", name, len(l.Cut), l.Cut)
	}
	if phone && (l.Wide != 0 || l.Phone == 0) || !phone && (l.Wide == 0 || l.Phone != 0) {
		t.Errorf("%s: %d wide and %d narrow charts are shown", name, l.Wide, l.Phone)
	}
}

// call makes an action of a protocol command.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}
