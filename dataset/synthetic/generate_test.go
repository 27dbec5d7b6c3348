package synthetic

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

func TestGeneratorTableIsComplete(t *testing.T) {
	for _, info := range Recipes() {
		if info.Text == "" || len(info.Parameters) == 0 {
			t.Errorf("%s: no text or no parameters", info.Name)
		}
		defaults := map[string]string{}
		for _, p := range info.Parameters {
			if p.Text == "" || p.Range == "" || p.Default == "" {
				t.Errorf("%s: parameter %+v is not described", info.Name, p)
			}
			defaults[p.Name] = p.Default
		}
		// The printed defaults read back as the defaults.
		recipe, err := NewRecipe(info.Name, defaults)
		if err != nil {
			t.Errorf("%s: its own defaults are refused: %v", info.Name, err)
			continue
		}
		if !slices.Equal(setting.Describe(recipe.fields()), info.Parameters) {
			t.Errorf("%s: defaults change when read back", info.Name)
		}
	}
}
