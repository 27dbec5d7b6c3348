package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
)

// Parameters that tensor methods share.
var (
	shapeParam       = Param{Name: "shape", Kind: Text, Default: "auto", Meaning: "shape of a sample, such as 64x64 or 64x64x3; auto: that of the data"}
	rankParam        = Param{Name: "rank", Kind: Text, Default: "auto", Meaning: "numbers kept per mode, such as 15x15; one number: for every mode; auto: the smallest that keep the share"}
	columnsRankParam = Param{Name: "rank", Kind: Text, Default: "auto", Meaning: "numbers kept per row (the second mode), such as 15; auto: the smallest that keep the share"}
	tensorShareParam = Param{Name: "share", Kind: Number, Default: "0.9", Min: 0, Max: 1, Open: true, Meaning: "share of the sum of squares that rank=auto must keep"}
	tensorStartParam = Param{Name: "start", Kind: Choice, Default: "auto", Choices: []string{"auto", "classic"}, Meaning: "where the reweighting begins; auto: the least outlying half of the samples, classic: the one-shot decomposition as in the papers"}
	learnRankParam   = Param{Name: "learn-rank", Kind: Text, Default: "auto", Meaning: "learn the weights at this smaller rank, such as 12x12; auto: 3/8 of each length (off with start=classic); off: at the full rank as in the papers"}
	meanParam        = Param{Name: "mean", Kind: Choice, Default: "weighted", Choices: []string{"weighted", "sample"}, Meaning: "centre: estimated with the factors, or the plain mean as in the methods before corr-tensor"}
	normaliseParam   = Param{Name: "normalise", Kind: Choice, Default: "none", Choices: []string{"none", "mean-norm", "centred-norm"}, Meaning: "unit of a given bandwidth: that of the data, the samples' mean norm, or the median norm of the samples less their mean"}
	betaParam        = Param{Name: "beta", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth of the residual norm; auto: 2 median residuals"}
	alphaParam       = Param{Name: "alpha", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "shape of the correntropy kernel; 2 is the Gaussian"}
	tensorPowerParam = Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "order of the loss in kernel space; 2 is correntropy"}
	neighboursParam  = Param{Name: "neighbours", Kind: Integer, Default: "5", Min: 1, Max: 1000, Meaning: "nearest images that describe an image"}
)

// tensorFitter is what every tensor configuration can do.
type tensorFitter interface {
	Fit(ctx context.Context, x linalg.Source) (*tensor.Model, error)
}

