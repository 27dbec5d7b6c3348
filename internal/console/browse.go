package console

import (
	"context"
	"os/exec"
	"runtime"
)

// Browse opens an address in the user's browser, if there is one.
func Browse(ctx context.Context, address string) {
	words := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if words == nil {
		words = []string{"xdg-open"}
	}
	_ = exec.CommandContext(ctx, words[0], append(words[1:], address)...).Start() // the address is printed as well
}
