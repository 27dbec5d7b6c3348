package catalog

import "github.com/inlier-ml/inlier/internal/scaling"

// scalingParam is the parameter that names how columns are brought to a common size.
func scalingParam(kind scaling.Kind) Param {
	p := Param{
		Name: "scaling", Kind: Choice, Default: string(kind),
		Meaning: "columns before the fit: by median and absolute deviation, to [0,1], by mean and standard deviation, or as they are",
	}
	for _, k := range scaling.Kinds {
		p.Choices = append(p.Choices, string(k))
	}
	return p
}

// inputScalingParam is the same parameter where the data decide unless it is given.
func inputScalingParam(auto string) Param {
	p := scalingParam("auto")
	p.Choices = append([]string{"auto"}, p.Choices...)
	p.Meaning += "; " + auto
	return p
}

// settleScaling writes what auto stands for.
func settleScaling(v Values, name string, table bool) {
	if !v.Is(name, "auto") {
		return
	}
	if v[name] = string(scaling.None); table {
		v[name] = string(scaling.Robust)
	}
}