func init() {
	const corr = "Zhang, Gao, Sun, Blumenstein: Robust tensor decomposition for image representation based on generalized correntropy"
	const npp = "Zhang, Li, Zhao, Zhang, Yan: Robust neighborhood preserving projection by nuclear/L2,1-norm regularization (built from the definition; the paper was not at hand)"
	reweighted := []Param{rankParam, tensorShareParam, shapeParam, tensorStartParam, learnRankParam, meanParam, maxStepsParam, tolParam, controlParam}
	oneSided := []Param{columnsRankParam, tensorShareParam, shapeParam}
	addTensor(&Method{
		Name: "2dpca", Title: "2DPCA: images reduced along their rows", Paper: "Yang, Zhang, Frangi, Yang: Two-dimensional PCA",
		About:  "One-sided: every row of an image is projected on the same few directions, factor_1; factor_0 is the identity. Least squares, so outliers count fully. With more than two modes the second one is reduced.",
		Params: oneSided,
	}, func(v Values, o tensor.Options) tensorFitter { return tensor.PCA2D{Options: o} })
	addTensor(&Method{
		Name: "l1-2dpca", Title: "L1-2DPCA: largest sum of absolute projections of image rows", Paper: "Li, Pang, Yuan: L1-norm-based 2DPCA",
		About:  "One-sided and greedy, by sign flips from the 2DPCA directions. Limits how much an image can pull but never rejects one; not rotation invariant.",
		Params: append(slices.Clone(oneSided), maxStepsParam),
	}, func(v Values, o tensor.Options) tensorFitter { return tensor.L1PCA2D{Options: o} })
	addTensor(&Method{
		Name: "2dsvd", Title: "2DSVD, GLRAM: images reduced on both sides by least squares", Paper: "Ding, Ye: 2-dimensional singular value decomposition; Ye: Generalized low rank approximations of matrices",
		About: "X = mean + L M R' with the smallest sum of squared residuals. iterate=off gives the one-shot solution. Samples with more than two modes get one factor per mode: the truncated HOSVD, iterated HOOI. The baseline.",
		Params: []Param{rankParam, tensorShareParam, shapeParam,
			{Name: "iterate", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "sweep until the residual stands still (GLRAM), or stop at the one-shot solution"},
			maxStepsParam, tolParam},
	}, func(v Values, o tensor.Options) tensorFitter {
		return tensor.SVD2D{Options: o, Once: v.Is("iterate", "off")}
	})
	addTensor(&Method{
		Name: "r1-2dsvd", Title: "R1-2DSVD: residual norms instead of their squares", Paper: "Huang, Ding: Robust tensor factorization using R1 norm",
		About:  "Weights 1/||residual||: bad images lose most of their vote but never all of it (only those ten times further off than regular ones are left out, unless start=classic). Rotation invariant. learn-rank=auto is off here.",
		Params: reweighted,
	}, func(v Values, o tensor.Options) tensorFitter { return tensor.R1SVD2D{Options: o} })
	for name, norm := range map[string]tensor.Norm{"n-2dnpp": tensor.Nuclear, "s-2dnpp": tensor.Sparse} {
		title := map[tensor.Norm]string{tensor.Nuclear: "N-2DNPP: neighbourhood preserving projection, nuclear norm", tensor.Sparse: "S-2DNPP: neighbourhood preserving projection, L2,1 norm"}[norm]
		addTensor(&Method{
			Name: name, Title: title, Paper: npp,
			About:  "One-sided: images that their nearest neighbours describe well should still be described by them after reduction of their columns. The error of each image is measured by a norm that grows more slowly than the square.",
			Params: append([]Param{neighboursParam}, append(slices.Clone(oneSided), maxStepsParam, Param{Name: "tol", Kind: Number, Default: "0.0001", Min: 0, Max: 1, Open: true, Meaning: tolParam.Meaning})...),
		}, func(v Values, o tensor.Options) tensorFitter {
			return tensor.NPP2D{Options: o, Norm: norm, Neighbors: v.Int("neighbours")}
		})
	}
	for name, title := range map[string]string{"corr-2dsvd": "Corr-2DSVD: images reduced on both sides by generalised correntropy", "corr-tensor": "Corr-Tensor: samples of any order reduced by generalised correntropy"} {
		addTensor(&Method{
			Name: name, Title: title, Paper: corr,
			About:  "The loss (1 - exp(-(r/beta)^alpha))^(p/2) of each sample's residual norm r: bad samples lose their vote entirely. Mean and one factor per mode are estimated together. On images corr-2dsvd and corr-tensor are the same.",
			Params: append([]Param{alphaParam, betaParam, tensorPowerParam, normaliseParam}, append(slices.Clone(reweighted), rescaleParam)...),
		}, func(v Values, o tensor.Options) tensorFitter {
			return tensor.Corr{Options: o, Alpha: v.Float("alpha"), P: v.Float("p"), Beta: rule(v.Text("beta")), Unit: tensor.Unit(v.Text("normalise")), Rescale: rescale(v), Name: name}
		})
	}
	addTensor(&Method{
		Name: "tensor-robust", Title: "robust Tucker decomposition with any loss", Paper: corr + "; and all others as special cases",
		About:  "Reweighted decomposition of samples of any order with the loss named by --loss; square gives the HOOI.",
		Params: append(slices.Clone(reweighted), normaliseParam, rescaleParam), Loss: true, Default: tensor.DefaultLoss.String(),
	}, func(v Values, o tensor.Options) tensorFitter {
		return tensor.Robust{Options: o, Loss: v.loss(), Unit: tensor.Unit(v.Text("normalise")), Rescale: rescale(v)}
	})
}

var tensorFamily = &family{
	name: "tensor", tasks: []Task{Reduce}, restore: restoring(tensor.Restore), raw: true, missing: "tensor methods need every entry; leave the row out",
}

// addTensor adds an entry of the family.
func addTensor(m *Method, configure func(v Values, o tensor.Options) tensorFitter) {
	check := func(v Values) error {
		_, err := tensorOptions(v)
		return err
	}
	add(m, tensorFamily, check, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		o, err := tensorOptions(v)
		if err != nil {
			return nil, err
		}
		if o.Seed, o.Weights, o.OnStep = run.Seed, run.Weights, run.OnStep; o.Shape == nil {
			o.Shape = data.Shape()
		}
		return configure(v, o).Fit(ctx, data.rows())
	})
}

// tensorOptions reads the parameters that all methods of the family share.
func tensorOptions(v Values) (tensor.Options, error) {
	o := tensor.Options{
		Share: v.Float("share"), Start: tensor.Start(v.Text("start")), Mean: tensor.Mean(v.Text("mean")),
		MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"), LearnFull: v.Is("learn-rank", "off"),
	}
	for name, into := range map[string]*[]int{"shape": &o.Shape, "rank": &o.Rank, "learn-rank": &o.LearnRank} {
		text := v.Text(name)
		if text == "" || text == "auto" || name == "learn-rank" && text == "off" {
			continue
		}
		lengths, err := dataset.ParseShape(text)
		if err != nil {
			hint := map[string]string{"shape": "shape is a list of lengths such as 64x64 or 64x64x3, or auto", "rank": "rank is a list of numbers such as 15x15, one number, or auto", "learn-rank": "learn-rank is a list of numbers such as 12x12, one number, auto or off"}
			return o, &UsageError{Parameter: ParametersField + name, Problem: fmt.Sprintf("parameter %s=%s is not allowed", name, text), Hint: hint[name]}
		}
		*into = lengths
	}
	return o, nil
}
