package kernel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/refusal"
)

// Kind names a family of kernels.
type Kind string

const (
	Linear     Kind = "linear"     // x'y
	RBF        Kind = "rbf"        // exp(-gamma ||x-y||^2)
	Laplace    Kind = "laplace"    // exp(-gamma ||x-y||_1)
	Polynomial Kind = "polynomial" // (gamma x'y + offset)^degree
)

// Kernel is a positive semidefinite function of two rows. The zero value is the
// linear kernel. Kernels are compared by ==.
type Kernel struct {
	Kind Kind
	// Gamma is the inverse width of RBF and Laplace and the factor of Polynomial; 0
	// leaves it open, to be filled in by Resolve.
	Gamma float64
	// Degree and Offset belong to Polynomial; degree 0 stands for 3.
	Degree int
	Offset float64
}

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Linear, RBF, Laplace, Polynomial} }

// kind is the kind with the zero value filled in.
func (k Kernel) kind() Kind {
	if k.Kind == "" {
		return Linear
	}
	return k.Kind
}

// degree is the degree with the zero value filled in.
func (k Kernel) degree() int {
	if k.Degree == 0 {
		return 3
	}
	return k.Degree
}

// Check tells what is wrong with the parameters, if anything.
func (k Kernel) Check() error {
	if !(k.Gamma >= 0) || math.IsInf(k.Gamma, 1) {
		return refusal.Parameter("gamma", k.Gamma, "must be a positive number, or auto")
	}
	switch k.kind() {
	case Linear, RBF, Laplace:
		return nil
	case Polynomial:
		if k.degree() < 1 || k.degree() > 100 {
			return refusal.Setting("degree", "polynomial: degree=%d must be in [1, 100]", k.Degree)
		}
		if !(k.Offset >= 0) || math.IsInf(k.Offset, 1) {
			return refusal.Setting("offset", "polynomial: offset=%v must be at least 0", k.Offset)
		}
		return nil
	}
	return refusal.Setting("kernel", "there is no kernel %q; there are linear, rbf, laplace, polynomial", k.Kind)
}

// Open tells whether gamma still has to be found by Resolve.
func (k Kernel) Open() bool { return k.kind() != Linear && k.Gamma == 0 }

// ready is Check, and that nothing is open.
func (k Kernel) ready() error {
	if err := k.Check(); err != nil {
		return err
	}
	if k.Open() {
		return refusal.Setting("gamma", "%s: gamma is still open; Resolve finds it from data", k.kind())
	}
	return nil
}

// Parse reads a kernel's text form: a kind, then parameters, as in "linear",
// "rbf:gamma=0.5", "laplace:gamma=auto", "polynomial:degree=2,gamma=1,offset=1".
func Parse(text string) (Kernel, error) {
	name, rest, given := strings.Cut(strings.TrimSpace(text), ":")
	k := Kernel{Kind: Kind(name)}
	if name == "" {
		return k, refusal.Setting("kernel", "%q names no kernel; there are linear, rbf, laplace, polynomial", text)
	}
	if err := k.Check(); err != nil {
		return k, err
	}
	if !given || rest == "" {
		return k, nil
	}
	for _, pair := range strings.Split(rest, ",") {
		key, value, _ := strings.Cut(pair, "=")
		if err := k.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return k, err
		}
	}
	return k, k.Check()
}

// set reads one parameter.
func (k *Kernel) set(key, value string) error {
	has := map[Kind]string{Linear: "", RBF: "gamma", Laplace: "gamma", Polynomial: "gamma degree offset"}[k.Kind]
	known := false
	for _, name := range strings.Fields(has) {
		known = known || name == key
	}
	if !known {
		return refusal.Setting("kernel", "%s has no parameter %q", k.Kind, key)
	}
	if key == "gamma" && value == "auto" {
		k.Gamma = 0
		return nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return refusal.Setting(key, "%s: %s=%q is not a number", k.Kind, key, value)
	}
	switch key {
	case "gamma":
		if k.Gamma = v; v == 0 {
			return refusal.Parameter("gamma", 0, "must be a positive number, or auto")
		}
	case "offset":
		k.Offset = v
	case "degree":
		if k.Degree = int(v); float64(k.Degree) != v || v < 1 {
			return refusal.Setting("degree", "polynomial: degree=%s must be a whole number in [1, 100]", value)
		}
	}
	return nil
}

// String is the text form that Parse reads back.
func (k Kernel) String() string {
	gamma := "auto"
	if k.Gamma != 0 {
		gamma = strconv.FormatFloat(k.Gamma, 'g', -1, 64)
	}
	switch k.kind() {
	case Linear:
		return string(Linear)
	case Polynomial:
		return fmt.Sprintf("polynomial:degree=%d,gamma=%s,offset=%s", k.degree(), gamma, strconv.FormatFloat(k.Offset, 'g', -1, 64))
	}
	return fmt.Sprintf("%s:gamma=%s", k.Kind, gamma)
}

// At is the kernel of two rows. It is the definition, term by term; Gram is the fast way.
func (k Kernel) At(x, y []float64) float64 {
	dot, square, absolute := 0.0, 0.0, 0.0
	for j, v := range x {
		dot += v * y[j]
		square += (v - y[j]) * (v - y[j])
		absolute += math.Abs(v - y[j])
	}
	switch k.kind() {
	case RBF:
		return math.Exp(-k.Gamma * square)
	case Laplace:
		return math.Exp(-k.Gamma * absolute)
	case Polynomial:
		return power(k.Gamma*dot+k.Offset, k.degree())
	}
	return dot
}

// power is x to a small whole power.
func power(x float64, n int) float64 {
	out := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}
