package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/inlier-ml/inlier"
)

// Listen is a server on an address, until its context ends.
type Listen struct {
	Options
	Address string               // host and port; port 0: one that is free
	Ready   func(address string) // is told where the page is, as an address for a browser; may be nil
	Grace   time.Duration        // that the job under way gets at the end; 0: Grace
}

// Grace is how long a server that is stopped lets the job under way go on.
const Grace = 10 * time.Second

// Run answers requests. An address that others can reach needs a token.
func (l Listen) Run(ctx context.Context) error {
	if l.Grace == 0 {
		l.Grace = Grace
	}
	if l.Grace < 0 || l.Grace > 24*time.Hour {
		return &inlier.Error{Parameter: "grace", Problem: "a server that is stopped waits a day at most", Hint: "{grace} is a time such as 10s or 15m"}
	}
	host, _, err := net.SplitHostPort(l.Address)
	if err != nil {
		return &inlier.Error{Parameter: "addr", Problem: fmt.Sprintf("%q is no address", l.Address), Hint: "it is a host and a port, such as 127.0.0.1:8080"}
	}
	if l.Token == "" && !loopback(host) {
		return &inlier.Error{Parameter: "addr", Problem: fmt.Sprintf("others can reach %s, so that a token is needed", l.Address), Hint: "{token} sets one, such as " + rand.Text()}
	}
	if host != "" && !loopback(host) {
		l.Hosts = append(l.Hosts, host)
	}
	if name, err := os.Hostname(); err == nil && !loopback(host) {
		l.Hosts = append(l.Hosts, name)
	}
	s, err := New(l.Options)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", l.Address)
	if err != nil {
		s.Close(ctx)
		return &inlier.Error{Parameter: "addr", Problem: err.Error(), Hint: "port 0 takes one that is free"}
	}
	if l.Ready != nil {
		l.Ready(l.page(listener.Addr()))
	}
	web, fresh := s.web(), &silent{}
	web.ConnState = fresh.follow
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = nil
	}
	grace, release := context.WithTimeout(context.Background(), l.Grace)
	defer release()
	s.events.close() // streams never end by themselves
	s.open.hurry()
	defer time.AfterFunc(hurry/4, fresh.close).Stop()
	if stopped := web.Shutdown(grace); stopped != nil {
		web.Close()
	}
	if closed := s.Close(grace); err == nil {
		err = closed
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// page is the address for a browser here; every address of this machine is no address of its own.
func (l Listen) page(at net.Addr) string {
	place := at.String()
	if a, err := netip.ParseAddrPort(place); err == nil && a.Addr().IsUnspecified() {
		place = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
	}
	if l.Token == "" {
		return "http://" + place + "/"
	}
	return "http://" + place + "/#token=" + url.QueryEscape(l.Token) // a fragment stays in the browser
}

// web is the server below, with the limits of what comes before a handler.
func (s *Server) web() *http.Server {
	return &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: log.New(quiet{}, "", 0)}
}

// quiet takes what the web server says of clients that break off: the log of requests tells enough.
type quiet struct{}

func (quiet) Write(b []byte) (int, error) { return len(b), nil }

// loopback tells that only this machine reaches a host.
func loopback(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.IsLoopback()
	}
	return host == "localhost"
}

// UsualFolder is where the state is kept where nothing else is said.
func UsualFolder() (string, error) {
	if runtime.GOOS == "linux" {
		if home := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(home) {
			return filepath.Join(home, "inlier"), nil
		}
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, ".local", "share", "inlier"), nil
		}
	}
	folder, err := os.UserConfigDir()
	return filepath.Join(folder, "inlier"), err
}
