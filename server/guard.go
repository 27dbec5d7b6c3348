package server

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
)

// policy lets a page load nothing from elsewhere and run no script but the server's own files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guard stands before every request: it knows the server's names, refuses requests that other pages have made, asks for the
// token, counts, logs, and turns a panic into an answer.
func (s *Server) guard(next http.Handler) http.Handler {
	strangers := http.NewCrossOriginProtection()
	strangers.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusForbidden, "this request was made by a page from elsewhere")
	}))
	inner := strangers.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Token != "" && guarded(r.URL.Path) && !s.admitted(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "a token is needed: open the address that the server printed, or send it as Authorization: Bearer TOKEN")
			return
		}
		next.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		out := &answer{ResponseWriter: w, control: http.NewResponseController(w)}
		out.silence.Store(int64(s.Silence))
		_ = out.control.SetWriteDeadline(time.Time{}) // that of the answer before
		s.open.begin(out)
		defer s.open.end(out)
		head := w.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("Cache-Control", "no-store")
		defer func() {
			if fault := recover(); fault != nil {
				if fault == http.ErrAbortHandler {
					panic(fault)
				}
				s.Log.Error("a request failed", "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
				if !out.begun {
					refuse(out, http.StatusInternalServerError, "the server has a fault; its log tells more")
				}
			}
			if !out.begun {
				out.status = http.StatusOK // which an empty answer has
			}
			s.counts.answered(out.status)
			s.Log.Info("request", "method", r.Method, "path", r.URL.Path, "status", out.status, "seconds", time.Since(began).Seconds())
		}()
		if !s.knows(r.Host) {
			refuse(out, http.StatusMisdirectedRequest, "the server does not answer under the name "+printable(r.Host))
			return
		}
		inner.ServeHTTP(out, r)
	})
}

// guarded tells what the token protects: everything but the page itself, which holds no data, and the sign of life.
func guarded(path string) bool {
	return path == "/metrics" || strings.HasPrefix(path, "/api/") && path != "/api/v1/session"
}

// knows tells whether a request may name the server so. A page may let its own name lead to this machine, and its requests
// then look as if they came from here.
func (s *Server) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if address, err := netip.ParseAddr(name); err == nil {
		return address.IsLoopback() || s.Token != "" // an address is no name that a stranger could have given
	}
	return name == "localhost" || slices.ContainsFunc(s.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// admitted tells whether a request carries the token, or the cookie that it was exchanged for.
func (s *Server) admitted(r *http.Request) bool {
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return same(given, s.Token)
	}
	cookie, err := r.Cookie(cookieName(r))
	return err == nil && same(cookie.Value, s.pass())
}

// pass is what the cookie holds: it does not give the token away.
func (s *Server) pass() string {
	sum := hmac.New(sha256.New, []byte(s.Token))
	sum.Write([]byte("cookie"))
	return hex.EncodeToString(sum.Sum(nil))
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// cookieName holds the port, since cookies do not know of ports and servers on others would overwrite it.
func cookieName(r *http.Request) string {
	port := "80"
	if _, p, err := net.SplitHostPort(r.Host); err == nil {
		port = p
	}
	return "inlier-" + port
}

// session exchanges the token for a cookie that scripts cannot read.
func (s *Server) session(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Token string `json:"token"`
	}
	var text bytes.Buffer
	if _, err := s.copyBody(&text, w, r, 4096); err != nil {
		s.refuseError(w, err)
		return
	}
	if err := json.Unmarshal(text.Bytes(), &body); err != nil {
		refuse(w, http.StatusBadRequest, "a body such as {\"token\": \"...\"} is expected")
		return
	}
	if s.Token == "" || !same(body.Token, s.Token) {
		refuse(w, http.StatusUnauthorized, "this is not the token")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: s.pass(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
}

// refuse answers with a problem as RFC 9457 has it.
func refuse(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
}

// printable is a text of a request, cut and without control characters.
func printable(text string) string {
	if len(text) > 80 {
		text = text[:80] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || unicode.Is(unicode.Bidi_Control, r) { // which would show the rest backwards
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// answer remembers how a request was answered, and lets clients go that do not take it.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	silence atomic.Int64 // how long it may be, in nanoseconds
	reading atomic.Bool  // the body
	status  int
	begun   bool
}

func (a *answer) WriteHeader(status int) {
	if !a.begun {
		a.status, a.begun = status, true
	}
	a.patience()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if !a.begun {
		a.status, a.begun = http.StatusOK, true
	}
	for sent := 0; ; { // piece by piece, since the time that a large one takes is not silence
		a.patience()
		n, err := a.ResponseWriter.Write(b[sent:min(sent+piece, len(b))])
		if sent += n; err != nil || sent == len(b) {
			return sent, err
		}
	}
}

// piece is how many bytes a client must take before its patience ends.
const piece = 64 << 10

// patience bounds how long the next piece may take to leave; the whole may take as long as it needs.
func (a *answer) patience() {
	_ = a.control.SetWriteDeadline(time.Now().Add(time.Duration(a.silence.Load())))
}

// Unwrap lets http.ResponseController reach what lies below.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
