package server

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/inlier-ml/inlier/report"
)

//go:embed page
var pageFiles embed.FS

// routePage answers with the page: fixed files that hold no data. What draws linked pictures is that of reports.
func (s *Server) routePage(mux *http.ServeMux) {
	kinds := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
	for _, from := range []struct {
		fs.FS
		folder, under string
	}{{pageFiles, "page", "/"}, {report.LinkedFiles, "linked", "/linked/"}} {
		found, err := fs.ReadDir(from, from.folder)
		if err != nil {
			panic(err) // it is part of the program
		}
		for _, e := range found {
			content, err := fs.ReadFile(from, from.folder+"/"+e.Name())
			if err != nil {
				panic(err)
			}
			at := from.under + strings.TrimSuffix(e.Name(), "index.html")
			if strings.HasSuffix(at, "/") {
				at += "{$}"
			}
			mux.HandleFunc("GET "+at, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", kinds[path.Ext(e.Name())])
				_, _ = w.Write(content)
			})
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is nothing here")
	})
}
