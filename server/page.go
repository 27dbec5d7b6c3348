package server

import (
	"embed"
	"net/http"
	"strings"
)

//go:embed page
var files embed.FS

// routePage answers with the page: fixed files that hold no data.
func (s *Server) routePage(mux *http.ServeMux) {
	kinds := map[string]string{"index.html": "text/html; charset=utf-8", "app.js": "text/javascript; charset=utf-8", "pictures.js": "text/javascript; charset=utf-8", "style.css": "text/css; charset=utf-8"}
	for name, kind := range kinds {
		content, err := files.ReadFile("page/" + name)
		if err != nil {
			panic(err) // it is part of the program
		}
		path := "GET /" + strings.TrimSuffix(name, "index.html")
		if strings.HasSuffix(path, "/") {
			path += "{$}"
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(content)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is nothing here")
	})
}
