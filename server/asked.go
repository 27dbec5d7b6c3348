package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier/internal/suggest"
)

// asked refuses questions that an operation does not know: a misspelt one would be passed over, and the answer be to another request.
func (s *Server) asked(mux *http.ServeMux) http.Handler {
	known := map[string][]string{} // by the pattern of a path
	for path, item := range s.api.OpenAPI().Paths {
		for method, o := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete} {
			if o == nil {
				continue
			}
			names := []string{}
			for _, p := range o.Parameters {
				if p.In == "query" {
					names = append(names, p.Name)
				}
			}
			slices.Sort(names)
			known[method+" "+path] = names
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if clean := path.Clean(r.URL.Path); clean != r.URL.Path && clean+"/" != r.URL.Path { // the multiplexer would lead elsewhere
			refuse(w, http.StatusNotFound, "there is nothing here")
			return
		}
		if r.URL.RawQuery != "" {
			_, pattern := mux.Handler(r)
			if names, there := known[pattern]; there {
				if err := unknown(r.URL.RawQuery, names); err != nil {
					refuse(w, http.StatusBadRequest, err.Error())
					return
				}
			}
		}
		mux.ServeHTTP(w, r)
	})
}

// unknown says which part of a query is none of the names, or there twice.
func unknown(query string, names []string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("what stands behind the question mark is malformed: %s", printable(strings.TrimPrefix(err.Error(), "invalid ")))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch near := suggest.Nearest(name, names); {
		case slices.Contains(names, name):
			if len(values[name]) > 1 {
				return fmt.Errorf("the parameter %s stands there twice", name)
			}
		case len(names) == 0:
			return fmt.Errorf("there is no parameter %q here, and no other", printable(name))
		case near != "":
			return fmt.Errorf("there is no parameter %q here; is %s meant?", printable(name), near)
		default:
			return fmt.Errorf("there is no parameter %q here, but %s", printable(name), strings.Join(names, ", "))
		}
	}
	return nil
}

// formats read and write bodies as huma does, and word what does not fit for people.
var formats = func() map[string]huma.Format {
	own := huma.DefaultJSONFormat
	own.Unmarshal = func(text []byte, v any) error {
		err := json.Unmarshal(text, v)
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) && strings.HasPrefix(other.Value, "number") {
			return fmt.Errorf("%s is %s, which is no number that fits there", other.Field, strings.TrimPrefix(other.Value, "number "))
		}
		if errors.As(err, &other) {
			return fmt.Errorf("%s cannot be %s", other.Field, other.Value)
		}
		return err
	}
	return map[string]huma.Format{"application/json": own, "json": own}
}()
