package elm

import (
	"math"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Activation names the function f of the hidden nodes.
type Activation string

// The activations.
const (
	Sigmoid  Activation = "sigmoid"  // 1/(1+exp(-z)), z = w.x + b
	Tanh     Activation = "tanh"     // tanh z
	ReLU     Activation = "relu"     // max(z, 0)
	Sine     Activation = "sine"     // sin z
	Gaussian Activation = "gaussian" // exp(-|b| |x - w|^2): a radial node with centre w
)

// Activations lists all of them.
var Activations = []Activation{Sigmoid, Tanh, ReLU, Sine, Gaussian}

func (a Activation) check() error {
	for _, known := range Activations {
		if a == known {
			return nil
		}
	}
	return refusal.Parameter("activation", string(a), "must be sigmoid, tanh, relu, sine or gaussian")
}

// apply turns pre-activations z into node outputs, in place.
func (a Activation) apply(z []float64) {
	switch a {
	case Sigmoid:
		for i, v := range z {
			z[i] = -v
		}
		linalg.Exp(z, z)
		for i, v := range z {
			z[i] = 1 / (1 + v)
		}
	case Tanh:
		for i, v := range z {
			z[i] = math.Tanh(v)
		}
	case ReLU:
		for i, v := range z {
			z[i] = math.Max(v, 0)
		}
	case Sine:
		for i, v := range z {
			z[i] = math.Sin(v)
		}
	case Gaussian:
		linalg.Exp(z, z)
	}
}
