package objects

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// An empty object has no first byte to ask for.
func TestEmptyObject(t *testing.T) {
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
	}))
	defer store.Close()
	t.Setenv("AWS_ENDPOINT_URL_S3", store.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	o, err := Open(t.Context(), "s3://bucket/empty.csv")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(o); len(all) != 0 || err != nil {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}
