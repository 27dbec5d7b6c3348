package synthetic

import (
	"math"
	"math/rand/v2"

	"github.com/inlier-ml/inlier/internal/random"
)

// facesColour is red, green, blue in [0, 1].
type facesColour [3]float64

// facesTraits is what stays the same in every picture of one person. Lengths are in
// half the width of the picture.
type facesTraits struct {
	width, height, jaw         float64 // half axes of the head, narrowing of the jaw
	eyeGap, eyeSize, eyeHeight float64
	browThick, browTilt        float64
	noseLength, noseWidth      float64
	mouthWidth, lipThick       float64
	mouthHeight                float64
	hairline, hairCurve        float64
	parting                    float64
	longHair, glasses, beard   bool
	skin, hair, eye, lip       facesColour
	cloth, wall                facesColour
}

// facesMood is what differs between pictures of one person.
type facesMood struct {
	lightX, lightY, ambient float64
	smile, open             float64 // corners up or down; mouth open
	lids, brows             float64 // 1 wide open, 0 shut; raised brows
	shiftX, shiftY, tilt    float64
	yaw, zoom               float64
}

func facesDrawTraits(r *rand.Rand) facesTraits {
	between := func(lo, hi float64) float64 { return random.Uniform(r, lo, hi) }
	t := facesTraits{
		width: between(0.56, 0.70), height: between(0.76, 0.88), jaw: between(0.10, 0.38),
		eyeGap: between(0.24, 0.31), eyeSize: between(0.095, 0.13), eyeHeight: between(-0.14, -0.05),
		browThick: between(0.020, 0.050), browTilt: between(-0.18, 0.12),
		noseLength: between(0.26, 0.36), noseWidth: between(0.075, 0.125),
		mouthWidth: between(0.19, 0.28), lipThick: between(0.030, 0.060), mouthHeight: between(0.42, 0.49),
		hairline: between(0.40, 0.62), hairCurve: between(0.3, 1.3), parting: between(-0.35, 0.35),
	}
	tone := between(0.42, 0.92)
	t.skin = facesColour{min(1, tone*1.06), tone * 0.82, tone * 0.68}
	dark := between(0.04, 0.55) * tone // always darker than the skin
	t.hair = facesColour{dark * 1.1, dark * 0.85, dark * 0.62}
	t.eye = facesColour{between(0.08, 0.3), between(0.1, 0.35), between(0.1, 0.45)}
	t.lip = facesColour{t.skin[0] * 0.80, t.skin[1] * 0.58, t.skin[2] * 0.60}
	t.cloth = facesColour{between(0.1, 0.8), between(0.1, 0.8), between(0.1, 0.8)}
	wall := between(0.55, 0.85)
	t.wall = facesColour{wall, wall, wall * 1.02}
	t.longHair = r.Float64() < 0.4
	t.glasses = r.Float64() < 0.25
	t.beard = !t.longHair && r.Float64() < 0.3
	return t
}

// facesDrawMood draws the k-th picture's mood. The first pictures go through the
// conditions of the classical sets (frontal, light from the left, from the right, happy,
// sad, sleepy, surprised); the rest are random. Everything is jittered.
func facesDrawMood(r *rand.Rand, c *Faces, k int) facesMood {
	jitter := func(scale float64) float64 { return scale * (2*r.Float64() - 1) }
	m := facesMood{
		lightX: 0.25 * r.NormFloat64(), lightY: -0.25 + jitter(0.2), ambient: 0.42 + jitter(0.08),
		smile: 0.25 * r.NormFloat64(), open: max(0, 0.12*r.NormFloat64()), lids: 0.85 + jitter(0.12), brows: jitter(0.25),
		shiftX: jitter(0.045), shiftY: jitter(0.045), tilt: jitter(0.07), yaw: jitter(0.35), zoom: 1 + jitter(0.035),
	}
	strong := jitter(0.3)
	switch k % 11 {
	case 1:
		m.lightX = -1.5 + strong
	case 2:
		m.lightX = 1.5 + strong
	case 3:
		m.smile, m.open = 1+strong, 0.3
	case 4:
		m.smile, m.brows = -0.8+strong, 0.4
	case 5:
		m.lids = 0.08
	case 6:
		m.open, m.brows, m.lids = 0.9+strong/3, 1, 1.15
	case 7:
		m.lightY, m.ambient = -1.1, 0.3
	}
	// Strength 0 gives the same neutral picture each time.
	for _, part := range []struct {
		value             *float64
		neutral, strength float64
	}{
		{&m.lightX, 0, c.Lighting}, {&m.lightY, -0.25, c.Lighting}, {&m.ambient, 0.42, c.Lighting},
		{&m.smile, 0, c.Expression}, {&m.open, 0, c.Expression}, {&m.lids, 0.85, c.Expression}, {&m.brows, 0, c.Expression},
		{&m.shiftX, 0, c.Pose}, {&m.shiftY, 0, c.Pose}, {&m.tilt, 0, c.Pose}, {&m.yaw, 0, c.Pose}, {&m.zoom, 1, c.Pose},
	} {
		*part.value = part.neutral + (*part.value-part.neutral)*part.strength
	}
	m.open, m.lids, m.ambient = max(m.open, 0), max(m.lids, 0.05), min(max(m.ambient, 0.1), 0.8)
	return m
}

// facesSoft is 1 well inside (distance below 0), 0 well outside, with an edge of the
// given width.
func facesSoft(distance, edge float64) float64 {
	x := 0.5 - distance/edge
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	return x * x * (3 - 2*x)
}

// facesEllipse is the signed distance, roughly, from an upright ellipse.
func facesEllipse(u, v, cu, cv, a, b float64) float64 {
	return (math.Hypot((u-cu)/a, (v-cv)/b) - 1) * min(a, b)
}

// facesBump is a Gaussian hill of height 1.
func facesBump(u, v, cu, cv, a, b float64) float64 {
	x, y := (u-cu)/a, (v-cv)/b
	return math.Exp(-(x*x + y*y) / 2)
}

// over mixes another colour over this one.
func (c facesColour) over(top facesColour, alpha float64) facesColour {
	for k := range c {
		c[k] += (top[k] - c[k]) * alpha
	}
	return c
}

// times scales the brightness.
func (c facesColour) times(f float64) facesColour { return facesColour{c[0] * f, c[1] * f, c[2] * f} }
